import { setTimeout as timer } from 'node:timers/promises'
import type { WebClient } from '@slack/web-api'
import type { Place } from '../../domain/ask.ts'
import type { Offer } from '../../domain/conversation.ts'
import type { OpenAsk } from '../../domain/open-ask.ts'
import type { Clock, Log } from '../../domain/ports.ts'
import type { Report } from '../../domain/report.ts'
import { sanitise } from '../../domain/sanitise.ts'
import type { AbilityNotes } from './abilities.ts'
import { abilities } from './abilities.ts'
import { cleaned } from './clean.ts'
import { ladder } from './ladder.ts'
import type { Call } from './outbox/call.ts'
import { caller } from './outbox/call.ts'
import type { Sight } from './outbox/find.ts'
import { find } from './outbox/find.ts'
import { NOTHING } from './outbox/letter.ts'
import type { Outbox, OutboxOptions } from './outbox.ts'
import { outbox } from './outbox.ts'
import type { Message } from './pages.ts'
import type { Post, Posted } from './post.ts'
import { post } from './post.ts'
import { pressables } from './pressables.ts'
import { headline } from './render.ts'
import type { Told } from './unanswered.ts'
import { tellRestarted, toldIn } from './unanswered.ts'

/** What a process can say of the one before it, which ended in the middle. */
export interface AfterCrash {
  /**
   * Makes a message that lived then say how it ended. `over`: also where a verdict of that process waits. `offer` makes an
   * action pressable; without it the message has no buttons.
   */
  amend(at: Posted, report: Report, over?: boolean, offer?: Offer): Promise<Told>
  /** Says it in a message of its own, once under this id. */
  say(id: string, place: Place, report: Report): Promise<Told>
  /** Looks for a message that may have been posted under this id, at about that time (epoch ms). */
  look(id: string, place: Place, at: number): Promise<Sight>
  /** Tells who asked that nobody may have answered. */
  apologise(ask: OpenAsk): Promise<Told>
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
  const { writer, lookups, letters, times, log } = options
  const known = abilities({ ...options, notes: options.abilities })
  const steps = ladder(known, log)
  const call = caller(writer, lookups)
  const stop = new AbortController()
  const ways = { ...options, call, pause, signal: stop.signal }
  const box = outbox({ ...ways, ...times, ...letters, ...steps })
  const writing = steps.over(post({ ...ways, lower: steps.lower, outbox: box }))
  return {
    ...box,
    hurry() {
      stop.abort()
      box.hurry()
    },
    post: writing,
    load: known.load,
    after: afterCrash({ ...options, box, post: writing, call }),
  }
}

interface Past extends Pick<Options, 'redact' | 'clock' | 'log'> {
  readonly box: Pick<Outbox, 'waitsFor'>
  readonly post: Post
  readonly call: Call
}

const NO_BUTTONS: Offer = async () => null

/** A process that ended in the middle of its last words did so not long ago, in ms. */
const LATELY_MS = 5 * 60_000

function afterCrash({ box, post, call, redact, clock, log }: Past): AfterCrash {
  const clean = (report: Report): Report => cleaned(report, (text) => redact(sanitise(text)))
  const shown = (report: Report): Message => headline(clean(report), [])
  const pressable = async (report: Report, offer: Offer, { channel }: Posted): Promise<Message> =>
    headline(clean(report), await pressables(clean(report), offer, channel))
  return {
    look: (id, place, at) => find({ id, place }, at, NOTHING, call),
    apologise: (ask) => tellRestarted(ask, { post, log }),
    // a verdict that waits says more, unless more is known by now
    async amend(at, report, over = false, offer = NO_BUTTONS) {
      if (box.waitsFor(at) && !over) return 'told'
      return toldIn(await post.change(at, await pressable(report, offer, at)))
    },
    async say(id, place, report) {
      const stands = await find({ id, place }, clock.now() - LATELY_MS, NOTHING, call)
      return stands.kind === 'found' ? 'told' : toldIn(await post.message(place, shown(report), { id }))
    },
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await timer(ms, undefined, { signal, ref: false }).catch(() => undefined)
}
