import type { Place } from '../domain/ask.ts'
import type { Conversation, Offer, Opened, Opening } from '../domain/conversation.ts'
import type { Report } from '../domain/report.ts'

/** The message that is seen while something runs. */
export interface Live {
  show(report: Report): void
  /** `noted`: called before anybody sees it, once a restart would tell of it */
  takeOver(report: Report, noted?: () => Promise<void>): Promise<Opened>
  /** where the message stands; null where there is none */
  place(): Promise<Place | null>
}

interface LiveNeeds {
  readonly talk: Conversation
  readonly offers: Offer
  /** names the message */
  readonly run: string
  readonly note: (opened: Opened) => Promise<void>
  readonly opened: (opened: Opened) => Promise<void>
}

/** The first report opens the message, later ones change it, none before it stands. */
export function liveRun({ talk, offers, run, note, opened }: LiveNeeds): Live {
  let opening: Promise<Opened> | null = null
  let open = false

  async function begin(report: Report, how: Opening, noted?: () => Promise<void>): Promise<Opened> {
    await note({ place: talk.to, message: how.over === 'pressed' ? talk.pressed : null })
    if (noted !== undefined) await noted()
    const begun = await talk.begin(report, offers, { ...how, id: run })
    await opened(begun)
    open = true
    return begun
  }

  return {
    show(report) {
      if (open) return talk.update(report)
      if (opening !== null) return
      opening = begin(report, {})
      // whoever needs the place hears of a failure; until then it must not end the process
      opening.catch(() => undefined)
    },
    takeOver(report, noted) {
      opening = begin(report, { over: 'pressed' }, noted)
      return opening
    },
    async place() {
      return (await opening)?.place ?? null
    },
  }
}
