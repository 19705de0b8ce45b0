import type { Ask, Place } from '../domain/ask.ts'
import type { Attempt } from '../domain/attempt.ts'
import type { Memory, Result } from '../domain/command.ts'
import type { Conversation, Opened } from '../domain/conversation.ts'
import type { Outcome } from '../domain/outcome.ts'
import { failed, ok } from '../domain/outcome.ts'
import type { Report } from '../domain/report.ts'
import type { Shown } from '../domain/shown.ts'
import type { OpenChange } from '../domain/store.ts'
import type { Target } from '../domain/target.ts'
import type { House } from './house.ts'
import { liveRun } from './live.ts'
import { offersOf } from './offers.ts'
import { severalIn } from './several.ts'
import { shownBeside } from './shown.ts'

/** One ask being answered: its live message, its attempts, its buttons. */
export interface Session {
  readonly memory: Memory
  /** where it is seen by now */
  place(): Place
  /** what was put beside the line */
  shown(signal: AbortSignal): Promise<Shown>
  progress(report: Report): void
  /** Takes over the message whose button was pressed. In place of `progress`. */
  takeOver(report: Report, how?: TakingOver): Promise<Opened>
  /** A record of its own tells what becomes of it from here on, also after a restart. */
  recorded(): Promise<void>
  /** Gives the message that has the answer's buttons, where others see it too; null where none stands. */
  end(report: Report): Promise<string | null>
}

/** What a message is taken over for. */
export interface TakingOver {
  /** what is about to begin */
  readonly change?: OpenChange
  /** Called before anybody sees it, once a restart would tell of it. */
  readonly noted?: () => Promise<void>
}

export function session(ask: Ask, talk: Conversation, house: House, target: Target | null): Session {
  let [attempt, seenAt] = [ask.attempt, ask.place]
  const offers = offersOf(ask, house, () => attempt)
  const run = house.newId()
  let beginning: OpenChange | undefined
  let isRecorded = false
  const { note, bind } = recordsOf({ ask, run, target }, house)
  const live = liveRun({ talk, offers, run, note: noteRun, opened })

  /** Beside a record of its own it would say that nothing was done: Slack may take the message long after that. */
  function noteRun(begun: Opened): Promise<void> {
    return isRecorded ? Promise.resolve() : note(begun, beginning)
  }

  /** From here on a restart finds the thread bound. */
  async function opened(begun: Opened): Promise<void> {
    seenAt = begun.place
    if (begun.message !== null) await noteRun(begun)
    if (target !== null) await bind(begun.place, target.name)
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
    shown: (signal) => shownBeside(talk, signal),
    progress: live.show,
    takeOver(report, { change, noted } = {}) {
      beginning = change
      return live.takeOver(report, noted)
    },
    async recorded() {
      isRecorded = true
      const dropped = await house.store.dropRun(run)
      if (!dropped.ok) house.log.error('a run is still noted beside its change', { failure: dropped.failure })
    },
    async end(report) {
      const noted = (await live.place()) !== null
      /** From here on a restart must not write over the verdict. */
      const kept = async (): Promise<void> => {
        if (noted) await house.store.dropRun(run)
      }
      return talk.end(report, offers, kept)
    },
    memory: {
      meant: (on) => (attempt === null ? house.store.lastAttempt(ask.place, on) : house.store.attempt(attempt)),
      ...ofThread(ask.place, house),
      remember,
    },
  }
}

function ofThread(place: Place, { store }: House): Pick<Memory, 'numbered' | 'several'> {
  return {
    numbered: (number) => store.numberedAttempt(place, number),
    several: () => severalIn(place, store),
  }
}

/** What is kept of a result: prompts and answers only where they may be. */
function told(result: Result, { keepPromptsMs }: House): Omit<Attempt, 'id' | 'number' | 'place' | 'at' | 'by'> {
  const { verdict, code } = result.diagnosis
  return keepPromptsMs > 0 ? { ...result, verdict, code } : { ...result, verdict, code, smoke: null, diagnosis: null }
}

interface Noted {
  readonly ask: Ask
  /** its id */
  readonly run: string
  readonly target: Target | null
}

/** What a restart has to know of a run and its thread. */
function recordsOf({ ask, run: id, target }: Noted, { store, clock, log }: House) {
  return {
    /** Before a message stands, and when it does: wherever a crash comes, the next start finds it and says how it ended. */
    async note({ place, message }: Opened, change: OpenChange | undefined): Promise<void> {
      const about = { id, ask: ask.id, place, message, target: target?.name ?? null, at: clock.now() }
      const noted = await store.addRun(change === undefined ? about : { ...about, change })
      if (!noted.ok) log.error('run not noted', { failure: noted.failure })
    },
    async bind(place: Place, name: string): Promise<Outcome<null>> {
      const bound = await store.bindThread(place, name, clock.now())
      if (!bound.ok) log.error('thread not bound', { failure: bound.failure })
      return bound
    },
  }
}
