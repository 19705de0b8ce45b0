import { setTimeout as timer } from 'node:timers/promises'
import type { WebClient } from '@slack/web-api'
import type { Place } from '../../domain/ask.ts'
import type { OpenAsk } from '../../domain/open-ask.ts'
import type { Clock, Log } from '../../domain/ports.ts'
import type { Report } from '../../domain/report.ts'
import { sanitise } from '../../domain/sanitise.ts'
import type { AbilityNotes } from './abilities.ts'
import { abilities } from './abilities.ts'
import { cleaned } from './clean.ts'
import { ladder } from './ladder.ts'
import { caller } from './outbox/call.ts'
import type { Sight } from './outbox/find.ts'
import { find } from './outbox/find.ts'
import { NOTHING } from './outbox/letter.ts'
import type { Outbox, OutboxOptions } from './outbox.ts'
import { outbox } from './outbox.ts'
import type { Post, Posted } from './post.ts'
import { post } from './post.ts'
import { headline } from './render.ts'
import { tellUnanswered } from './unanswered.ts'

/** What a process can say of the one before it, which ended in the middle. */
export interface AfterCrash {
  /** Makes a message that lived then say how it ended. False where it still does not. */
  amend(at: Posted, report: Report): Promise<boolean>
  /** Looks for a message that may have been posted under this id, at about that time (epoch ms). */
  look(id: string, place: Place, at: number): Promise<Sight>
  /** Tells who asked that nobody answered. False where Slack does not take that either. */
  apologise(ask: OpenAsk): Promise<boolean>
}

/** The way out: what the workspace takes, in an outbox. */
export interface LetterBox extends Pick<Outbox, 'open' | 'hurry' | 'close' | 'waiting'> {
  readonly post: Post
  /** Reads what an earlier process learnt about the workspace. */
  load(team: string): Promise<void>
  /** what is told of an earlier process */
  readonly after: AfterCrash
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
  const call = caller(writer, lookups)
  const ways = { ...options, call, pause }
  const box = outbox({ ...ways, ...times, ...letters, lower: steps.lower })
  const writing = steps.over(post({ ...ways, outbox: box }))
  return {
    ...box,
    post: writing,
    load: known.load,
    after: {
      look: (id, place, at) => find({ id, place }, at, NOTHING, call),
      apologise: (ask) => tellUnanswered(ask, { post: writing, log }),
      async amend(at, report) {
        // a verdict that waits says more
        if (box.waitsFor(at)) return true
        const clean = cleaned(report, (text) => redact(sanitise(text)))
        const changed = await writing.change(at, headline(clean, []))
        return changed.ok || changed.kept !== undefined
      },
    },
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await timer(ms, undefined, { signal }).catch(() => undefined)
}
