import type { Finding, Rule } from '../../domain/finding.ts'
import { count, counted } from '../../domain/report.ts'
import type { Smoke } from '../../domain/smoke.ts'
import type { EngineKind } from '../../domain/target.ts'
import { endedAnswer, quoted } from '../answer.ts'
import { askedOf } from '../asked.ts'
import { recurringShare } from '../recurring.ts'
import { quotedTold, toldLine } from '../told.ts'

/** The server answers, and read far less of the prompt than was sent: its context is small, and it cuts without a word. */
export const contextTruncated: Rule = {
  codes: ['context.silently-truncated'],
  check(evidence) {
    const answer = endedAnswer(evidence)
    const { smoke } = evidence
    if (answer === null || smoke === undefined) return []
    const line = toldLine(evidence, SAID)
    const gap = gapOf(smoke)
    if (line === null && gap === null) return []
    const because = [...(gap?.seen ?? []), ...(line === null ? [] : [quotedTold(line)])]
    const confidence = line !== null && gap !== null ? 'certain' : 'likely'
    return [{ ...cutInSilence(evidence.engine?.kind ?? null), because, confidence }]
  },
}

/** Ollama and llama.cpp say so in their logs, and nowhere else. */
const SAID =
  /truncat(?:ing|ed)\b.{0,40}\b(?:input|prompt)|\b(?:input|prompt)\b.{0,40}\btruncat(?:ing|ed)|context shift|input truncated/i

/** What is wrong and what helps, without its evidence. */
export function cutInSilence(engine: EngineKind | null): Omit<Finding, 'because' | 'confidence'> {
  return {
    code: 'context.silently-truncated',
    verdict: 'misconfigured',
    cause:
      'The server read only a part of the prompt: its context is smaller than what was sent, and it cuts the beginning off without an error.',
    remedy: [
      engine === null || engine === 'openai' ? Object.values(LARGER).join(' ') : LARGER[engine],
      'Then compare usage.prompt_tokens with what was sent, or shorten the prompt.',
    ],
    unless: 'whoever counted the prompt counted wrongly: send it to /tokenize and compare.',
  }
}

const LARGER: Readonly<Record<Exclude<EngineKind, 'openai'>, string>> = {
  ollama:
    'Set OLLAMA_CONTEXT_LENGTH for the server, or num_ctx in the Modelfile, to more than the prompt and the answer together.',
  'llama-cpp': 'Start llama.cpp with a larger -c (it is shared by the --parallel slots) and with --no-context-shift.',
  sglang: 'Start SGLang with a larger --context-length and without --allow-auto-truncate.',
  vllm: 'Send no truncate_prompt_tokens to vLLM, and start it with a larger --max-model-len.',
}

interface Gap {
  readonly seen: readonly string[]
}

/** So much less is no matter of counting. */
const SHARE = 0.6
const FEWEST = 300
/** Without a count: English has four characters a token, other languages fewer, repetition more. */
const LONGEST_TOKEN = 16
const LONG_PROMPT = 8_000

function gapOf(smoke: Smoke): Gap | null {
  const { prompt: read, cached } = smoke.completion?.tokens ?? {}
  if (read === undefined || read === null) return null
  // some gateways count what was in the cache apart
  const most = read + (cached ?? 0)
  const { prompt } = smoke.request
  const told = askedOf(smoke).promptTokens
  const sent = told ?? named(prompt)
  if (sent !== null) {
    if (most >= SHARE * sent || sent - most <= FEWEST) return null
    const figures = `${counted(sent, 'token')} were sent, the server counts ${count(read)} in the prompt`
    return { seen: told === null ? [figures, `prompt: ${quoted(prompt)}`] : [figures] }
  }
  if (prompt.length < LONG_PROMPT || most * LONGEST_TOKEN > prompt.length || repeats(prompt)) return null
  return {
    seen: [
      `${counted(prompt.length, 'character')} were sent, the server counts ${counted(read, 'token')} in the prompt`,
    ],
  }
}

function repeats(prompt: string): boolean {
  return recurringShare(prompt.slice(0, LONG_PROMPT)) > 0.5 || /\s{200}/.test(prompt)
}

/** `<20k-token prompt>`: somebody left the prompt out of the record and said how long it was. */
function named(prompt: string): number | null {
  const [, figure, thousand] =
    /^\s*[<[(][^<>]{0,40}?(\d{1,7}(?:\.\d{1,3})?)\s?(k?)[- ]?tokens?\b[^<>]{0,80}[>\])]\s*$/i.exec(prompt) ?? []
  return figure === undefined ? null : Number(figure) * (thousand === '' ? 1 : 1000)
}
