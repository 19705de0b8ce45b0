import type { Offer } from '../../domain/conversation.ts'
import type { Report } from '../../domain/report.ts'
import type { Pressable } from './render.ts'

/** Stores what each action stands for; one that could not be stored gets no button. */
export async function pressables(report: Report, offer: Offer, channel: string): Promise<readonly Pressable[]> {
  const ids = await Promise.all(report.actions.map(offer))
  return report.actions.flatMap(({ label, style, pressOnly = false }, at) => {
    const id = ids[at] ?? null
    const instead = pressOnly ? { instead: cannotPress(channel) } : {}
    return id === null ? [] : [{ id, label, style, ...instead }]
  })
}

function cannotPress(channel: string): string {
  return `Slack refused the buttons here, and nothing else confirms this, so nothing is done. Next: whoever runs Pilotflame types “pilotflame slack check --channel ${channel}” on its machine, which says what this Slack takes; then ask again.`
}
