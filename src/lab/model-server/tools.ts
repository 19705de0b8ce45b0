import { field, readChatRequest } from './chat-request.ts'
import { roughTokens } from './dialect.ts'
import { atLeast } from './version.ts'

type Tools = ReadonlyMap<string, (json: unknown) => unknown>

/** SGLang's parsers, and from 0.5.4 on its tokenizer (sglang.md 1.2). */
export function sglangTools(version: string): Tools {
  const tokens: [string, (json: unknown) => unknown][] = [
    ['/tokenize', (json) => listed(bareTokens(String(field(json, 'prompt') ?? '')))],
    ['/detokenize', (json) => ({ text: spelled(json) })],
  ]
  return new Map([['/separate_reasoning', separated], ...(atLeast(version, [0, 5, 4]) ? tokens : [])])
}

/** vLLM's tokenizer, which takes a chat and a bare prompt. */
export const vllmTools: Tools = new Map([
  ['/tokenize', (json) => listed(inChat(json) ?? bareTokens(String(field(json, 'prompt') ?? '')))],
  ['/detokenize', (json) => ({ prompt: spelled(json) })],
])

/** As roughly as the lab counts a chat, without its template. */
function bareTokens(prompt: string): number {
  return Math.ceil(prompt.length / 4)
}

function inChat(json: unknown): number | null {
  const chat = readChatRequest(JSON.stringify(json), 0)
  return typeof chat === 'string' ? null : roughTokens(chat)
}

function listed(count: number): object {
  return { count, max_model_len: 32_768, tokens: Array.from({ length: count }, (_, at) => at) }
}

function spelled(json: unknown): string {
  const tokens = field(json, 'tokens')
  const all: readonly unknown[] = Array.isArray(tokens) ? tokens : []
  return all.map((token) => SPECIAL.get(token) ?? 'word').join(' ')
}

const SPECIAL: ReadonlyMap<unknown, string> = new Map([
  [248_044, '<|endoftext|>'],
  [248_046, '<|im_end|>'],
])

/** `qwen3` wants the opening mark; `deepseek-r1` and `qwen3-thinking` take the beginning for thinking in any case. */
function separated(json: unknown): unknown {
  const parser = field(json, 'reasoning_parser')
  const text = String(field(json, 'text') ?? '')
  if (parser !== 'qwen3' && parser !== 'qwen3-thinking' && parser !== 'deepseek-r1') return null
  if (parser === 'qwen3' && !text.includes('<think>')) return { reasoning_text: '', text }
  const thought = text.replace(/^(?:<think>)+/, '')
  const at = thought.indexOf(END)
  if (at < 0) return { reasoning_text: thought, text: '' }
  return { reasoning_text: thought.slice(0, at), text: thought.slice(at + END.length) }
}

const END = '</think>'
