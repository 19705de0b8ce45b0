import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, vi } from 'vitest'
import type { HostSettings } from '../../src/domain/target.ts'
import { closeLater, never, valueIn } from '../adapters/tidy.ts'
import { littleGate } from './little-gate.ts'
import type { Verbs } from './verbs-over.ts'
import { verbsOver } from './verbs-over.ts'

/** For an sshd of this machine: its shells read no start-up files, which may cost more than all that is tested. */
export const LEAN = 'SetEnv HOME=/'

/** The product over these hosts, with a gate that costs nothing. */
export function over(hosts: readonly HostSettings[], limits = {}, gate = littleGate('echo here')): Verbs {
  const verbs = verbsOver(hosts, limits, gate)
  closeLater(verbs)
  return verbs
}

/** The process of sshd that serves our connection: the parent of whatever it runs. */
export async function served({ pool }: Verbs, host: string): Promise<number> {
  const connection = valueIn(await pool.connect(host, never))
  const { run } = valueIn(await connection.exec({ line: 'echo $PPID', stdin: '', deadlineMs: 5000 }, never).executed)
  expect(run.stdout).toMatch(/^\d+\n$/)
  return Number(run.stdout)
}

/** The first call of this gate hangs, for some time; the ones after it answer at once. It notes every call. */
export async function hangingGate() {
  const folder = await mkdtemp(join(tmpdir(), 'pilotflame-hang-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const act = `echo "$1" >>${folder}/calls; if mkdir ${folder}/first 2>/dev/null; then sleep 5; fi; echo here`
  const calls = async () => (await readFile(join(folder, 'calls'), 'utf8').catch(() => '')).split('\n').filter(Boolean)
  const begun = () => vi.waitFor(async () => expect(await calls()).toHaveLength(1), 8000)
  return { act, script: littleGate(act), calls, begun }
}

/** Whether the signal found somebody. */
export function killed(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}
