import { setTimeout as timer } from 'node:timers/promises'
import type { WebClient } from '@slack/web-api'
import type { Clock, Log } from '../../domain/ports.ts'
import type { Report } from '../../domain/report.ts'
import { sanitise } from '../../domain/sanitise.ts'
import type { AbilityNotes } from './abilities.ts'
import { abilities } from './abilities.ts'
import { cleaned } from './clean.ts'
import { ladder } from './ladder.ts'
import { caller } from './outbox/call.ts'
import type { Outbox, OutboxOptions } from './outbox.ts'
import { outbox } from './outbox.ts'
import type { Post, Posted } from './post.ts'
import { post } from './post.ts'
import { headline } from './render.ts'

/** The way out: what the workspace takes, in an outbox. */
export interface LetterBox extends Pick<Outbox, 'open' | 'hurry' | 'close' | 'waiting'> {
  readonly post: Post
  /** Reads what an earlier process learnt about the workspace. */
  load(team: string): Promise<void>
  /** Makes a message that lived in an earlier process say how it ended. False where it still does not. */
  amend(at: Posted, report: Report): Promise<boolean>
}

/** Where letters are kept on disk, and after how long they are dropped, in ms. */
export type LetterStore = Required<Pick<OutboxOptions, 'store' | 'keptMs'>>

interface Options {
  /** where only the answer is lost it never repeats */
  readonly writer: WebClient
  readonly lookups: WebClient
  readonly pace: OutboxOptions['pace']
  readonly abilities: AbilityNotes
  readonly letters?: LetterStore | null | undefined
  readonly times?: Partial<Pick<OutboxOptions, 'lookAfterMs'>> | undefined
  readonly redact: (text: string) => string
  readonly clock: Clock
  readonly log: Log
}

export function letterBox(options: Options): LetterBox {
  const { writer, lookups, letters, times, log, redact } = options
  const known = abilities({ ...options, notes: options.abilities })
  const steps = ladder(known, log)
  const ways = { ...options, call: caller(writer, lookups), pause }
  const box = outbox({ ...ways, ...times, ...letters, lower: steps.lower })
  const writing = steps.over(post({ ...ways, outbox: box }))
  return {
    ...box,
    post: writing,
    load: known.load,
    async amend(at, report) {
      // a verdict that waits says more
      if (box.waitsFor(at)) return true
      const clean = cleaned(report, (text) => redact(sanitise(text)))
      const changed = await writing.change(at, headline(clean, []))
      return changed.ok || changed.kept !== undefined
    },
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await timer(ms, undefined, { signal }).catch(() => undefined)
}
