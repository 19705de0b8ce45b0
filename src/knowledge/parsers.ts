import type { Origin, ParserKind, Parsers } from '../domain/knowledge.ts'
import type { EngineKind } from '../domain/target.ts'
import { cookbook, vllmRecipes } from './sources.ts'

type Names = Parsers['names']

/**
 * The parsers that fit, the one to take first, then others that read the same marks. Whatever fits in some version
 * stands here: a name that is missing would accuse a server that is fine.
 */
export const parsers: readonly Parsers[] = [
  sglang('qwen3', 'reasoning', ['qwen3', 'qwen3-thinking'], '0.4.6'),
  sglang('qwen3', 'tool', ['qwen25', 'qwen', 'hermes'], null),
  sglang('qwen3-thinking', 'reasoning', ['qwen3-thinking', 'qwen3', 'deepseek-r1'], '0.4.9.post4'),
  sglang('qwen3-thinking', 'tool', ['qwen25', 'qwen', 'hermes'], null),
  sglang('qwen3-coder', 'tool', ['qwen3_coder'], null),
  sglang('qwen3-next', 'reasoning', ['qwen3', 'qwen3-thinking', 'deepseek-r1'], null),
  sglang('qwen3-next', 'tool', ['qwen', 'qwen25', 'qwen3_coder', 'hermes'], null),
  sglang('qwen3-vl', 'reasoning', ['qwen3', 'qwen3-thinking', 'deepseek-r1'], null),
  sglang('qwen3-vl', 'tool', ['qwen', 'qwen25', 'hermes'], null),
  sglang('qwen3.5-dense', 'reasoning', ['qwen3'], null),
  sglang('qwen3.5-dense', 'tool', ['qwen3_coder', 'hermes'], null),
  sglang('qwen3.5-moe', 'reasoning', ['qwen3'], null),
  sglang('qwen3.5-moe', 'tool', ['qwen3_coder', 'hermes'], null),
  sglang('deepseek-r1', 'reasoning', ['deepseek-r1'], '0.4.3.post3'),
  sglang('deepseek-r1', 'tool', ['deepseekv3'], '0.4.5.post3'),
  sglang('deepseek-v3', 'tool', ['deepseekv3'], '0.4.5.post3'),
  sglang('deepseek-v3.1', 'reasoning', ['deepseek-v3'], '0.5.1'),
  sglang('deepseek-v3.1', 'tool', ['deepseekv31'], '0.5.1.post3'),
  sglang('deepseek-v3.2', 'reasoning', ['deepseek-v3', 'deepseek-v31', 'deepseek-v32'], '0.5.1'),
  sglang('deepseek-v3.2', 'tool', ['deepseekv32', 'deepseekv31'], '0.5.6'),
  sglang('deepseek-v4', 'reasoning', ['deepseek-v4'], null),
  sglang('deepseek-v4', 'tool', ['deepseekv4'], null),
  sglang('kimi-k2', 'reasoning', ['kimi_k2'], '0.5.5'),
  sglang('kimi-k2', 'tool', ['kimi_k2'], '0.4.9.post2'),
  sglang('kimi-k2.5', 'reasoning', ['kimi_k2'], '0.5.5'),
  sglang('kimi-k2.5', 'tool', ['kimi_k2'], '0.4.9.post2'),
  sglang('kimi-k3', 'reasoning', ['kimi_k3'], '0.5.17'),
  sglang('kimi-k3', 'tool', ['kimi_k3'], '0.5.17'),
  sglang('glm-4.5', 'reasoning', ['glm45'], null),
  sglang('glm-4.5', 'tool', ['glm45', 'glm47', 'glm'], null),
  sglang('glm-4.7-flash', 'reasoning', ['glm45'], null),
  sglang('glm-4.7-flash', 'tool', ['glm47', 'glm45', 'glm'], '0.5.7'),
  sglang('glm-5', 'reasoning', ['glm45'], null),
  sglang('glm-5', 'tool', ['glm47', 'glm45', 'glm'], '0.5.7'),
  sglang('gpt-oss', 'reasoning', ['gpt-oss'], '0.5.0rc1'),
  sglang('gpt-oss', 'tool', ['gpt-oss'], '0.5.0rc1'),
  sglang('minimax-m2', 'reasoning', ['minimax-append-think', 'minimax'], null),
  sglang('minimax-m2', 'tool', ['minimax-m2'], null),
  sglang('minimax-m3', 'reasoning', ['minimax-m3'], '0.5.16'),
  sglang('llama-4', 'tool', ['pythonic', 'llama4'], null),
  sglang('gemma-4', 'reasoning', ['gemma4'], null),
  sglang('gemma-4', 'tool', ['gemma4'], null),
  sglang('mistral-3', 'reasoning', ['mistral'], '0.5.10rc0'),
  sglang('mistral-3', 'tool', ['mistral'], null),
  sglang('nemotron-3', 'reasoning', ['nemotron_3', 'nano_v3', 'deepseek-r1'], '0.5.10rc0'),
  sglang('nemotron-3', 'tool', ['qwen3_coder'], null),
  sglang('step-3.5', 'reasoning', ['step3p5'], null),
  sglang('step-3.5', 'tool', ['step3p5'], null),
  sglang('mimo-v2', 'reasoning', ['mimo', 'qwen3'], '0.5.10'),
  sglang('mimo-v2', 'tool', ['mimo'], null),
  vllm('qwen3', 'reasoning', ['qwen3']),
  vllm('qwen3', 'tool', ['hermes']),
  vllm('qwen3-thinking', 'reasoning', ['qwen3', 'deepseek_r1']),
  vllm('qwen3-thinking', 'tool', ['hermes']),
  vllm('qwen3-coder', 'tool', ['qwen3_coder', 'qwen3_xml']),
  vllm('qwen3-next', 'tool', ['hermes', 'qwen3_coder', 'qwen3_xml']),
  vllm('qwen3.5-dense', 'reasoning', ['qwen3']),
  vllm('qwen3.5-dense', 'tool', ['qwen3_coder', 'qwen3_xml', 'hermes']),
  vllm('qwen3.5-moe', 'reasoning', ['qwen3']),
  vllm('qwen3.5-moe', 'tool', ['qwen3_coder', 'qwen3_xml', 'hermes']),
  vllm('deepseek-r1', 'reasoning', ['deepseek_r1']),
  vllm('deepseek-r1', 'tool', ['deepseek_v3']),
  vllm('deepseek-v3.1', 'reasoning', ['deepseek_v3']),
  vllm('deepseek-v3.1', 'tool', ['deepseek_v31']),
  vllm('deepseek-v3.2', 'reasoning', ['deepseek_v3']),
  vllm('deepseek-v3.2', 'tool', ['deepseek_v32']),
  vllm('deepseek-v4', 'reasoning', ['deepseek_v4']),
  vllm('kimi-k2', 'reasoning', ['kimi_k2']),
  vllm('kimi-k2', 'tool', ['kimi_k2']),
  vllm('kimi-k2.5', 'reasoning', ['kimi_k2']),
  vllm('kimi-k2.5', 'tool', ['kimi_k2']),
  vllm('kimi-k3', 'reasoning', ['kimi_k3']),
  vllm('glm-4.5', 'reasoning', ['glm45']),
  vllm('glm-4.5', 'tool', ['glm45', 'glm47']),
  vllm('glm-5', 'reasoning', ['glm45']),
  vllm('glm-5', 'tool', ['glm47', 'glm45']),
  vllm('gpt-oss', 'reasoning', ['openai_gptoss', 'gptoss']),
  vllm('gpt-oss', 'tool', ['openai', 'gptoss']),
  vllm('minimax-m2', 'reasoning', ['minimax_m2', 'minimax_m2_append_think']),
  vllm('minimax-m2', 'tool', ['minimax_m2']),
  vllm('minimax-m3', 'reasoning', ['minimax_m3']),
  vllm('llama-4', 'tool', ['llama4_pythonic', 'pythonic', 'llama4_json']),
  vllm('gemma-4', 'reasoning', ['gemma4']),
  vllm('gemma-4', 'tool', ['gemma4']),
  vllm('mistral-3', 'reasoning', ['mistral']),
  vllm('mistral-3', 'tool', ['mistral']),
  vllm('nemotron-3', 'reasoning', ['nemotron_v3', 'nano_v3']),
  vllm('nemotron-3', 'tool', ['qwen3_coder', 'qwen3_xml']),
  vllm('step-3.5', 'reasoning', ['step3p5']),
  vllm('mimo-v2', 'reasoning', ['qwen3', 'mimo']),
]

function sglang(family: string, of: ParserKind, names: Names, since: string | null): Parsers {
  return parsersOf('sglang', family, of, names, since, cookbook)
}

function vllm(family: string, of: ParserKind, names: Names): Parsers {
  return parsersOf('vllm', family, of, names, null, vllmRecipes)
}

function parsersOf(
  engine: EngineKind,
  family: string,
  of: ParserKind,
  names: Names,
  since: string | null,
  from: Origin,
): Parsers {
  return { family, engine, of, names, since, ...from }
}
