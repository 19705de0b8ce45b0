import { readJson } from '../domain/json.ts'
import type { Smoke } from '../domain/smoke.ts'

/** What a request asked for besides its prompt, by its body as it was sent. */
export interface Asked {
  /** whether it offered tools to the model */
  readonly tools: boolean
  /** whether it wants log probabilities */
  readonly logprobs: boolean
  /** whether it forces a grammar or a schema on the answer */
  readonly grammar: boolean
  /** whether it wants the counters of a stream */
  readonly usage: boolean
  /** how many tokens the prompt has, as whoever sent it counted; null where nobody did */
  readonly promptTokens: number | null
}

export function askedOf({ exchange }: Pick<Smoke, 'exchange'>): Asked {
  const fields = fieldsIn(exchange?.request ?? '')
  return {
    tools: isSet(fields.get('tools')) || isSet(fields.get('functions')),
    logprobs: isSet(fields.get('logprobs')) || isSet(fields.get('top_logprobs')) || isSet(fields.get('return_logprob')),
    grammar: GRAMMARS.some((name) => isSet(fields.get(name)) && !isPlainText(fields.get(name))),
    usage: innerOf(fields.get('stream_options')).get('include_usage') === true,
    promptTokens: ESTIMATES.flatMap((name) => countIn(fields.get(name)))[0] ?? null,
  }
}

const GRAMMARS = [
  'response_format',
  'guided_json',
  'guided_grammar',
  'guided_regex',
  'grammar',
  'json_schema',
  'ebnf',
  'regex',
  'structured_outputs',
  'format',
] as const
const ESTIMATES = ['prompt_tokens_estimate', 'estimated_prompt_tokens', 'prompt_tokens', 'input_tokens'] as const

type Values = ReadonlyMap<string, unknown>

function fieldsIn(body: string): Values {
  const read = readJson(body)
  return innerOf(read.ok ? read.value : null)
}

function innerOf(value: unknown): Values {
  return new Map(typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [])
}

/** `false`, `0`, `null`, an empty list and an empty text are not. */
function isSet(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0
  return value !== undefined && value !== null && value !== false && value !== 0 && value !== ''
}

function isPlainText(value: unknown): boolean {
  return value === 'text' || innerOf(value).get('type') === 'text'
}

function countIn(value: unknown): readonly number[] {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? [value] : []
}
