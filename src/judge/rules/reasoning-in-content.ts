import type { Finding, Rule } from '../../domain/finding.ts'
import { endedAnswer, quoted } from '../answer.ts'
import { setReasoningParser } from '../orders.ts'
import { ABOUT_MARKS, outsideCode } from '../outside-code.ts'

/** Control text that a parser should have taken out stands in the content. */
export const reasoningInContent: Rule = {
  codes: ['parser.reasoning-missing', 'parser.reasoning-split', 'parser.harmony-missing'],
  check(evidence) {
    const answer = endedAnswer(evidence)
    const content = answer?.completion.content ?? ''
    if (answer === null || ABOUT_MARKS.test(answer.request.prompt)) return []
    const text = outsideCode(content)
    const leak = LEAKS.find(({ isIn }) => isIn(text))
    if (leak === undefined) return []
    const because = [`the content begins with ${quoted(content)}`]
    const { finding } = leak
    const remedy = finding.code === 'parser.reasoning-missing' ? [setReasoningParser(evidence)] : finding.remedy
    return [{ ...finding, remedy, because, confidence: 'certain' }]
  },
}

interface Leak {
  isIn(text: string): boolean
  readonly finding: Omit<Finding, 'because' | 'confidence'>
}

const LEAKS: readonly Leak[] = [
  {
    // without special tokens the names of the channels are left, glued to the text
    isIn: (text) =>
      /^\s*<\|(channel|start|message)\|>|^\s*(analysis|commentary)\s?(?=[A-Z])[\s\S]*?assistant\s?final/.test(text),
    finding: {
      code: 'parser.harmony-missing',
      verdict: 'misconfigured',
      cause: 'The server does not take the channels of gpt-oss apart: its control marks stand in the content.',
      remedy: [
        'Start the server with the gpt-oss parser (SGLang --reasoning-parser gpt-oss, vLLM openai_gptoss), or upgrade it.',
      ],
    },
  },
  {
    isIn: (text) => /^\s*(\/?think(ing)?|h?ink|n?k)>\s/.test(text),
    finding: {
      code: 'parser.reasoning-split',
      verdict: 'degraded',
      cause: 'A rest of the closing think tag stands in the content: the parser split the tag.',
      remedy: ['Upgrade the engine; send no stop words to a thinking model.'],
    },
  },
  {
    isIn: holdsThinking,
    finding: {
      code: 'parser.reasoning-missing',
      verdict: 'misconfigured',
      cause: 'The thinking arrives inside the content: the server runs without the reasoning parser of this model.',
      remedy: [
        'Start the server with --reasoning-parser and the name for this model (qwen3 for Qwen3, deepseek-r1 for DeepSeek R1).',
      ],
    },
  },
]

/** In mid sentence a tag is talked of, where its opening one is too. */
function holdsThinking(text: string): boolean {
  if (/^\s*<(?:think|thinking|reasoning)>/.test(text)) return true
  // the content may be a megabyte of white space: no pattern below can begin within it and run to its end
  if (!CLOSING.test(text)) return false
  return !OPENING.test(text) || BEGINS_LINE.test(text) || ENDS_LINE.test(text)
}

const OPENING = /<(?:think|thinking|reasoning)>/
const CLOSING = /<\/(?:think|thinking|reasoning)>/
const BEGINS_LINE = /(?:^|\n)[^\S\n]*<\/(?:think|thinking|reasoning)>/
const ENDS_LINE = /<\/(?:think|thinking|reasoning)>[^\S\n]*(?:\n|$)/
