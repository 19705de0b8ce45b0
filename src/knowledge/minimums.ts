import type { Minimum, Origin } from '../domain/knowledge.ts'
import type { EngineKind } from '../domain/target.ts'
import { cardOf, cookbook, sglangPull, sglangTag, vllmRecipes } from './sources.ts'

/** What the sources say, each as it says it; they do not agree everywhere, and the newest of them counts. */
export const minimums: readonly Minimum[] = [
  serves('qwen3', 'sglang', '0.4.6', cookbook),
  tested('qwen3', '0.8.5'),
  serves('qwen3-thinking', 'sglang', '0.4.6', cookbook),
  tested('qwen3-thinking', '0.8.5'),
  serves('qwen3-next', 'sglang', '0.5.2', cookbook),
  tested('qwen3-vl', '0.11.0'),
  serves('qwen3.5-dense', 'sglang', '0.5.10', cardOf('Qwen/Qwen3.6-35B-A3B')),
  serves('qwen3.5-dense', 'sglang', '0.5.10', cookbook),
  serves('qwen3.5-dense', 'sglang', '0.5.11', sglangPull(22312, 'read')),
  serves('qwen3.5-dense', 'vllm', '0.19.0', cardOf('Qwen/Qwen3.6-35B-A3B')),
  tested('qwen3.5-dense', '0.17.0'),
  serves('qwen3.5-moe', 'sglang', '0.5.10', cardOf('Qwen/Qwen3.6-35B-A3B')),
  serves('qwen3.5-moe', 'sglang', '0.5.10', cookbook),
  serves('qwen3.5-moe', 'vllm', '0.19.0', cardOf('Qwen/Qwen3.6-35B-A3B')),
  tested('qwen3.5-moe', '0.17.0'),
  tested('deepseek-v3', '0.12.0'),
  tested('deepseek-r1', '0.12.0'),
  serves('deepseek-v3.2', 'sglang', '0.5.8', cookbook),
  tested('deepseek-v3.2', '0.12.0'),
  serves('deepseek-v4', 'sglang', '0.5.12', cookbook),
  tested('deepseek-v4', '0.20.0'),
  serves('kimi-k2', 'sglang', '0.4.9.post2', sglangTag('0.4.9.post2', 'python/sglang/srt/function_call')),
  tested('kimi-k2', '0.12.0'),
  serves('kimi-k2.5', 'sglang', '0.5.9', cookbook),
  tested('kimi-k2.5', '0.19.1'),
  serves('kimi-k3', 'sglang', '0.5.17', cookbook),
  tested('kimi-k3', '0.27.1'),
  serves('glm-4.5', 'sglang', '0.4.9.post5', cookbook),
  tested('glm-4.5', '0.11.0'),
  serves('glm-4.7-flash', 'sglang', '0.5.8', cookbook),
  serves('glm-5', 'sglang', '0.5.9', cookbook),
  tested('glm-5', '0.16.0'),
  serves('gpt-oss', 'sglang', '0.5.0rc1', sglangTag('0.5.0rc1', 'python/sglang/srt/reasoning_parser.py')),
  tested('gpt-oss', '0.10.0'),
  serves('minimax-m2', 'sglang', '0.5.4.post1', cookbook),
  tested('minimax-m2', '0.11.0'),
  serves('minimax-m3', 'sglang', '0.5.16', cookbook),
  tested('minimax-m3', '0.24.0'),
  serves('gemma-4', 'sglang', '0.5.11', cookbook),
  tested('gemma-4', '0.19.1'),
  serves('mistral-3', 'sglang', '0.5.6.post1', cookbook),
  tested('mistral-3', '0.11.0'),
  serves('nemotron-3', 'sglang', '0.5.3.post1', cookbook),
  tested('nemotron-3', '0.11.2'),
  serves('step-3.5', 'sglang', '0.5.9', cookbook),
  tested('step-3.5', '0.11.0'),
  serves('mimo-v2', 'sglang', '0.5.7', cookbook),
  tested('mimo-v2', '0.11.0'),
]

function serves(family: string, engine: EngineKind, version: string, origin: Origin): Minimum {
  return { family, engine, version, means: 'serves', ...origin }
}

/** What the recipes of vLLM were written for. */
function tested(family: string, version: string): Minimum {
  return { family, engine: 'vllm', version, means: 'tested', ...vllmRecipes }
}
