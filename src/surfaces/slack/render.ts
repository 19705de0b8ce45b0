import type { Button, KnownBlock } from '@slack/types'
import type { Action, Report, ReportFile, Section, Tone } from '../../domain/report.ts'
import type { Can } from './abilities.ts'
import { EVERYTHING } from './abilities.ts'
import { cut, lengthOf } from './cut.ts'
import { cutForMarkup, mrkdwn, oneLine, plainObject } from './escape.ts'
import { factsLine, saysAll } from './facts-line.ts'
import { fileFor } from './files.ts'
import { LIMITS } from './limits.ts'
import type { Drawn, Message, Part } from './pages.ts'
import { paginate } from './pages.ts'
import { sectionPart } from './section-block.ts'
import { factsPart, glancePart, tablePart } from './table-block.ts'

/** An action that was stored: the chat sees only its id. */
export interface Pressable {
  readonly id: string
  readonly label: string
  readonly style: Action['style']
  /** what is said where Slack refuses the button; absent: how the same is typed */
  readonly instead?: string
}

/** Messages in their order, then the files that go with them. */
export interface Rendered {
  readonly messages: readonly Message[]
  readonly files: readonly ReportFile[]
}

/** action_ids of ours begin with this; the rest is the id in the store. */
export const ACTION_PREFIX = 'pf:'

/** The one message that lives while something runs, with how far each part of it is, and becomes its verdict. The report is clean already. */
export function headline(report: Report, buttons: readonly Pressable[]): Message {
  const draw: Drawn = (can) =>
    can.blocks
      ? [{ blocks: [...headBlocks(report, can), ...buttonBlocks(buttons)], text: inWords(report) }]
      : [{ blocks: [], text: inWords(report) }, ...labels(buttons)]
  // the button stands above the rows: it stays where it is while they fill, and they go first where there is no room
  const rows = report.status === 'running' ? report.tables.slice(0, 1).map(glancePart) : []
  const [message] = paginate([draw, ...rows])
  return message ?? { blocks: [], text: inWords(report) }
}

/** An answer in a message and its thread. */
export interface Verdict {
  readonly head: Message
  readonly below: Rendered
}

/** The headline and what belongs into its thread. Buttons stand with what they belong to: alone they would be overlooked. */
export function verdict(report: Report, buttons: readonly Pressable[]): Verdict {
  const { messages, files } = details(report, [])
  if (messages.length > 0) return { head: headline(report, []), below: details(report, buttons) }
  const [head = headline(report, []), ...more] = whole(report, buttons, false).messages
  return { head, below: { messages: more, files } }
}

/** Everything under the headline, for its thread. No messages where the headline says it all. */
export function details(report: Report, buttons: readonly Pressable[]): Rendered {
  const { drawn, files } = drawDetails(report, buttons)
  return { messages: paginate(drawn), files }
}

/** Headline and details together, for an answer that never had a message of its own. */
export function whole(report: Report, buttons: readonly Pressable[], boxes: boolean): Rendered {
  const { drawn, files } = drawDetails(report, buttons)
  // what does not fit in a line stands in a table below, whole: in one message nothing is said twice
  const top = saysAll(report.facts) ? report : { ...report, facts: [] }
  const head: Drawn = (can) => [{ blocks: can.blocks ? headBlocks(top, can) : [], text: inWords(top) }]
  return { messages: paginate([head, ...drawn], { ...EVERYTHING, container: boxes }), files }
}

/** The verdict first, in blocks of its own, then what people and models wrote (nothing of theirs in the header). */
function headBlocks(report: Report, can: Can): readonly KnownBlock[] {
  const facts = factsLine(report.facts)
  const { summary, lead } = report
  return [
    titleBlock(report, can),
    ...(facts === '' ? [] : [plainSection(facts, LIMITS.section, can)]),
    ...(summary === '' ? [] : [plainSection(summary, LIMITS.section, can)]),
    ...(lead === '' ? [] : [plainSection(oneLine(lead), LEAD, can)]),
  ]
}

