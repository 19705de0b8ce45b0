import type { Ask, Place } from '../domain/ask.ts'
import type { Attempt } from '../domain/attempt.ts'
import type { Memory, Result } from '../domain/command.ts'
import type { Conversation, Offer, Opened } from '../domain/conversation.ts'
import type { Outcome } from '../domain/outcome.ts'
import { failed } from '../domain/outcome.ts'
import type { Action, Report } from '../domain/report.ts'
import type { Target } from '../domain/target.ts'
import type { House } from './house.ts'

/** One ask being answered: its live message, its attempts, its buttons. */
export interface Session {
  readonly memory: Memory
  /** where it is seen by now */
  place(): Place
  progress(report: Report): void
  end(report: Report): Promise<void>
}

/** Buttons work this long, in ms; afterwards they say that nothing was run. */
const BUTTON_LIFE_MS = 7 * 24 * 60 * 60 * 1000

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
    const bound = await bind(place, result.target)
    if (!bound.ok) return failed(bound.failure)
    const { verdict, code } = result.diagnosis
    const told = house.keepPromptsMs > 0 ? result : { ...result, smoke: null, diagnosis: null }
    const kept = await house.store.addAttempt({
      ...told,
      verdict,
      code,
      id: house.newId(),
      place,
      at,
      by: ask.person.id,
    })
    if (kept.ok) attempt = kept.value.id
    else house.log.error('attempt not kept', { failure: kept.failure })
    return kept
  }

  return {
    place: () => seenAt,
    progress: live.show,
    async end(report) {
      const begun = await live.place()
      await talk.end(report, offers)
      if (begun !== null) await house.store.dropRun(run)
    },
    memory: {
      meant: () => (attempt === null ? house.store.lastAttempt(ask.place) : house.store.attempt(attempt)),
      remember,
    },
  }
}

/** Keeps what an action stands for. What somebody typed is kept no longer than prompts are, and never with a secret in it. */
function offersOf(ask: Ask, house: House, attempt: () => string | null): Offer {
  const lines = new Map<string, Promise<string | null>>()

  async function keep({ line, holdsPrompt = false }: Pick<Action, 'line' | 'holdsPrompt'>): Promise<string | null> {
    const life = holdsPrompt ? Math.min(BUTTON_LIFE_MS, house.keepPromptsMs) : BUTTON_LIFE_MS
    if (life === 0 || house.redact(line) !== line) return null
    const [id, at] = [house.newId(), house.clock.now()]
    // a question is answered once
    const button = { id, line, attempt: attempt(), place: ask.place, at, once: holdsPrompt, expires: at + life }
    const kept = await house.store.addButton(button)
    if (!kept.ok) house.log.error('button not kept', { failure: kept.failure })
    return kept.ok ? id : null
  }

  return (action) => {
    const made = lines.get(action.line) ?? keep(action)
    lines.set(action.line, made)
    return made
  }
}

interface Live {
  show(report: Report): void
  /** where the message stands; null where there is none */
  place(): Promise<Place | null>
}

/** The first report opens the message, later ones change it, none before it stands. */
function liveMessage(talk: Conversation, offer: Offer, opened: (opened: Opened) => Promise<void>): Live {
  let opening: Promise<Place> | null = null
  let open = false

  async function begin(report: Report): Promise<Place> {
    const begun = await talk.begin(report, offer)
    open = true
    await opened(begun)
    return begun.place
  }

  return {
    show(report) {
      if (open) return talk.update(report)
      if (opening !== null) return
      opening = begin(report)
      // whoever needs the place hears of a failure; until then it must not end the process
      opening.catch(() => undefined)
    },
    async place() {
      return opening
    },
  }
}
