import type { About } from './dialect.ts'
import { cacheUsage } from './dialect.ts'
import { atLeast } from './version.ts'

/** What SGLang says about itself, by path (sglang.md 1.2, 1.3). */
export function sglangFacts(about: About, version: string): ReadonlyMap<string, unknown> {
  const { model, context } = about
  const path = `/srv/models/${model}`
  const modelInfo = {
    model_path: path,
    tokenizer_path: path,
    is_generation: true,
    preferred_sampling_params: null,
    weight_version: 'default',
    has_image_understanding: true,
    has_audio_understanding: false,
    model_type: 'qwen3_5',
    architectures: ['Qwen3_5ForConditionalGeneration'],
  }
  const serverInfo = {
    model_path: path,
    served_model_name: model,
    tp_size: 2,
    mem_fraction_static: 0.88,
    context_length: context,
    reasoning_parser: 'qwen3',
    tool_call_parser: 'qwen3_coder',
    speculative_algorithm: 'NEXTN',
    // planted: no answer of the bot may ever show it
    api_key: PLANTED_API_KEY,
    max_total_num_tokens: 4 * context,
    max_req_input_len: context - 6,
    internal_states: [{ last_gen_throughput: 41.7, effective_max_running_requests_per_dp: 16 }],
    version,
  }
  const card = { id: model, object: 'model', created: 1_780_000_000, owned_by: 'sglang', root: path, parent: null }
  return new Map<string, unknown>([
    ['/v1/models', { object: 'list', data: [{ ...card, max_model_len: context }] }],
    ['/model_info', modelInfo],
    ['/get_model_info', modelInfo],
    ['/server_info', serverInfo],
    ['/get_server_info', serverInfo],
    ...loadRoutes(about, version),
  ])
}

/** Stands in `/server_info` as real SGLang shows its own key. */
export const PLANTED_API_KEY = 'sk-lab-0000-never-show-this-planted-key'

function loadRoutes(
  { running, waiting, context, tokensPerSecond }: About,
  version: string,
): readonly [string, unknown][] {
  const usage = cacheUsage(running)
  const tokens = Math.round(usage * 4 * context)
  const rank = {
    dp_rank: 0,
    num_running_reqs: running,
    num_waiting_reqs: waiting,
    num_used_tokens: tokens,
    max_total_num_tokens: 4 * context,
    max_running_requests: 16,
    token_usage: usage,
    gen_throughput: running * tokensPerSecond,
  }
  const old = [{ dp_rank: 0, num_reqs: running + waiting, num_waiting_reqs: waiting, num_tokens: tokens }]
  if (!atLeast(version, [0, 5, 8])) return [['/get_load', old]]
  return [
    ['/v1/loads', { timestamp: new Date(0).toISOString(), version, loads: [rank] }],
    ['/get_load', old],
  ]
}
