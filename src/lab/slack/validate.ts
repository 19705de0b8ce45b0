import { messageBlock } from './block-kit.ts'
import type { Check, Problem } from './checks.ts'
import { list } from './checks.ts'
import type { Fields } from './json.ts'
import { fieldsIn, isFields, structureAt, textAt } from './json.ts'
import { LIMITS } from './limits.ts'
import { codePoints, textLength } from './text-length.ts'

/** Why Slack refuses a call: its error code and what it adds to the answer. */
export interface Refusal {
  readonly ok: false
  readonly error: string
  readonly [more: string]: unknown
}

export function refuse(error: string, more: Fields = {}): Refusal {
  return { ok: false, error, ...more }
}

/** What a message may hold. `null` blocks: none were given. Otherwise the refusal that Slack would send. */
export type Content =
  | { readonly ok: true; readonly text: string; readonly blocks: readonly Fields[] | null; readonly warning?: string }
  | Refusal

/** Reads `text`, `blocks` and `metadata` of a call as strictly as Slack does. `refused`: blocks that a workspace does not take. */
export function readContent(
  args: Fields,
  method: 'post' | 'update',
  refused: ReadonlySet<string> = new Set(),
): Content {
  const given = structureAt(args, 'blocks')
  const blocks = given === undefined || given === null || given === '' ? null : given
  const markdown = textAt(args, 'markdown_text')
  if (markdown !== null) return readMarkdown(markdown, blocks !== null || textAt(args, 'text') !== null)
  const text = textAt(args, 'text') ?? ''
  if (blocks !== null && !(Array.isArray(blocks) && blocks.every(isFields))) return refuse('invalid_blocks_format')
  const count = codePoints(text)
  if (method === 'update' && count > LIMITS.updateText) return refuse('msg_too_long')
  const refusal = refusalOf(fieldsIn(blocks), refused) ?? metadataRefusal(args) ?? tooManyAttachments(args)
  if (refusal !== null) return refusal
  const content = { ok: true, text, blocks: blocks === null ? null : fieldsIn(blocks) } as const
  if (count <= LIMITS.postText) return content
  return { ...content, text: [...text].slice(0, LIMITS.postText).join(''), warning: 'message_truncated' }
}

/** The one text of a message that stands for all others. */
function readMarkdown(text: string, beside: boolean): Content {
  if (beside) return refuse('markdown_text_conflict')
  return codePoints(text) > LIMITS.markdown ? refuse('msg_too_long') : { ok: true, text, blocks: null }
}

function refusalOf(blocks: readonly Fields[], refused: ReadonlySet<string>): Refusal | null {
  const problems = problemsOf(blocks, messageBlock, LIMITS.blocks, refused)
  if (problems.length > 0) return invalidBlocks(problems)
  const all = blocks.flatMap((block) => [block, ...childrenOf(block)])
  if (all.filter((block) => block['type'] === 'table').length > LIMITS.tables) return refuse('invalid_attachments')
  if (blocks.reduce((sum, block) => sum + textLength(block), 0) > LIMITS.blockText) return refuse('msg_blocks_too_long')
  return tooMuchMarkdown(blocks)
}

/** All markdown of one message has one limit together. */
function tooMuchMarkdown(blocks: readonly Fields[]): Refusal | null {
  let room: number = LIMITS.markdown
  const over = blocks.findIndex((block) => {
    if (block['type'] === 'markdown') room -= textLength(block)
    return room < 0
  })
  const message = `must be less than ${LIMITS.markdown + 1} characters`
  return over === -1 ? null : invalidBlocks([{ pointer: `/blocks/${over}/text`, message }])
}

/** What is wrong with each block by itself and with their number: all that `blocks.validate` is known to see. */
export function problemsOf(
  blocks: unknown,
  check: Check,
  most: number,
  refused: ReadonlySet<string>,
): readonly Problem[] {
  const all = fieldsIn(blocks).flatMap((block) => [block, ...childrenOf(block)])
  const rules = [...list(check, most, 0)(blocks, '/blocks'), ...tooMany(all, most), ...twice(all)]
  return [...rules, ...notTaken(fieldsIn(blocks), refused)]
}

/** What this workspace does not take, said as the real validator says it of a block that it does not know. */
function notTaken(blocks: readonly Fields[], refused: ReadonlySet<string>): readonly Problem[] {
  return blocks.flatMap((block, index) => [
    ...unsupported(block, `/blocks/${index}`, refused),
    ...childrenOf(block).flatMap((child, at) => unsupported(child, `/blocks/${index}/child_blocks/${at}`, refused)),
  ])
}

function unsupported(block: Fields, pointer: string, refused: ReadonlySet<string>): readonly Problem[] {
  const type = String(block['type'])
  return refused.has('blocks') || refused.has(type) ? [{ pointer, message: `unsupported type: ${type}` }] : []
}

function childrenOf(block: Fields): readonly Fields[] {
  return fieldsIn(block['child_blocks'])
}

function tooMany(all: readonly Fields[], most: number): readonly Problem[] {
  return all.length > most ? [{ pointer: '/blocks', message: `no more than ${most} items allowed` }] : []
}

function twice(all: readonly Fields[]): readonly Problem[] {
  const ids = all.map((block) => block['block_id']).filter((id) => id !== undefined)
  const again = ids.find((id, index) => ids.indexOf(id) !== index)
  return again === undefined ? [] : [{ pointer: '/blocks', message: `block_id already exists: ${String(again)}` }]
}

function invalidBlocks(problems: readonly Problem[]): Refusal {
  const errors = problems.map(({ pointer, message }) => `${message} [json-pointer:${pointer}]`)
  return refuse('invalid_blocks', {
    errors,
    response_metadata: { messages: errors.map((error) => `[ERROR] ${error}`) },
  })
}

function metadataRefusal(args: Fields): Refusal | null {
  const metadata = structureAt(args, 'metadata')
  if (metadata === undefined || metadata === null || metadata === '') return null
  if (Buffer.byteLength(JSON.stringify(metadata)) > LIMITS.metadataBytes) return refuse('metadata_too_large')
  const whole = isFields(metadata) && textAt(metadata, 'event_type') !== null && isFields(metadata['event_payload'])
  return whole ? null : refuse('invalid_metadata_format')
}

function tooManyAttachments(args: Fields): Refusal | null {
  const attachments = structureAt(args, 'attachments')
  return Array.isArray(attachments) && attachments.length > LIMITS.attachments ? refuse('too_many_attachments') : null
}
