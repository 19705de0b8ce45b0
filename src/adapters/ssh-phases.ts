import type { Limits } from './ssh-limits.ts'

/** The limits of one command in time: for the host's yes, for the beginning of the answer, for the whole; and the caller's signal. */
export interface Phases {
  /** The host takes the command. */
  taken(): void
  /** Its answer begins. */
  heard(): void
  /** from `taken` to the first `heard`, in ms; null before */
  shellMs(): number | null
  close(): void
}

interface Ends {
  stopped(): void
  unanswered(): void
  late(afterMs: number): void
}

export function phases(limits: Limits, deadlineMs: number, signal: AbortSignal, ends: Ends): Phases {
  let takenAt = 0
  let shellMs: number | null = null
  const total = setTimeout(() => ends.late(deadlineMs), deadlineMs)
  let phase = setTimeout(ends.unanswered, limits.openMs)
  signal.addEventListener('abort', ends.stopped, { once: true })
  return {
    taken() {
      clearTimeout(phase)
      takenAt = performance.now()
      phase = setTimeout(() => ends.late(limits.firstByteMs), limits.firstByteMs)
    },
    heard() {
      if (shellMs !== null) return
      shellMs = performance.now() - takenAt
      clearTimeout(phase)
    },
    shellMs: () => shellMs,
    close() {
      clearTimeout(phase)
      clearTimeout(total)
      signal.removeEventListener('abort', ends.stopped)
    },
  }
}
