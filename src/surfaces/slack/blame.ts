import type { Kind } from './abilities.ts'
import type { Message } from './pages.ts'
import type { Refusal } from './refusal.ts'

/** What of a workspace a message needs. */
export function kindsIn({ blocks }: Pick<Message, 'blocks'>): readonly Kind[] {
  if (blocks.length === 0) return []
  const has = (type: string): boolean => blocks.some((block) => block.type === type)
  const kinds: Kind[] = ['blocks']
  if (has('container')) kinds.push('container')
  if (has('table')) kinds.push('table')
  if (JSON.stringify(blocks).includes('"expand":')) kinds.push('expand')
  return kinds
}

/**
 * What a refused message is to leave out at the next try: the kind that Slack points at, else the least usual one. Null
 * where no other form can help.
 */
export function blame(message: Message, refusal: Refusal): Kind | null {
  if (refusal.kind !== 'blocks' || message.blocks.length === 0) return null
  const there = kindsIn(message)
  const pointed = pointedAt(message, refusal)
  return SUSPECTS.find((kind) => there.includes(kind) && (pointed === null || pointed === kind)) ?? 'blocks'
}

/**
 * Whether a refusal tells about the workspace: what it does not know, or no reason at all. A limit, an empty text, or an
 * exchange that chat.update does not make tells of one message only.
 */
export function isTelling({ kind, code, details }: Refusal): boolean {
  if (kind !== 'blocks' || code === 'block_mismatch' || SAYS_NOTHING.test(code)) return false
  return code === 'invalid_attachments' || details.length === 0 || details.some((one) => UNKNOWN.test(one))
}

/** A response_url that does not even say that the blocks were at fault. */
const SAYS_NOTHING = /^HTTP \d/

/** `unsupported type: container [json-pointer:/blocks/1]` · `additional property: expand [json-pointer:/blocks/0]` */
const UNKNOWN = /\bunsupported (?:block )?type\b|\badditional propert(?:y|ies)\b/i

const SUSPECTS: readonly Kind[] = ['container', 'table', 'expand', 'blocks']

const POINTER = /\[json-pointer:\/blocks\/(\d+)/

function pointedAt({ blocks }: Message, { code, details }: Refusal): Kind | null {
  if (details.some((one) => /\bexpand\b/.test(one))) return 'expand'
  // more than one table, or any where tables are attachments of old
  if (code === 'invalid_attachments') return 'table'
  const found = details.map((one) => POINTER.exec(one)?.[1]).find((index) => index !== undefined)
  if (found === undefined) return null
  const type = blocks[Number(found)]?.type
  return type === 'container' || type === 'table' ? type : 'blocks'
}
