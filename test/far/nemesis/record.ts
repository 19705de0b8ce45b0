import type { GateDelivery } from '../../../src/domain/target.ts'
import type { Box } from '../box/box.ts'
import type { Units } from '../box/units.ts'

/** One restart that a bot asked for. */
export interface Attempt {
  readonly by: GateDelivery
  /** the run of the unit that its plan saw, by systemd's InvocationID */
  readonly run: string
  /** `done`, or the kind of the failure */
  readonly result: string
}

export function issued(attempts: readonly Attempt[]): readonly Attempt[] {
  return attempts.filter(({ result }) => result === 'done')
}

/** What the host refused because the plan did not fit any more. */
export function refused(attempts: readonly Attempt[]): readonly Attempt[] {
  return attempts.filter(({ result }) => REFUSALS.includes(result))
}

/** 75, 76 and 78 of the gate */
const REFUSALS: readonly string[] = ['fence-busy', 'fence-stale', 'in-transition']

/**
 * How many restarts were issued though another one had been issued since they were planned. A restart ends the run that
 * its plan saw; so of all that were planned on the same run each but the first came too late.
 */
export function overlapping(attempts: readonly Attempt[]): number {
  const runs = issued(attempts).map(({ run }) => run)
  return runs.length - new Set(runs).size
}

const FILE = '/var/log/slow.log'

/** Needs 0.4 to 0.8 s to start, and notes when a start begins and when it is ready, in seconds since the machine booted. */
export const slowUnit: Units = {
  'slow.service': `[Unit]
StartLimitIntervalSec=0
[Service]
ExecStartPre=/bin/sh -c 'echo begin $$INVOCATION_ID $$(cat /proc/uptime) >>${FILE}'
ExecStart=/bin/sleep infinity
ExecStartPost=/bin/sh -c 'sleep 0.$$(shuf -i 4-8 -n 1); echo ready $$INVOCATION_ID $$(cat /proc/uptime) >>${FILE}'
[Install]
WantedBy=multi-user.target
`,
}

/** The runs of slow.service by its own notes. */
export interface Starts {
  readonly begun: readonly string[]
  readonly ready: readonly string[]
}

export async function startsIn(box: Box): Promise<Starts> {
  const lines = (await box.disk.read(FILE)).split('\n').map((line) => line.split(' '))
  const runs = (what: string) => lines.flatMap(([word, run = '']) => (word === what ? [run] : []))
  return { begun: runs('begin'), ready: runs('ready') }
}
