import { z } from 'zod'

/** What a field for text holds, in whichever shape the server gave it. */
export interface Words {
  /** null where nothing was sent */
  readonly text: string | null
  /** what the model thought, where parts of the text are named so */
  readonly thought: string | null
  /** what came in place of text: `a number`; null where all is well */
  readonly strange: string | null
}

/** A text, or a list of parts: OpenAI's `text`, `output_text` and `refusal`, Mistral's `thinking`. No value is refused. */
export const words = z.unknown().optional().transform(wordsOf)

/** The first of several names for one thing that says something; else `''` where one of them was sent, else null. */
export function firstSaid(...texts: readonly (string | null)[]): string | null {
  return texts.find((text) => text !== null && text !== '') ?? texts.find((text) => text !== null) ?? null
}

const NOTHING: Words = { text: null, thought: null, strange: null }

function wordsOf(value: unknown): Words {
  if (value === undefined || value === null) return NOTHING
  if (typeof value === 'string') return { ...NOTHING, text: value }
  const list = Array.isArray(value)
  const read = parts.parse(list ? value : [value])
  if (read.length === 0) return NOTHING
  const thought = joined(read.map((one) => (isThought(one) ? firstSaid(one.thinking, one.reasoning, one.text) : null)))
  const text = joined(read.map((one) => (isThought(one) ? null : firstSaid(one.text, one.refusal))))
  if (text !== null || thought !== null) return { text, thought, strange: null }
  return { ...NOTHING, strange: list ? 'a list without text' : typeName(value) }
}

/** Mistral wraps a thought once more: `thinking: [{ type: 'text', text }]`. */
const inner = z
  .union([
    z.string(),
    z.array(z.object({ text: z.string() })).transform((list) => joined(list.map(({ text }) => text))),
  ])
  .nullable()
  .catch(null)

const part = z.object({
  type: z.string().catch('text'),
  text: inner,
  thinking: inner,
  reasoning: inner,
  refusal: inner,
})
const NO_PART: z.infer<typeof part> = { type: 'none', text: null, thinking: null, reasoning: null, refusal: null }
const bare = z.string().transform((text) => ({ ...NO_PART, type: 'text', text }))
const parts = z.array(z.union([bare, part]).catch(NO_PART))

function isThought({ type }: { readonly type: string }): boolean {
  return /think|reason/.test(type)
}

function joined(texts: readonly (string | null)[]): string | null {
  const said = texts.filter((text) => text !== null)
  return said.length === 0 ? null : said.join('')
}

function typeName(value: unknown): string {
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
