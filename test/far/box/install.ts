import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { HostSettings } from '../../../src/domain/target.ts'
import type { Box } from './box.ts'
import type { Executed } from './exec.ts'

/** One account of one box, by both ways in: the same rights and the same records, so what verbs answer is the same, too. */
export interface Gate {
  /** its key opens the gate only */
  readonly installed: HostSettings
  /** its key opens a shell, to which the gate is sent */
  readonly quick: HostSettings
}

/** The units of every box, by the names that an operator may have given them. */
const ALIASES = {
  main: 'sglang.service',
  loop: 'loop.service',
  dying: 'dying.service',
  hung: 'hung.service',
  stopped: 'stopped.service',
  slow: 'slow.service',
} as const

const SETUP = join(import.meta.dirname, '../../../deploy/host/setup')

/** Runs deploy/host/setup in the box as an operator would; `more` are further options of it. */
export async function install(box: Box, more: readonly string[] = []): Promise<Gate> {
  const [gate, shell] = [await box.newKey('gate'), await box.newKey('shell')]
  const units = Object.entries(ALIASES).flatMap(([alias, unit]) => ['--unit', `${alias}=${unit}`])
  const options = ['--key', gate.publicLine, '--port', String(box.enginePort), ...units, ...more]
  const line = `sh ${SETUP} ${options.map((word) => `'${word}'`).join(' ')}`
  const { rc, stdout, stderr } = await reloadingSshd(box, line)
  if (rc !== 0) throw new Error(`deploy/host/setup ended with ${rc}: ${stdout}${stderr}`)
  await box.exec('cat >>/home/pilotflame/.ssh/authorized_keys', `${shell.publicLine}\n`)
  return {
    installed: { ...box.host('pilotflame', gate), name: 'installed' },
    quick: { ...box.host('pilotflame', shell), name: 'quick' },
  }
}

/** Runs a shell line as root, and where it says that it did `reload sshd`, waits until that listens again. */
export async function reloadingSshd(box: Box, line: string): Promise<Executed> {
  const before = await timesListened(box)
  const done = await box.exec(line)
  const deadline = performance.now() + 10_000
  while (/^reload sshd$/m.test(done.stdout) && (await timesListened(box)) === before) {
    if (performance.now() > deadline) throw new Error(`sshd does not listen again after: ${line}`)
    await delay(10)
  }
  return done
}

async function timesListened(box: Box): Promise<string> {
  const { stdout } = await box.exec(`journalctl -q --no-pager -o cat -u ssh -g '^Server listening' | wc -l`)
  return stdout
}
