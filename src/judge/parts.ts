import type { Completion } from '../domain/completion.ts'

/** The two channels, also where a server left both in one: thinking in tags, or the channels of gpt-oss. */
export function partsOf({ reasoning, content }: Pick<Completion, 'reasoning' | 'content'>): Parts {
  if (content === null || (reasoning !== null && reasoning !== '')) return { reasoning, content }
  return harmony(content) ?? tagged(content) ?? { reasoning, content }
}

type Parts = Pick<Completion, 'reasoning' | 'content'>

const TAGGED = /^\s*(?:<(?:think|thinking|reasoning)>)?([\s\S]*?)<\/(?:think|thinking|reasoning)>([\s\S]*)$/

/** The opening tag may stand in the prompt, as some chat templates write it there. */
function tagged(content: string): Parts | null {
  if (content.includes('`')) return null
  const [, thought, answer] = TAGGED.exec(content) ?? []
  return thought === undefined || answer === undefined ? null : { reasoning: thought.trim(), content: answer.trim() }
}

const CHANNEL = /<\|channel\|>(\w+)[^<]*<\|message\|>([\s\S]*?)(?=<\|(?:end|start|channel|return|call)\|>|$)/g

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
