import type { Ask, Place } from '../domain/ask.ts'
import type { Attempt } from '../domain/attempt.ts'
import type { Memory, Result } from '../domain/command.ts'
import type { Conversation, Offer, Opened } from '../domain/conversation.ts'
import type { Outcome } from '../domain/outcome.ts'
import { failed, ok } from '../domain/outcome.ts'
import type { Report } from '../domain/report.ts'
import type { Target } from '../domain/target.ts'
import type { House } from './house.ts'
import { offersOf } from './offers.ts'
import { severalIn } from './several.ts'

/** One ask being answered: its live message, its attempts, its buttons. */
export interface Session {
  readonly memory: Memory
  /** where it is seen by now */
  place(): Place
  progress(report: Report): void
  /** Takes over the message whose button was pressed. In place of `progress`. */
  takeOver(report: Report): Promise<Opened>
  /** A record of its own tells what becomes of it from here on, also after a restart. */
  recorded(): Promise<void>
  end(report: Report): Promise<void>
}

export function session(ask: Ask, talk: Conversation, house: House, target: Target | null): Session {
  let attempt = ask.attempt
  let seenAt = ask.place
  const offers = offersOf(ask, house, () => attempt)
  const run = house.newId()
  const live = liveMessage(talk, offers, opened)

  /** From here on a restart finds the thread bound and the message noted. */
  async function opened({ place, message }: Opened): Promise<void> {
    seenAt = place
    if (target !== null) await bind(place, target.name)
    if (message === null) return
    const at = house.clock.now()
    const noted = await house.store.addRun({ id: run, place, message, target: target?.name ?? null, at })
    if (!noted.ok) house.log.error('run not noted', { failure: noted.failure })
  }

  async function bind(place: Place, name: string): Promise<Outcome<null>> {
    const bound = await house.store.bindThread(place, name, house.clock.now())
    if (!bound.ok) house.log.error('thread not bound', { failure: bound.failure })
    return bound
  }

  async function remember(result: Result): Promise<Outcome<Attempt>> {
    const [place, at] = [(await live.place()) ?? ask.place, house.clock.now()]
    // a run on several targets leaves its thread bound to none
    const bound = target === null ? ok(null) : await bind(place, result.target)
    if (!bound.ok) return failed(bound.failure)
    const by = ask.person.id
    const kept = await house.store.addAttempt({ ...told(result, house), id: house.newId(), place, at, by })
    if (kept.ok && target !== null) attempt = kept.value.id
    if (!kept.ok) house.log.error('attempt not kept', { failure: kept.failure })
    return kept
  }

  return {
    place: () => seenAt,
    progress: live.show,
    takeOver: live.takeOver,
    async recorded() {
      await house.store.dropRun(run)
    },
    async end(report) {
      const begun = await live.place()
      await talk.end(report, offers)
      if (begun !== null) await house.store.dropRun(run)
    },
    memory: {
      meant: (on) => (attempt === null ? house.store.lastAttempt(ask.place, on) : house.store.attempt(attempt)),
      several: () => severalIn(ask.place, house.store),
      remember,
    },
  }
}

/** What is kept of a result: prompts and answers only where they may be. */
function told(result: Result, { keepPromptsMs }: House): Omit<Attempt, 'id' | 'number' | 'place' | 'at' | 'by'> {
  const { verdict, code } = result.diagnosis
  return keepPromptsMs > 0 ? { ...result, verdict, code } : { ...result, verdict, code, smoke: null, diagnosis: null }
}

interface Live {
  show(report: Report): void
  takeOver(report: Report): Promise<Opened>
  /** where the message stands; null where there is none */
  place(): Promise<Place | null>
}

/** The first report opens the message, later ones change it, none before it stands. */
function liveMessage(talk: Conversation, offer: Offer, opened: (opened: Opened) => Promise<void>): Live {
  let opening: Promise<Opened> | null = null
  let open = false

  async function begin(report: Report, over?: 'pressed'): Promise<Opened> {
    const begun = await talk.begin(report, offer, over)
    open = true
    await opened(begun)
    return begun
  }

  return {
    show(report) {
      if (open) return talk.update(report)
      if (opening !== null) return
      opening = begin(report)
      // whoever needs the place hears of a failure; until then it must not end the process
      opening.catch(() => undefined)
    },
    takeOver(report) {
      opening = begin(report, 'pressed')
      return opening
    },
    async place() {
      return (await opening)?.place ?? null
    },
  }
}
