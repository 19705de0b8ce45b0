import type { GateAnswer } from './box-changes.ts'

/** What a made-up box has besides its systemd. Without one it has no tool, its units run for ever, their logs are alike. */
export interface Machine {
  /** the name that it gives itself: `gpu-box-2` */
  readonly host: string
  /** What becomes of a process that its systemd has just started; null: it lives. */
  started(unit: string, pid: number): Death | null
  /** Its systemd ends what it may end of a unit. */
  stopped(unit: string): void
  /** What the last run of a unit wrote, oldest first; `since`: when it began, in ms since 1970. */
  log(unit: string, since: number): readonly WrittenLine[]
  /** The answer to a verb that reads; null where this box has no tool for it. */
  read(verb: string, words: readonly string[]): GateAnswer | null
}

/** How a process ended: by itself with a status, or by the number of a signal. */
export interface Death {
  readonly how: 'exited' | 'killed'
  readonly status: number
}

/** A line of a unit's log, so many seconds after the moment from which the unit counts its run; below 0: before it. */
export type WrittenLine = readonly [afterS: number, message: string]
