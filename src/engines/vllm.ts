import type { Engine } from '../domain/engine.ts'
import { listedInfo, openai } from './openai.ts'

/** vLLM: reasoning in `reasoning`, `stop_reason`; the common dialect reads both. */
export const vllm: Engine = {
  ...openai,
  kind: 'vllm',
  detect: ({ ownedBy }) => ownedBy === 'vllm',
  info: listedInfo('vllm'),
}
