import type { Ask, Place } from '../domain/ask.ts'
import type { Memory } from '../domain/command.ts'
import type { Conversation, Offer } from '../domain/conversation.ts'
import { failed } from '../domain/outcome.ts'
import type { Report } from '../domain/report.ts'
import type { House } from './house.ts'

/** One ask being answered: its live message, its attempts, its buttons. */
export interface Session {
  readonly memory: Memory
  progress(report: Report): void
  end(report: Report): Promise<void>
}

/** Buttons work this long, in ms; afterwards they say that nothing was run. */
const BUTTON_LIFE_MS = 7 * 24 * 60 * 60 * 1000

export function session(ask: Ask, talk: Conversation, house: House): Session {
  const live = liveMessage(talk, offers)
  const lines = new Map<string, Promise<string | null>>()
  let attempt = ask.attempt

  function offers({ line }: { readonly line: string }): Promise<string | null> {
    const known = lines.get(line)
    if (known !== undefined) return known
    const made = offer(line)
    lines.set(line, made)
    return made
  }

  async function offer(line: string): Promise<string | null> {
    const [id, at] = [house.newId(), house.clock.now()]
    const expires = at + BUTTON_LIFE_MS
    const kept = await house.store.addButton({ id, line, attempt, place: ask.place, at, expires })
    return kept.ok ? id : null
  }

  return {
    progress: live.show,
    async end(report) {
      await live.place()
      await talk.end(report, offers)
    },
    memory: {
      meant: () => (attempt === null ? house.store.lastAttempt(ask.place) : house.store.attempt(attempt)),
      async remember(result) {
        const [place, at] = [(await live.place()) ?? ask.place, house.clock.now()]
        const bound = await house.store.bindThread(place, result.target, at)
        if (!bound.ok) return failed(bound.failure)
        const kept = await house.store.addAttempt({
          ...(house.keepsPrompts ? result : { ...result, smoke: null, diagnosis: null }),
          verdict: result.diagnosis.verdict,
          code: result.diagnosis.code,
          id: house.newId(),
          place,
          at,
          by: ask.person.id,
        })
        if (kept.ok) attempt = kept.value.id
        return kept
      },
    },
  }
}

interface Live {
  show(report: Report): void
  /** where the message stands; null where there is none */
  place(): Promise<Place | null>
}

/** The first report opens the message, later ones change it, none before it stands. */
function liveMessage(talk: Conversation, offer: Offer): Live {
  let opening: Promise<Place> | null = null
  let open = false
  return {
    show(report) {
      if (open) return talk.update(report)
      if (opening !== null) return
      opening = talk.begin(report, offer).then((place) => {
        open = true
        return place
      })
    },
    async place() {
      return opening
    },
  }
}
