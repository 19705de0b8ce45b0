import type { Completion } from '../domain/completion.ts'

/** The two channels, also where a server left both in one: thinking in tags, or the channels of gpt-oss. */
export function partsOf({ reasoning, content }: Pick<Completion, 'reasoning' | 'content'>): Parts {
  if (content === null || (reasoning !== null && reasoning !== '')) return { reasoning, content }
  return harmony(content) ?? tagged(content) ?? { reasoning, content }
}

type Parts = Pick<Completion, 'reasoning' | 'content'>

const OPENING = /^<(?:think|thinking|reasoning)>/
const CLOSING = /<\/(?:think|thinking|reasoning)>/

/** The opening tag may stand in the prompt, as some chat templates write it there. */
function tagged(content: string): Parts | null {
  if (content.includes('`')) return null
  const closing = CLOSING.exec(content)
  if (closing === null) return null
  const thought = content.slice(0, closing.index).trimStart().replace(OPENING, '')
  return { reasoning: thought.trim(), content: content.slice(closing.index + closing[0].length).trim() }
}

const CHANNEL =
  /<\|channel\|>(\w{1,40})\b[^<]{0,400}<\|message\|>([\s\S]*?)(?=<\|(?:end|start|channel|return|call)\|>|$)/g

function harmony(content: string): Parts | null {
  if (!/^\s*<\|(?:channel|start)\|>/.test(content)) return null
  const channels = [...content.matchAll(CHANNEL)].map(([, name = '', text = '']) => ({ name, text: text.trim() }))
  if (channels.length === 0) return null
  const of = (isFinal: boolean): string | null => {
    const texts = channels.filter(({ name }) => (name === 'final') === isFinal).map(({ text }) => text)
    return texts.length === 0 ? null : texts.join('\n')
  }
  return { reasoning: of(false), content: of(true) }
}
