import type { Completion } from '../domain/completion.ts'
import type { Loop, Smoke, SmokeRequest } from '../domain/smoke.ts'
import { budgetSpent } from './answer.ts'
import { loopsIn } from './loop-signals.ts'
import { requested } from './requested.ts'
import { isStructured } from './structure.ts'

/**
 * The loop in an answer that has ended, found by several signals together (no single one sees all loops): exact
 * period, white space, what a short budget left of a run, counting, recurring text. Null where there is none, or where
 * the prompt asked for it. Only exact periods that the model did not leave are certain.
 */
export function findLoop(smoke: Smoke): Loop | null {
  if (smoke.cut !== null) return smoke.cut
  const { completion, request } = smoke
  if (completion === null) return null
  const endless = isEndless(completion, request)
  const found = CHANNELS.flatMap((channel) => {
    const text = completion[channel] ?? ''
    if (text.length < SHORTEST || (!endless && isStructured(text))) return []
    return unasked(loopsIn(channel, text, endless), request.prompt)
  })
  const inIt = found.filter((loop) => !hasLeft(smoke, loop))
  const [left = null] = found
  return inIt.find((loop) => loop.certain) ?? inIt[0] ?? (left && { ...left, certain: false })
}

/** What the prompt asked for recurs by nature, whatever else of it looks like a loop. */
function unasked(loops: readonly Loop[], prompt: string): readonly Loop[] {
  const others = loops.filter(({ unit }) => !requested(prompt, unit))
  return others.length === loops.length ? loops : others.filter(({ signal }) => !IN_PROSE.has(signal))
}

const IN_PROSE: ReadonlySet<Loop['signal']> = new Set(['masked', 'recurring'])

/** Whether the model left the loop and came to an end of its own: then it was not caught in it. */
export function hasLeft({ cut, completion, request }: Smoke, { channel, signal, period }: Loop): boolean {
  if (cut !== null || completion === null || isEndless(completion, request)) return false
  const text = completion[channel] ?? ''
  if (signal === 'white-space') return !ENDS_WHITE.test(text)
  return !endsAlike(text, period) && !endsAlike(text.trimEnd(), period)
}

function isEndless(completion: Completion, request: SmokeRequest): boolean {
  return completion.finish === null || budgetSpent(completion, request)
}

/** Whether the end of a text stood there one period before as well. */
function endsAlike(text: string, period: number): boolean {
  const size = Math.max(period, 24)
  return text.slice(-size) === text.slice(-size - period, -period)
}

const CHANNELS = ['content', 'reasoning'] as const
const SHORTEST = 40
const ENDS_WHITE = /\s{200}$/