function titleBlock(report: Report, can: Can): KnownBlock {
  const title = `${SIGNS[report.tone]} ${oneLine(report.title)}`
  const sentence = SENTENCES.some((status) => status === report.status) || lengthOf(title) > LIMITS.header
  return sentence ? plainSection(title, TITLE, can) : { type: 'header', text: plainObject(title) }
}

/** Statuses whose title is a whole sentence and reads better in plain type. */
const SENTENCES = ['usage', 'refused', 'failed'] as const

const SIGNS: Readonly<Record<Tone, string>> = { good: '✅', bad: '❌', warning: '⚠️', neutral: 'ℹ️', running: '⏳' }

/** Code points of a title and of a lead; with a summary and all buttons they fit in one message. */
const TITLE = 1_000
const LEAD = 2_000

function plainSection(text: string, most: number, { expand }: Can): KnownBlock {
  return { type: 'section', text: plainObject(cut(text, most)), ...(expand ? { expand } : {}) }
}

function inWords(report: Report): Part['text'] {
  const { lead, facts } = report
  const lines = [cutForMarkup(report.summary, LIMITS.summary), ...[oneLine(lead), factsLine(facts)].map(shortened)]
  const said = lines.filter((line) => line !== '')
  return mrkdwn`${SIGNS[report.tone]} ${[cutForMarkup(oneLine(report.title), TITLE), ...said].join('\n')}`
}

function shortened(line: string): string {
  return cutForMarkup(line, 600)
}

interface Details {
  readonly drawn: readonly Drawn[]
  readonly files: readonly ReportFile[]
}

function drawDetails(report: Report, buttons: readonly Pressable[]): Details {
  const files = [...report.files]
  const wholeIn = ({ title, kind, body }: Section) => fileFor(body, { title, or: kind }, files)
  const drawn = [
    // the overview before what it leads to
    ...report.tables.map(tablePart),
    ...report.sections.map((section) => sectionPart(section, wholeIn)),
    ...(saysAll(report.facts) ? [] : [factsPart(report.facts)]),
    ...buttonParts(buttons),
  ]
  return { drawn, files }
}

function buttonParts(buttons: readonly Pressable[]): readonly Drawn[] {
  const blocks = buttonBlocks(buttons)
  if (blocks.length === 0) return []
  return [(can) => (can.blocks ? [{ blocks, text: namesOf(buttons) }] : labels(buttons))]
}

/** Where no button can stand: what it would have been, and what to do instead. */
function labels(buttons: readonly Pressable[]): readonly Part[] {
  if (buttons.length === 0) return []
  const instead = buttons.find((one) => one.instead !== undefined)?.instead ?? NO_BUTTONS
  return [{ blocks: [], text: mrkdwn`${namesOf(buttons)}\n${cutForMarkup(instead, 600)}` }]
}

const NO_BUTTONS = 'Slack refused the buttons here. Next: mention the bot with help, which shows what to type instead.'

function namesOf(buttons: readonly Pressable[]): Part['text'] {
  return mrkdwn`${cutForMarkup(buttons.map(({ label }) => `[${oneLine(label)}]`).join(' '), 1_000)}`
}

/** In rows as long as Slack takes; more than the message has room for are left out. */
function buttonBlocks(buttons: readonly Pressable[]): readonly KnownBlock[] {
  const kept = buttons.slice(0, LIMITS.buttons).map(button)
  const rows = Array.from({ length: Math.ceil(kept.length / LIMITS.actions) }, (_, row) => row * LIMITS.actions)
  return rows.map((from) => ({ type: 'actions', elements: kept.slice(from, from + LIMITS.actions) }))
}

function button({ id, label, style }: Pressable): Button {
  return {
    type: 'button',
    text: plainObject(cut(oneLine(label), LIMITS.button.text)),
    action_id: `${ACTION_PREFIX}${id}`,
    value: id,
    ...(style === 'plain' ? {} : { style }),
  }
}
