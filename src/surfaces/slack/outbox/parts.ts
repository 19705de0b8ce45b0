import { z } from 'zod'
import { mrkdwn, written } from '../escape.ts'
import { LIMITS } from '../limits.ts'
import type { Message } from '../pages.ts'
import type { Refusal } from '../refusal.ts'
import type { Wire } from './letter.ts'
import { contentOf } from './letter.ts'

/** What may go instead of what Slack refused, one rung lower. Null: no other form of it can help. */
export type Lower = (message: Message, refusal: Refusal) => readonly Message[] | null

/** What goes instead of what is known to be refused by now. Null: nothing has to. */
export type Redrawn = (message: Message) => readonly Message[] | null

export interface Part {
  readonly wire: Wire
  /** as it was rendered, for the next rung */
  readonly message: Message | null
}

interface Refused extends Part {
  readonly refusal: Refusal
  readonly rung: number
  readonly lower: Lower
  /** whether a later one says more, so that its beginning is enough */
  readonly passing: boolean
}

/** A rung that is refused again and again ends here; then words go. */
const RUNGS = 10

/** What goes instead of what Slack refused: a lower rung, else words for blocks, else smaller parts. Null: nothing is left. */
export function insteadOf({ wire, message, refusal, rung, lower, passing }: Refused): readonly Part[] | null {
  if (wire.files.length > 0 || (refusal.kind !== 'long' && refusal.kind !== 'blocks')) return null
  const lowered = message === null || rung >= RUNGS ? null : lower(message, refusal)
  if (lowered !== null && lowered.length > 0) return lowered.map((one) => ({ wire: contentOf(one), message: one }))
  if (passing) return wire.blocks.length === 0 ? null : [{ wire: bare(wire.text), message: null }]
  return inWords(wire, message, refusal)?.map((one) => ({ wire: one, message: null })) ?? null
}

function inWords(wire: Wire, message: Message | null, { kind }: Refusal): readonly Wire[] | null {
  if (kind === 'long') return smaller(wire)
  if (wire.blocks.length === 0) return null
  // after a restart only the blocks know the whole text
  return message === null ? inPieces(wire) : [bare(wire.text)]
}

function smaller(wire: Wire): readonly Wire[] | null {
  const { text, blocks } = wire
  if (blocks.length === 1) return inPieces(wire)
  if (blocks.length > 1) {
    const half = Math.ceil(blocks.length / 2)
    return [blocks.slice(0, half), blocks.slice(half)].map((some) => ({
      text: piecesOfMarkup(wordsOf(some), LIMITS.text)[0] ?? text,
      blocks: some,
      files: [],
    }))
  }
  const length = [...text].length
  return length < SHORTEST ? null : piecesOfMarkup(text, Math.ceil(length / 2)).map(bare)
}

function inPieces({ text, blocks }: Wire): readonly Wire[] {
  return piecesOfMarkup(wordsOf(blocks) || text, LIMITS.text).map(bare)
}

/** Slack refuses shorter texts for another reason than their length. */
const SHORTEST = 200

function bare(text: string): Wire {
  return { text, blocks: [], files: [] }
}

/** Everything that blocks say, as markup: what is literal in them is escaped. */
export function wordsOf(block: unknown): string {
  if (Array.isArray(block)) return block.map(wordsOf).filter(said).join('\n')
  const read = Block.safeParse(block)
  if (!read.success) return ''
  const { type, text, rows, elements, ...others } = read.data
  if (typeof text === 'string') return type === 'mrkdwn' ? text : written(mrkdwn`${text}`)
  if (rows) return rows.map((row) => row.map(wordsOf).join(' | ')).join('\n')
  if (elements)
    return elements
      .map(wordsOf)
      .filter(said)
      .join(type.startsWith('rich_text') ? '' : '\n')
  return [others.title, text, others.fields, others.child_blocks].map(wordsOf).filter(said).join('\n')
}

function said(text: string): boolean {
  return text !== ''
}

const Block = z.object({
  type: z.string(),
  text: z.unknown().optional(),
  title: z.unknown().optional(),
  fields: z.unknown().optional(),
  child_blocks: z.unknown().optional(),
  elements: z.array(z.unknown()).nullish(),
  rows: z.array(z.array(z.unknown())).nullish(),
})

const FENCE = '```'
/** Room for the fence that is closed and opened again. */
const FENCES = 8

/** Markup in pieces of at most `max` code points, cut at line ends where there are any; a fence goes on in the next. */
export function piecesOfMarkup(text: string, max: number): readonly string[] {
  const found: string[] = []
  let piece = ''
  const finish = () => {
    const open = piece.split(FENCE).length % 2 === 0
    if (said(piece.trim())) found.push(open ? `${piece}\n${FENCE}` : piece)
    piece = open ? FENCE : ''
  }
  for (const line of text.split('\n').flatMap((one) => runs(one, max - FENCES))) {
    const next = piece === '' ? line : `${piece}\n${line}`
    if ([...next].length > max - FENCES && piece !== '') {
      finish()
      piece = piece === '' ? line : `${piece}\n${line}`
    } else piece = next
  }
  if (said(piece.trim()) && piece !== FENCE) found.push(piece)
  return found
}

/** One line in runs; an entity is never cut in two. */
function runs(line: string, max: number): readonly string[] {
  const found: string[] = []
  let run = ''
  let length = 0
  for (const [sign] of line.matchAll(/&\w{1,4};|./gsu)) {
    if (length + sign.length > max) {
      found.push(run)
      run = ''
      length = 0
    }
    run += sign
    length += sign.length
  }
  return [...found, run]
}
