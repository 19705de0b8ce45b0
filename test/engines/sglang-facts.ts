import type { EngineInfo, EngineLoad } from '../../src/domain/engine.ts'
import type { Dialect } from '../contract/engine-dialect.ts'
import type { Version } from './sglang-dialect.ts'

/** What SGLang says about itself, by path: the names before and since 0.5.6 (sglang.md 1.2, 1.3). */
export function factsOf(version: Version): Dialect['facts'] {
  return {
    '/v1/models': { object: 'list', data: [CARD] },
    // answers as Ollama would, which it is not
    '/api/tags': { models: [{ name: 'qwen3.6-27b', model: 'qwen3.6-27b' }] },
    '/': 'Ollama is running',
    [version.after13 ? '/server_info' : '/get_server_info']: {
      version: version.version,
      model_path: '/srv/models/demo-27b',
      api_key: 'sk-planted',
      admin_api_key: 'sk-planted',
      tp_size: 2,
      reasoning_parser: 'qwen3',
      context_length: null,
      internal_states: [{ api_key: 'sk-planted', last_gen_throughput: 41.2 }],
    },
    [version.after13 ? '/model_info' : '/get_model_info']: {
      model_path: '/srv/models/demo-27b',
      is_generation: true,
    },
    '/v1/loads?include=core': version.after13 ? loadsOf(version) : { ...loadsOf(version), ...SUMMED },
  }
}

export function infoIn({ version }: Version): EngineInfo {
  return {
    kind: 'sglang',
    version,
    models: ['qwen3.6-27b'],
    loaded: '/srv/models/demo-27b',
    context: 262144,
    reasoningParser: 'qwen3',
    tensorParallel: 2,
  }
}

export const LOAD: EngineLoad = {
  running: 5,
  waiting: 3,
  cacheUsage: 0.25,
  tokensPerSecond: 130.5,
  resident: null,
  asked: '/v1/loads?include=core',
}

const CARD = {
  id: 'qwen3.6-27b',
  object: 'model',
  created: 1,
  owned_by: 'sglang',
  root: 'qwen3.6-27b',
  parent: null,
  max_model_len: 262144,
}

/** Two data-parallel ranks. */
function loadsOf({ version }: Version) {
  return {
    timestamp: '2026-08-20T10:00:00+00:00',
    version,
    loads: [
      { dp_rank: 0, num_running_reqs: 3, num_waiting_reqs: 1, token_usage: 0.125, gen_throughput: 100.25 },
      { dp_rank: 1, num_running_reqs: 2, num_waiting_reqs: 2, token_usage: 0.375, gen_throughput: 30.25 },
    ],
  }
}

/** Its throughput is the mean of the ranks, which is not what the server writes. */
const SUMMED = {
  dp_rank_count: 2,
  aggregate: { total_running_reqs: 5, total_waiting_reqs: 3, avg_token_usage: 0.25, avg_throughput: 65.25 },
}
