import { count } from '../../../domain/report.ts'

/** What a channel missed while nothing reached it. */
export interface Outage {
  /** epoch ms */
  readonly from: number
  /** first lines of what waits, as markup, by the letters' ids */
  readonly titles: Map<string, string>
}

const SHOWN = 20

/** Tells a channel once what was kept for it, as markup. */
export function digestText({ from, titles }: Outage, until: number): string {
  const all = [...titles.values()]
  const more = all.length - SHOWN
  return [
    `⚠️ From ${time(from)} to ${time(until)} nothing could be posted here: Slack could not be reached, or Pilotflame did not run. ${kept(all.length)}:`,
    ...all.slice(0, SHOWN).map((title) => `• ${title}`),
    ...(more > 0 ? [`• and ${count(more)} more`] : []),
  ].join('\n')
}

function kept(number: number): string {
  return number === 1
    ? 'One answer was kept and is posted in its place'
    : `${count(number)} answers were kept and are posted in their places`
}

/** `2026-11-30 10:02 UTC` */
function time(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
