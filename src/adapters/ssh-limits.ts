/** How long each phase may take, in ms, and how much a command may print, in bytes. */
export interface Limits {
  /** from the first packet to the finished login */
  readonly dialMs: number
  /** for one channel to open; sshd itself waits minutes for a dead address */
  readonly openMs: number
  /** from the host's yes to a command until its answer begins; below what `doctor` gives a check, so that it tells the cause */
  readonly firstByteMs: number
  /** between keepalives; three unanswered ones end the connection (trust.md F7) */
  readonly keepaliveMs: number
  /** before a login is tried again that sshd cut off; up to three times as long, by chance (trust.md F9) */
  readonly retryMs: number
  /** an answer of the gate has several sections of up to 256 KiB */
  readonly stdoutBytes: number
  readonly stderrBytes: number
}

export const LIMITS: Limits = {
  dialMs: 10_000,
  openMs: 10_000,
  firstByteMs: 10_000,
  keepaliveMs: 5_000,
  retryMs: 500,
  stdoutBytes: 2 * 1024 * 1024,
  stderrBytes: 64 * 1024,
}
