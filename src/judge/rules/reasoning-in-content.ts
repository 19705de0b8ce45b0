import type { Finding, Rule } from '../../domain/finding.ts'
import { endedAnswer, quoted } from '../answer.ts'

/** Control text that a parser should have taken out stands in the content. */
export const reasoningInContent: Rule = {
  codes: ['parser.reasoning-missing', 'parser.reasoning-split', 'parser.harmony-missing', 'parser.tool-missing'],
  check(evidence) {
    const answer = endedAnswer(evidence)
    const content = answer?.completion.content ?? ''
    if (answer === null || ASKED.test(answer.request.prompt)) return []
    const leak = LEAKS.find(({ sign }) => sign.test(withoutCode(content)))
    if (leak === undefined) return []
    const because = [`the content begins with ${quoted(content)}`]
    return [{ ...leak.finding, because, confidence: 'certain' }]
  },
}

/** Whoever asks about such marks gets them in the answer. */
const ASKED = /<\/?think|think tag|chatml|special token|<\||tool_call|harmony/i

function withoutCode(text: string): string {
  return text.replace(/```[\s\S]*?(```|$)/g, '').replace(/`[^`\n]*`/g, '')
}

const LEAKS: readonly { sign: RegExp; finding: Omit<Finding, 'because' | 'confidence'> }[] = [
  {
    sign: /^\s*<\|(channel|start|message)\|>/,
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
    sign: /^\s*(<tool_call>|<\|?tool|<｜tool|\[TOOL_CALLS\]|<function=)/i,
    finding: {
      code: 'parser.tool-missing',
      verdict: 'misconfigured',
      cause:
        'The model called a tool, the server delivered the call as text: its tool parser is missing or of another template.',
      remedy: [
        'Start the server with the --tool-call-parser of this model, and with the chat template of the same model version.',
      ],
    },
  },
  {
    sign: /^\s*(\/?think(ing)?|h?ink|n?k)>\s/,
    finding: {
      code: 'parser.reasoning-split',
      verdict: 'degraded',
      cause: 'A rest of the closing think tag stands in the content: the parser split the tag.',
      remedy: ['Upgrade the engine; send no stop words to a thinking model.'],
    },
  },
  {
    sign: /^\s*<(think|thinking|reasoning)>|<\/(think|thinking|reasoning)>/,
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
