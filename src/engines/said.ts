import type { ChatChoice, ChatMessage, ChatToolCall } from './wire.ts'
import type { Words } from './words.ts'
import { firstSaid } from './words.ts'

/** What one choice, whole or a chunk of it, says in our two channels. */
export interface Said {
  readonly reasoning: string | null
  readonly content: string | null
  readonly role: string | null
  readonly calls: readonly (ChatToolCall | null)[]
  /** what came in place of content: `content is a number`; null where all is well */
  readonly strange: string | null
  /** the same of the other texts, which matters only where no content comes */
  readonly strangeAside: string | null
}

/** Null where a choice has neither a message nor a text. */
export function saidIn({ delta, message, text }: ChatChoice): Said | null {
  const spoken = delta ?? message
  if (spoken !== null) return inMessage(spoken)
  if (text.text === null && text.strange === null) return null
  const strange = strangeIn({ text })
  return { reasoning: text.thought, content: text.text, role: null, calls: [], strange, strangeAside: null }
}

/** Servers name the reasoning in three ways, some in two at once; a refusal is what a model says in place of content. */
function inMessage({ role, content, refusal, tool_calls, ...rest }: ChatMessage): Said {
  const { reasoning_content, reasoning, thinking } = rest
  return {
    reasoning: firstSaid(whole(reasoning_content), whole(reasoning), whole(thinking), content.thought),
    content: firstSaid(content.text, refusal.text),
    role,
    calls: tool_calls ?? [],
    strange: strangeIn({ content }),
    strangeAside: strangeIn({ refusal, reasoning_content, reasoning, thinking }),
  }
}

/** The parts of a field for reasoning may be named as thoughts, or not. */
function whole({ text, thought }: Words): string | null {
  return firstSaid(thought, text)
}

function strangeIn(fields: Readonly<Record<string, Words>>): string | null {
  const [name, field] = Object.entries(fields).find(([, { strange }]) => strange !== null) ?? []
  return field === undefined ? null : `${name} is ${field.strange}`
}
