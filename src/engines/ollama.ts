import type { Engine } from '../domain/engine.ts'
import { listedInfo, openai } from './openai.ts'

/** Ollama by its `/v1` routes; never told by `/api/tags`, which SGLang emulates (sglang.md 1.2). */
export const ollama: Engine = {
  ...openai,
  kind: 'ollama',
  detect: ({ ownedBy }) => ownedBy === 'library',
  info: listedInfo('ollama'),
}
