import type { Evidence } from '../domain/finding.ts'
import { counted } from '../domain/report.ts'
import { DEFAULT_BUDGET } from '../domain/smoke.ts'
import type { EngineKind } from '../domain/target.ts'
import { isFitting, parserOf } from '../knowledge/index.ts'
import { titleOf } from './engine-names.ts'
import { flagsOf, numberFlag } from './flags.ts'
import { LARGER_CONTEXT, UNPARSED, withBudget } from './remedies.ts'
import { servedOf } from './served.ts'

/* Remedies with the flag of the engine at hand and its value, so that they can be carried out as they are written. */

/** Who serves: by its own word, else by its log. */
export function engineAt({ engine, log }: Evidence): EngineKind | null {
  if (engine !== undefined && engine.kind !== 'openai') return engine.kind
  const writer = log?.writer ?? null
  return writer === 'systemd' ? null : writer
}

/** The reasoning parser of the model, as a flag of its server; what the model wrote where the right one is set already. */
export function setReasoningParser(evidence: Evidence): string {
  if (engineAt(evidence) === 'llama-cpp') {
    return 'Start llama-server with --reasoning-format deepseek: it files the thinking apart from the answer.'
  }
  const served = servedOf(evidence)
  const fitting = served === null ? null : parserOf(served.engine, served.family, 'reasoning')
  if (served === null || fitting === null) return ANY_PARSER
  const { reasoning } = served.parsers
  if (reasoning !== null && isFitting(reasoning, fitting)) return `${UNPARSED}.`
  return `Start ${titleOf(served.engine)} with --reasoning-parser ${fitting.names[0]}: that one reads the marks of ${served.family?.title ?? 'this model'}.`
}

const ANY_PARSER =
  'Start the server with the reasoning parser of this model: --reasoning-parser qwen3 for Qwen3, deepseek-r1 for DeepSeek R1.'

/** A chat template for a model that came without. */
export function giveTemplate(evidence: Evidence): string {
  const engine = engineAt(evidence)
  const flag = engine === null ? undefined : TEMPLATE_FLAGS[engine]
  if (engine === null || flag === undefined) return ANY_TEMPLATE
  return `Start ${titleOf(engine)} with ${flag} chat_template.jinja, the file of that name in the repository of the instruct model.`
}

const TEMPLATE_FLAGS: Partial<Readonly<Record<EngineKind, string>>> = {
  sglang: '--chat-template',
  vllm: '--chat-template',
  'llama-cpp': '--jinja --chat-template-file',
}

const ANY_TEMPLATE =
  'Give the server the template of the instruct model, chat_template.jinja in its repository: SGLang and vLLM --chat-template FILE, llama.cpp --jinja --chat-template-file FILE.'

/**
 * Room for a prompt that was refused, by the numbers of the refusal: a smaller budget where an answer still fits, since
 * that costs nothing, else a larger context.
 */
export function makeRoom(message: string, evidence: Evidence): readonly string[] {
  const { smoke } = evidence
  const [limit, prompt] = [numberOf(LIMITS, message), numberOf(PROMPTS, message)]
  const room = limit === null || prompt === null ? 0 : limit - prompt
  const less = `ower the budget to at most ${counted(room, 'token')}: ${withBudget(room)}.`
  if (room >= ANSWER) return [`L${less}`, `Or ${LARGER_CONTEXT}.`]
  const larger = prompt === null ? null : contextFor(prompt + answerOf(smoke?.request.budget), evidence)
  return [
    ...(larger === null ? [`Shorten the prompt, or ${LARGER_CONTEXT}.`] : [larger, 'Or shorten the prompt.']),
    ...(room > 0 ? [`Or l${less}`] : []),
  ]
}

/** Tokens that a short answer takes with some thinking before it. */
const ANSWER = 256

function answerOf(budget: number | undefined): number {
  return budget === undefined || !Number.isFinite(budget) ? DEFAULT_BUDGET : budget
}

/** The next power of two, by the flag of the engine; null where nobody knows the flag, or where it is for no common card. */
function contextFor(tokens: number, evidence: Evidence): string | null {
  const engine = engineAt(evidence)
  const wanted = 2 ** Math.ceil(Math.log2(tokens))
  if (engine === null || wanted > LARGEST) return null
  // llama.cpp divides its context among its slots
  const slots = engine === 'llama-cpp' ? (numberFlag(flagsOf(evidence), 'parallel') ?? 1) : 1
  const setting = CONTEXT[engine](wanted * slots)
  return setting === null ? null : `Start ${titleOf(engine)} with ${setting}: prompt and answer then fit.`
}

const LARGEST = 131_072

const CONTEXT: Readonly<Record<EngineKind, (tokens: number) => string | null>> = {
  sglang: (tokens) => `--context-length ${tokens}`,
  vllm: (tokens) => `--max-model-len ${tokens}`,
  'llama-cpp': (tokens) => `-c ${tokens}`,
  ollama: (tokens) => `OLLAMA_CONTEXT_LENGTH=${tokens}`,
  openai: () => null,
}

/** SGLang, vLLM and llama.cpp on what fits and what came, in tokens. */
const LIMITS = [
  /context (?:length|size)(?: is| of)?(?: only)? \(?(\d{1,9})/,
  /maximum model length of (\d{1,9})/,
  /must be <= (\d{1,9})/,
  /must have less than (\d{1,9})/,
]
const PROMPTS = [
  /\((\d{1,9}) in the messages/,
  /(\d{1,9}) tokens from the input messages/,
  /\b(?:input|request) \((\d{1,9}) tokens/,
  /(?:has|passed) (\d{1,9}) input tokens/,
  /\(length (\d{1,9})\)/,
  /Given: (\d{1,9})/,
]

function numberOf(patterns: readonly RegExp[], text: string): number | null {
  const found = patterns.flatMap((pattern) => pattern.exec(text)?.[1] ?? [])[0]
  return found === undefined ? null : Number(found)
}
