import type { SmokeRequest } from '../../domain/smoke.ts'
import type { Fields } from './record.ts'
import { numberOf, recordOf, textOf } from './record.ts'

/** What was asked, in whichever words of the API somebody recorded it; `streams` where the body tells it. */
export function requestOf(fields: Fields, streams: boolean): SmokeRequest {
  return {
    prompt: promptOf(fields),
    budget: budgetOf(fields),
    temperature: numberIn(fields, ['temperature']) ?? null,
    thinking: thinkingOf(fields),
    stream: fields['stream'] === true || streams,
    model: textOf(fields['model']) ?? null,
  }
}

/** Where else a field may stand: Ollama's options, SGLang's sampling parameters, what OpenAI's client adds. */
const PLACES = ['options', 'sampling_params', 'extra_body', 'parameters'] as const

const BUDGETS = [
  'max_tokens',
  'max_completion_tokens',
  'max_output_tokens',
  'max_new_tokens',
  'n_predict',
  'num_predict',
] as const

/** Infinity where none was set; llama.cpp and Ollama write -1 for it. */
function budgetOf(fields: Fields): number {
  const budget = numberIn(fields, BUDGETS)
  return budget === undefined || budget <= 0 ? Number.POSITIVE_INFINITY : budget
}

function numberIn(fields: Fields, names: readonly string[]): number | undefined {
  const places = [fields, ...PLACES.map((place) => recordOf(fields[place]) ?? {})]
  const values = places.flatMap((place) => names.map((name) => place[name]))
  return values
    .map((value) => (typeof value === 'string' ? numberOf(value) : finite(value)))
    .find((one) => one !== undefined)
}

function finite(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

const SWITCHES = ['enable_thinking', 'thinking', 'think'] as const

/** Whether the model was told to think; null where nobody said. */
function thinkingOf(fields: Fields): boolean | null {
  const extra = recordOf(fields['extra_body'])
  const kwargs = recordOf(fields['chat_template_kwargs']) ?? recordOf(extra?.['chat_template_kwargs'])
  const said = [kwargs, fields, extra].flatMap((place) => SWITCHES.map((name) => switchOf(place?.[name])))
  const effort = [fields, kwargs, extra].map((place) => place?.['reasoning_effort']).includes('none') ? false : null
  return said.find((one) => one !== null) ?? effort ?? softSwitch(fields)
}

function switchOf(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value
  const type = recordOf(value)?.['type']
  return type === 'disabled' ? false : type === 'enabled' ? true : null
}

/** Qwen3 obeys a word in the prompt. */
function softSwitch(fields: Fields): boolean | null {
  return /(?:^|\s)\/no_?think\s*$/.test(promptOf(fields).slice(-100)) ? false : null
}

/** What people and the system said, joined; answers of earlier turns are left out. */
function promptOf({ prompt, messages, input, text }: Fields): string {
  const spoken = Array.isArray(messages) ? messages.slice(0, MOST_TURNS).flatMap(spokenIn) : []
  const said = [prompt, input, text].flatMap((one) => textsIn(one))
  return [...spoken, ...said].join('\n')
}

const MOST_TURNS = 1000

function spokenIn(message: unknown): readonly string[] {
  const fields = recordOf(message)
  return fields === null || fields['role'] === 'assistant' ? [] : textsIn(fields['content'])
}

/** A text, a list of texts, or a list of parts with texts. */
function textsIn(value: unknown): readonly string[] {
  const text = textOf(value)
  if (text !== undefined) return [text]
  if (!Array.isArray(value)) return []
  return value.slice(0, MOST_TURNS).flatMap((part: unknown) => textOf(part) ?? textOf(recordOf(part)?.['text']) ?? [])
}
