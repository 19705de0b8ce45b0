/** One process as /proc shows it. */
export interface ProcessFacts {
  readonly pid: number
  readonly ppid: number
  /** clock ticks since boot; with the pid it names a process for good */
  readonly start: number
  /** login name, or uid where it has none */
  readonly owner: string
  /** one letter: R runs, S sleeps, D waits for a device, Z has ended and waits for its parent */
  readonly state: string
  readonly rssKiB: number
  /** path in systemd's hierarchy, null where unreadable */
  readonly cgroup: string | null
  /** at most 15 characters, null where unreadable */
  readonly comm: string | null
  /** from the first 8 KiB of its command line; empty for kernel threads, and where it may not be read */
  readonly argv: readonly string[]
}
