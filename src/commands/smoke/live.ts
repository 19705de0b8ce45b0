import type { Ask } from '../../domain/ask.ts'
import type { Channel, Piece } from '../../domain/completion.ts'
import { excerpt } from '../../domain/excerpt.ts'
import type { Clock } from '../../domain/ports.ts'
import type { Report } from '../../domain/report.ts'
import { count, counted, report, seconds } from '../../domain/report.ts'
import type { SmokeRequest } from '../../domain/smoke.ts'

interface Asked {
  readonly ask: Ask
  readonly target: string
  readonly request: SmokeRequest
  readonly stopLine: string
  readonly clock: Clock
}

/** The message that lives while a smoke runs: waiting, thinking or answering, how much, since when. */
export function liveView(asked: Asked): LiveView {
  const started = asked.clock.monotonic()
  let channel: Channel | null = null
  let pieces = 0
  let looking: string | null = null
  return {
    look(done, all) {
      looking = lookingAt(done, all)
    },
    add(piece) {
      channel = piece.channel
      pieces += 1
    },
    now() {
      const ms = asked.clock.monotonic() - started
      // the first sight of a message that changes every few seconds: a 0.0 s would look stuck
      const since = ms < 1000 ? '' : `: ${seconds(ms)}`
      return report({
        tone: 'running',
        status: 'running',
        title:
          looking ??
          `${doing(channel, asked.request.stream)}${pieces === 0 ? since : `: about ${counted(pieces, 'token')}, ${seconds(ms)}`}`,
        lead: lead(asked.ask, asked.target, asked.request.prompt),
        actions: [{ label: 'Stop', line: asked.stopLine, style: 'danger' }],
      })
    },
  }
}

export interface LiveView {
  add(piece: Piece): void
  /** The answer is there, and so many things on the host have been looked at. */
  look(done: number, all: number): void
  now(): Report
}

/** `Looking at the host: 3 of 9 things done` */
export function lookingAt(done: number, all: number): string {
  return `Looking at the host: ${done} of ${counted(all, 'thing')} done`
}

/** A prompt is shown in at most so many characters with its ellipsis, never in all 12,000. */
export const ECHOED_PROMPT = 300

/** Who asked what of which target. A long prompt is named by its beginning. */
export function lead(ask: Ask, target: string, prompt: string): string {
  const short = excerpt(prompt, ECHOED_PROMPT - 1)
  const shown = short === prompt ? prompt : `${short} (${count([...prompt].length)} characters)`
  return `${ask.person.name} asked ${target}: ${shown}`
}

/** What a model is doing, at the head of a sentence. */
export function doing(channel: Channel | null, stream: boolean): string {
  switch (channel) {
    case null:
      return stream ? 'Waiting for the first token' : 'Waiting for the whole answer'
    case 'reasoning':
      return 'Thinking'
    case 'content':
      return 'Answering'
  }
}
