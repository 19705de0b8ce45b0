import type { EngineKind } from '../domain/target.ts'

interface Names {
  /** as its makers write it */
  readonly title: string
  /** its Python distribution, as a folder of site-packages names it; null where it is no such thing */
  readonly distribution: string | null
  /** how people and images name it */
  readonly named: RegExp | null
  /** fields of an answer that only this engine sends (sglang.md 2.1, 2.4) */
  readonly body: RegExp | null
}

const NAMES: Readonly<Record<EngineKind, Names>> = {
  sglang: {
    title: 'SGLang',
    distribution: 'sglang',
    named: /sglang|sgl\b/i,
    body: /"matched_stop"\s*:|"weight_version"\s*:|"meta_info"\s*:/,
  },
  vllm: {
    title: 'vLLM',
    distribution: 'vllm',
    named: /vllm/i,
    body: /"kv_transfer_params"\s*:|"prompt_logprobs"\s*:|"stop_reason"\s*:/,
  },
  ollama: {
    title: 'Ollama',
    distribution: null,
    named: /ollama/i,
    body: /"system_fingerprint"\s*:\s*"fp_ollama"|"done_reason"\s*:|"prompt_eval_count"\s*:/,
  },
  'llama-cpp': {
    title: 'llama.cpp',
    distribution: null,
    named: /llama[-_. ]?(?:cpp|server)/i,
    body: /"predicted_per_second"\s*:|"tokens_predicted"\s*:|"system_fingerprint"\s*:\s*"b\d+-/,
  },
  openai: { title: 'the server', distribution: null, named: null, body: null },
}

/** The order in which marks are looked for: Ollama names what of llama.cpp it runs. */
const KINDS = ['sglang', 'ollama', 'llama-cpp', 'vllm'] as const satisfies readonly EngineKind[]

/** An engine as its makers write it. */
export function titleOf(engine: EngineKind): string {
  return NAMES[engine].title
}

export function distributionOf(engine: EngineKind): string | null {
  return NAMES[engine].distribution
}

/** The engine that a text names: `SGLang`, `llama-server`, `vllm/vllm-openai:v0.15.0`; null where it names none. */
export function engineNamed(text: string): EngineKind | null {
  return KINDS.find((kind) => NAMES[kind].named?.test(text)) ?? null
}

/** The engine whose own fields stand in an answer; null where there are none. */
export function engineOfBody(body: string): EngineKind | null {
  const ends = `${body.slice(0, LOOKED_AT)}\n${body.slice(-LOOKED_AT)}`
  return KINDS.find((kind) => NAMES[kind].body?.test(ends)) ?? null
}

const LOOKED_AT = 16_384
