import type { Code } from '../../domain/code.ts'
import type { PromptCount } from '../../domain/engine.ts'
import type { Conclusion, Experiment, FreeRequest, Puzzle, TrialRun } from '../../domain/experiment.ts'
import { sentence } from '../../domain/failure.ts'
import type { Finding } from '../../domain/finding.ts'
import { count, counted } from '../../domain/report.ts'
import type { EngineKind } from '../../domain/target.ts'
import { quoted } from '../answer.ts'
import { cutInSilence } from '../rules/context-truncated.ts'
import { compareVersions } from '../version.ts'
import { again, answeredSmoke } from './requests.ts'

const OF_END: readonly Code[] = ['model.immediate-eos', 'model.eos-in-reasoning']

/** How many tokens the prompt has by the server's own tokenizer, and how the token reads that ended the answer. */
export const promptTokens: Experiment = {
  name: 'prompt-tokens',
  title: 'Prompt and end, counted',
  cost: 'free',
  when: 'of SGLang from 0.5.4 on, vLLM and llama.cpp that tell their tokens',
  separates: ['context.silently-truncated', 'template.missing', ...OF_END],
  trial(puzzle) {
    const smoke = answeredSmoke(puzzle)
    if (smoke?.completion == null || !hasTokenizer(puzzle)) return null
    const { stop, tokens } = smoke.completion
    // templates cut white space off, which is no cut prompt
    const { request } = again(smoke.request, { budget: 0, prompt: smoke.request.prompt.trim() })
    const requests: readonly FreeRequest[] = [
      ...(tokens.prompt === null ? [] : [{ how: 'count' as const, request }]),
      ...(typeof stop === 'number' ? [{ how: 'spell' as const, token: stop, request }] : []),
    ]
    return requests.length === 0 ? null : { requests, parallel: 1 }
  },
  conclude: (puzzle, runs) => concluded(puzzle, runs),
  // a count and a spelling, each of which stands by itself
  decidesEarly: () => true,
}

function hasTokenizer({ evidence: { engine } }: Puzzle): boolean {
  switch (engine?.kind) {
    case 'vllm':
    case 'llama-cpp':
      return true
    case 'sglang':
      return engine.version === null || (compareVersions(engine.version, '0.5.4') ?? 0) >= 0
    case 'ollama':
    case 'openai':
    case undefined:
      return false
  }
}

function concluded(puzzle: Puzzle, runs: readonly TrialRun[]): Conclusion {
  const parts = [...runs.flatMap((run) => ofCount(puzzle, run)), ...runs.flatMap(ofEnd)]
  const failure = runs.find(({ smoke }) => smoke.failure !== null)?.smoke.failure ?? null
  const finding = parts.find((part) => part.finding !== undefined)?.finding
  return {
    said: parts.length > 0 ? parts.map(({ said }) => said).join('; ') : toldNothing(failure),
    confirms: parts.flatMap(({ confirms }) => confirms),
    rulesOut: parts.flatMap(({ rulesOut }) => rulesOut),
    ...(finding === undefined ? {} : { finding }),
  }
}

function toldNothing(failure: Parameters<typeof sentence>[0] | null): string {
  return failure === null ? 'nothing was asked' : `the tokenizer was not asked: ${sentence(failure)}`
}

/** A server that reads a prompt whole counts it as its own tokenizer does, but for white space and a first token. */
const SHARE = 0.9
const FEWEST = 32
/** A template has at least the marks of a turn; a first token may be counted without any. */
const OF_TEMPLATE = 3

function ofCount({ evidence }: Puzzle, { counted: told }: TrialRun): readonly Conclusion[] {
  const tokens = evidence.smoke?.completion?.tokens
  const read = tokens?.prompt ?? null
  if (told === undefined || read === null) return []
  const { tokens: sent } = told
  // some gateways count what was in the cache apart
  const most = read + (tokens?.cached ?? 0)
  if (most < SHARE * sent && sent - most > FEWEST) {
    const said = `the server read ${count(read)} of the ${counted(sent, 'token')} that its own tokenizer counts in the prompt: it cuts the prompt`
    return [
      { said, confirms: ['context.silently-truncated'], rulesOut: [], finding: cut(sent, read, evidence.engine?.kind) },
    ]
  }
  return [
    { said: whole(told, read), confirms: [], rulesOut: ['context.silently-truncated', ...ofTemplate(told, read)] },
  ]
}

function whole({ tokens, templated }: PromptCount, read: number): string {
  if (templated) return `the server read ${count(read)} of ${counted(tokens, 'token')} of the prompt and its template`
  const more = read - tokens
  return more > 0
    ? `the server read all ${counted(tokens, 'token')} of the prompt, and ${counted(more, 'token')} of its template`
    : `the server read ${count(read)} of ${counted(tokens, 'token')} of the prompt, and none of a template`
}

function ofTemplate({ tokens, templated }: PromptCount, read: number): readonly Code[] {
  return !templated && read - tokens >= OF_TEMPLATE ? ['template.missing'] : []
}

function cut(sent: number, read: number, engine: EngineKind | undefined): Finding {
  return {
    ...cutInSilence(engine ?? null),
    because: [
      `/tokenize counts ${counted(sent, 'token')} in the prompt, usage.prompt_tokens of the answer says ${count(read)}`,
    ],
    confidence: 'certain',
    unless: 'something before the server shortened the prompt: ask the server itself, without a gateway.',
  }
}

/** Marks of an end: `<|im_end|>`, `</s>`, `[EOS]`, `<｜end▁of▁sentence｜>`. */
const SPECIAL = /^\s*(?:<[^<>\s]{1,60}>|\[[^[\]\s]{1,60}\])\s*$/u

function ofEnd({ asked, spelled }: TrialRun): readonly Conclusion[] {
  if (asked.how !== 'spell' || spelled === undefined) return []
  const said = `stop token ${asked.token} is ${quoted(spelled)}`
  if (spelled.trim() === '' || SPECIAL.test(spelled)) return [{ said, confirms: [], rulesOut: [] }]
  return [
    {
      said: `${said}, an ordinary text: eos_token_id in generation_config.json or a stop token of the request is wrong`,
      confirms: [],
      rulesOut: OF_END,
    },
  ]
}
