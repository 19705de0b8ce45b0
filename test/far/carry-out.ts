import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { SmokeRequest } from '../../src/domain/smoke.ts'
import type { Others, Setup } from './desk.ts'
import type { Setting, Step } from './remedy-script.ts'
import { install } from './sglang-double/home.ts'

/** Where the script works: the folder of the double, and the processes that it may end. */
export interface Place {
  readonly home: string
  readonly others: Others
}

/** Does one step; what is to be started and asked comes back changed. */
export async function carryOut(step: Step, setup: Setup, { home, others }: Place): Promise<Setup> {
  switch (step.do) {
    case 'ask':
      return { ...setup, asked: asking(setup.asked, step) }
    case 'set':
      return { ...setup, flags: step.flags.reduce(withSetting, setup.flags) }
    case 'install':
      await install(home, step.name, step.version)
      return setup
    case 'end':
      await others.end(step.pid)
      return setup
    case 'list-and-end':
      await others.end(await listed(step.list, home))
      return setup
  }
}

/** The words that `retry` takes in a thread, and the flags of `smoke`. */
function asking(asked: Partial<SmokeRequest>, step: Extract<Step, { do: 'ask' }>): Partial<SmokeRequest> {
  const changed = Object.entries(step.with).map(([name, value]): Partial<SmokeRequest> => {
    if (name === 'max_tokens') return { budget: Number(value) }
    if (name === 'temperature') return { temperature: Number(value) }
    if (name === 'think') return { thinking: value === 'on' }
    if (name === 'model') return { model: value }
    throw new Error(`retry knows no ${name}`)
  })
  const left = step.without.map((name): Partial<SmokeRequest> => {
    if (name === 'temperature') return { temperature: null }
    if (name === 'think') return { thinking: null }
    throw new Error(`smoke knows no --${name}`)
  })
  return Object.assign({}, asked, ...changed, ...left)
}

/** In the place of the flag's old value, else at the end. */
function withSetting(flags: readonly string[], { flag, value }: Setting): readonly string[] {
  const at = flags.findIndex((one) => nameOf(one) === nameOf(flag))
  const set = value === null ? [flag] : [flag, value]
  if (at === -1) return [...flags, ...set]
  const hasValue = flags[at + 1]?.startsWith('-') === false
  return [...flags.slice(0, at), ...set, ...flags.slice(at + (hasValue ? 2 : 1))]
}

const SHORT: Readonly<Record<string, string>> = { '-c': '--ctx-size', '-m': '--model', '--tp': '--tp-size' }

function nameOf(flag: string): string {
  return SHORT[flag] ?? flag
}

/** The one process that a listing names; with several nobody could know which is meant. */
async function listed([program, ...words]: readonly [string, ...string[]], home: string): Promise<number> {
  const env = { ...process.env, PATH: `${join(home, 'bin')}:${process.env['PATH'] ?? ''}` }
  const { stdout } = await promisify(execFile)(program, words, { env })
  const found = Array.from(stdout.matchAll(/\bpid=(\d+)|^(\d+), /gm), ([, one, other]) => Number(one ?? other))
  const [pid, ...more] = new Set(found)
  if (pid === undefined || more.length > 0) throw new Error(`${program} names ${found.length} processes:\n${stdout}`)
  return pid
}
