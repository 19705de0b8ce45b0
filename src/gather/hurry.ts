import type { After } from './limit.ts'

/** Ends a look at many things for the last few, so that one dead host does not keep everybody waiting. */
export interface Hurry {
  readonly signal: AbortSignal
  /** One more has told, or failed. */
  told(): void
  /** The look is over. */
  end(): void
}

/** Before this nobody is hurried, in ms. */
export const EARLY_MS = 2500
/** What the last ones have left once most have told, in ms. */
export const GRACE_MS = 1000
/** The share that counts as most. */
const MOST = 0.9

/**
 * Once nine in ten have told, the rest have one second more, and 2.5 s in all at least. Where fewer have told, nobody is
 * hurried: a fleet whose tools are all slow is waited for.
 */
export function hurry(all: number, after: After): Hurry {
  const cutter = new AbortController()
  const over = { early: false, grace: false }
  let told = 0
  const timers: (() => void)[] = []
  const wait = (what: keyof typeof over, ms: number): void => {
    const stop = after(ms, () => {
      stop()
      over[what] = true
      if (over.early && over.grace) cutter.abort(`no answer yet when ${told} of ${all} hosts had told`)
    })
    timers.push(stop)
  }
  wait('early', EARLY_MS)
  return {
    signal: cutter.signal,
    told() {
      told += 1
      if (told === Math.ceil(all * MOST)) wait('grace', GRACE_MS)
    },
    end() {
      for (const stop of timers) stop()
    },
  }
}
