import type { Button, KnownBlock } from '@slack/types'
import type { Action, Fact, Report, ReportFile, Section, Tone } from '../../domain/report.ts'
import { cut, lengthOf } from './cut.ts'
import { cutForMarkup, mrkdwn, plainObject } from './escape.ts'
import { LIMITS } from './limits.ts'
import type { Message, Part } from './pages.ts'
import { paginate } from './pages.ts'
import { sectionPart } from './section-block.ts'
import { factsLine, factsPart, tablePart } from './table-block.ts'

/** An action that was stored: the chat sees only its id. */
export interface Pressable {
  readonly id: string
  readonly label: string
  readonly style: Action['style']
}

/** Messages in their order, then the files that go with them. */
export interface Rendered {
  readonly messages: readonly Message[]
  readonly files: readonly ReportFile[]
}

/** action_ids of ours begin with this; the rest is the id in the store. */
export const ACTION_PREFIX = 'pf:'

/** The one message that lives while something runs and becomes its verdict. The report is clean already. */
export function headline(report: Report, buttons: readonly Pressable[]): Message {
  const [message] = paginate([{ blocks: [...headBlocks(report), ...buttonBlocks(buttons)], text: inWords(report) }])
  return message ?? { blocks: [], text: inWords(report) }
}

/** Everything under the headline, for its thread. No messages where the headline says it all. */
export function details(report: Report, buttons: readonly Pressable[]): Rendered {
  const { parts, files } = detailParts(report, buttons, true)
  return { messages: paginate(parts), files }
}

/** Headline and details together, for an answer that never had a message of its own. */
export function whole(report: Report, buttons: readonly Pressable[], boxes: boolean): Rendered {
  const { parts, files } = detailParts(report, buttons, boxes)
  return { messages: paginate([{ blocks: headBlocks(report), text: inWords(report) }, ...parts]), files }
}

/** The verdict first, in blocks of its own, then what people and models wrote (nothing of theirs in the header). */
function headBlocks(report: Report): readonly KnownBlock[] {
  const facts = factsLine(keyFacts(report))
  return [
    titleBlock(report),
    ...(facts === '' ? [] : [plainSection(facts)]),
    ...(report.summary === '' ? [] : [plainSection(report.summary)]),
    ...(report.lead === '' ? [] : [plainSection(report.lead)]),
  ]
}

function titleBlock(report: Report): KnownBlock {
  const title = `${SIGNS[report.tone]} ${report.title}`
  const sentence = SENTENCES.some((status) => status === report.status) || lengthOf(title) > LIMITS.header
  return sentence ? plainSection(title) : { type: 'header', text: plainObject(title) }
}

/** Statuses whose title is a whole sentence and reads better in plain type. */
const SENTENCES = ['usage', 'refused', 'failed'] as const

const SIGNS: Readonly<Record<Tone, string>> = { good: '✅', bad: '❌', warning: '⚠️', neutral: 'ℹ️', running: '⏳' }

function plainSection(text: string): KnownBlock {
  return { type: 'section', text: plainObject(cut(text, LIMITS.section)), expand: true }
}

function inWords(report: Report): Part['text'] {
  const facts = keyFacts(report)
  const lines = [report.summary, report.lead, factsLine(facts)]
    .filter((line) => line !== '')
    .map((line) => cutForMarkup(line, 600))
  return mrkdwn`${SIGNS[report.tone]} ${[cutForMarkup(report.title, 1_000), ...lines].join('\n')}`
}

/** Facts that fit in one line of the headline. */
const LINE = 80

function keyFacts(report: Report): readonly Fact[] {
  const over = report.facts.findIndex((_, at) => lengthOf(factsLine(report.facts.slice(0, at + 1))) > LINE)
  return over === -1 ? report.facts : report.facts.slice(0, over)
}

interface DetailParts {
  readonly parts: readonly Part[]
  readonly files: readonly ReportFile[]
}

function detailParts(report: Report, buttons: readonly Pressable[], boxes: boolean): DetailParts {
  const files = [...report.files]
  const wholeIn = (section: Section) => fileFor(section, files)
  const allShown = keyFacts(report).length === report.facts.length
  const parts = [
    ...report.sections.map((section) => sectionPart(section, boxes, wholeIn)),
    ...report.tables.map(tablePart),
    ...(allShown ? [] : [factsPart(report.facts)]),
    ...buttonParts(buttons),
  ]
  return { parts, files }
}

/** The file that holds the whole of a section; made where the report brought none. */
function fileFor(section: Section, files: ReportFile[]): string {
  const there = files.find((file) => file.text.includes(section.body))
  if (there !== undefined) return there.name
  const word =
    section.title
      .split('(')[0]
      ?.replace(/[^A-Za-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .toLowerCase() ?? ''
  const base = word === '' ? section.kind : word.slice(0, 40)
  const taken = files.filter((file) => file.name.startsWith(base)).length
  const name = taken === 0 ? `${base}.txt` : `${base}-${taken + 1}.txt`
  files.push({ name, text: section.body })
  return name
}

function buttonParts(buttons: readonly Pressable[]): readonly Part[] {
  const blocks = buttonBlocks(buttons)
  return blocks.length === 0
    ? []
    : [{ blocks, text: mrkdwn`${cutForMarkup(buttons.map(({ label }) => `[${label}]`).join(' '), 1_000)}` }]
}

function buttonBlocks(buttons: readonly Pressable[]): readonly KnownBlock[] {
  const elements = buttons.slice(0, LIMITS.actions).map(button)
  return elements.length === 0 ? [] : [{ type: 'actions', elements }]
}

function button({ id, label, style }: Pressable): Button {
  return {
    type: 'button',
    text: plainObject(cut(label, LIMITS.button.text)),
    action_id: `${ACTION_PREFIX}${id}`,
    value: id,
    ...(style === 'plain' ? {} : { style }),
  }
}
