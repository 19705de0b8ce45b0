import type { Failure } from '../domain/failure.ts'
import type { ApiRequest } from '../domain/ports.ts'

/** Ends a call that makes no progress, takes too long or is no longer wanted, and remembers why. Timers are monotonic. */
export interface Watch {
  /** aborted with the first reason */
  readonly signal: AbortSignal
  /** why we ended it, or null while we did not */
  reason(): Failure | null
  /** Something came. What is no progress, such as a ping, does not make us wait any longer. */
  heard(progress: boolean): void
  /** All that matters has come: wait for the end of the connection a moment only. */
  finish(): void
  close(): void
}

const LAST_WORDS_MS = 1_000

/** `stop` is the caller's signal. undici's own timers are left alone, being coarse by half a second. */
export function watch(thing: string, request: ApiRequest, stop: AbortSignal): Watch {
  const controller = new AbortController()
  const { patienceMs, deadlineMs } = request
  let reason: Failure | null = null
  let answered = false
  let idle = false
  let last = false
  const end = (failure: Failure) => {
    reason ??= failure
    controller.abort()
  }
  const quiet = () => end(answered ? stalled(thing, patienceMs, idle) : silent(thing, patienceMs))
  const leave = () =>
    end({ kind: 'stopped', thing, observed: 'stopped on request', next: 'ask again when it is wanted' })
  let patience = notBefore(patienceMs, quiet)
  const deadline = deadlineMs === undefined ? null : notBefore(deadlineMs, () => end(late(thing, deadlineMs)))
  stop.addEventListener('abort', leave, { once: true })
  if (stop.aborted) leave()
  return {
    signal: controller.signal,
    reason: () => reason,
    heard(progress) {
      answered = true
      idle = !progress
      if (progress && !last) patience.restart()
    },
    finish() {
      if (last) return
      last = true
      patience.clear()
      patience = notBefore(LAST_WORDS_MS, quiet)
    },
    close() {
      patience.clear()
      deadline?.clear()
      stop.removeEventListener('abort', leave)
    },
  }
}

/**
 * A timer that never ends early by the monotonic clock: on a busy machine Node's own was seen to fire 3-4 ms before its
 * time, and what is told ("no answer within 60 s") shall be true.
 */
function notBefore(ms: number, run: () => void): { restart(): void; clear(): void } {
  let since = performance.now()
  let timer = setTimeout(look, ms)
  function look(): void {
    const left = since + ms - performance.now()
    if (left > 0) timer = setTimeout(look, Math.ceil(left))
    else run()
  }
  return {
    restart() {
      since = performance.now()
      timer.refresh()
    },
    clear: () => clearTimeout(timer),
  }
}

/** No head came. `ms`: how long we waited; null where that is not known. */
export function silent(thing: string, ms: number | null): Failure {
  return {
    kind: 'headers-timeout',
    thing,
    observed: `no answer ${ms === null ? 'until we gave up' : `within ${ms / 1000} s`}`,
    next: 'look whether the server hangs or still loads; a long prompt may need a larger patience',
  }
}

/** The head came, and then nothing more; `idle`: pings at most. */
export function stalled(thing: string, ms: number | null, idle: boolean): Failure {
  return {
    kind: 'stalled',
    thing,
    observed: `the answer stopped coming: ${idle ? 'nothing but pings and empty events' : 'no byte'} ${ms === null ? 'until we gave up' : `for ${ms / 1000} s`}`,
    next: 'look into the log of the server and at its GPUs: it produces nothing any more',
  }
}

function late(thing: string, ms: number): Failure {
  return {
    kind: 'deadline',
    thing,
    observed: `not done within ${ms / 1000} s`,
    next: 'look whether the server is busy or hangs',
  }
}
