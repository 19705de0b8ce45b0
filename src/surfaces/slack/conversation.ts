import type { Conversation, Offer } from '../../domain/conversation.ts'
import type { Report } from '../../domain/report.ts'
import { cleaned } from './clean.ts'
import type { Desk, Line } from './deliver.ts'
import { deliver, isRefused, showRest } from './deliver.ts'
import { latest } from './latest.ts'
import { liveMessage } from './live-message.ts'
import type { Kept } from './post.ts'
import { pressables } from './pressables.ts'
import type { Pressable } from './render.ts'
import { headline, verdict, whole } from './render.ts'
import { fitted } from './table-fit.ts'

/** How one ask is answered: a message that lives while it runs, then its details in the thread; or one answer at the end. */
export function conversation(line: Line, desk: Desk): Conversation {
  const live = liveMessage(line, desk)
  let offer: Offer | null = null
  let ended = false

  async function show(report: Report): Promise<void> {
    if (offer === null) return
    const clean = cleaned(report, desk.clean)
    await live.progress(headline(clean, await pressables(clean, offer, line.to.channel)))
  }

  const shown = latest<Report>({ ...desk, show })

  async function alone(report: Report, buttons: readonly Pressable[], kept: Kept): Promise<null> {
    if (await line.whisper(whole(report, buttons, false).messages)) await kept()
    return null
  }

  async function conclude(report: Report, buttons: readonly Pressable[], kept: Kept): Promise<string | null> {
    const { head, below } = verdict(report, buttons)
    const { messages: rest, files } = below
    const answer = { to: line.to, ask: line.ask, ...live.end(), first: head, rest, files, inThread: true }
    const answered = await desk.post.answer(answer, kept)
    if (!isRefused(answered.first)) return showRest(answer, answered, line, desk)
    await live.refused(answered.first.refusal)
    return alone(report, buttons, kept)
  }

  async function answer(report: Report, buttons: readonly Pressable[], kept: Kept): Promise<string | null> {
    if (offer !== null) return conclude(report, buttons, kept)
    const all = whole(report, buttons, true)
    if (isPrivate(line, report, all.files.length)) return alone(report, buttons, kept)
    // what everybody must see, and may press, stands in one message
    const together = line.to.thread !== null || report.seenBy === 'channel'
    return together ? deliver(line.to, all, line, desk, kept) : conclude(report, buttons, kept)
  }

  return {
    to: line.to,
    pressed: line.pressed?.ts ?? null,
    async begin(given, offered, { id, over } = {}) {
      offer = offered
      const report = cleaned(given, desk.clean)
      const message = headline(report, await pressables(report, offered, line.to.channel))
      return live.open(message, over === 'pressed' ? line.pressed : null, id)
    },
    // most reports are overtaken, so only one that is shown gets cleaned
    update: shown.push,
    async end(given, offered, kept = async () => {}) {
      if (ended) return null
      ended = true
      await shown.stop()
      const report = fitted(cleaned(given, desk.clean))
      const buttons = await pressables(report, offered, line.to.channel)
      return answer(report, buttons, once(kept))
    },
  }
}

/** An answer that is kept may yet be refused, and is then shown to one person alone. */
function once(kept: Kept): Kept {
  let told = false
  return async () => {
    if (told) return
    told = true
    await kept()
  }
}

/**
 * Short answers to a slash command or a press concern nobody else, and what goes on from a private answer stays private. A
 * file cannot be shown to one person alone.
 */
function isPrivate({ how, pressed }: Line, report: Report, files: number): boolean {
  if (report.seenBy === 'channel' || files > 0) return false
  switch (how) {
    case 'slash':
      return true
    case 'button':
      return pressed === null || report.sections.length + report.tables.length === 0
    case 'mention':
    case 'thread':
    case 'terminal':
      return false
  }
}
