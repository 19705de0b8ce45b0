import { z } from 'zod'
import { defineCommand } from '../domain/command.ts'
import { ENGINE_KINDS } from '../domain/target.ts'
import { readVersion } from '../judge/version.ts'
import { aboutModel } from './knowledge/model.ts'
import { aboutOurselves } from './knowledge/ourselves.ts'

/** `knowledge check Qwen3.6-27B --engine sglang --version 0.5.9 --tp 2`: what is known of a model; alone, whether the knowledge holds. */
export const knowledgeCheck = defineCommand({
  word: 'knowledge',
  verb: 'check',
  summary:
    'Show what is known of a model on an engine; without one, check the knowledge itself and your servers against it',
  usage: 'knowledge check [MODEL] [--engine KIND] [--version V] [--tp N] [--quantisation Q]',
  examples: ['knowledge check', 'knowledge check Qwen/Qwen3.6-27B --engine sglang --version 0.5.9 --tp 2'],
  access: 'read',
  needsMention: true,
  takes: 'models',
  flags: [
    { name: 'engine', kind: 'name', value: 'KIND', help: `one of ${ENGINE_KINDS.join(', ')}` },
    { name: 'version', kind: 'name', value: 'V', help: 'of the engine, such as 0.5.9' },
    { name: 'tp', kind: 'number', value: 'N', help: 'how many GPUs share the model (--tp-size)' },
    { name: 'quantisation', kind: 'name', value: 'Q', help: 'such as fp8, awq or gptq' },
  ],
  args: z
    .object({
      words: z.array(z.string().max(300)).max(1, 'one model is wanted, by its name or path'),
      engine: z.enum(ENGINE_KINDS, `give one of ${ENGINE_KINDS.join(', ')}`).optional(),
      version: z
        .string()
        .refine((text) => readVersion(text) !== null, 'give a version such as 0.5.9')
        .optional(),
      tp: z.coerce.number().int().min(1).max(1024).optional(),
      quantisation: z.string().max(40).toLowerCase().optional(),
    })
    .refine(
      ({ words, engine, version, tp, quantisation }) =>
        words.length > 0 || [engine, version, tp, quantisation].every((one) => one === undefined),
      'name the model as well',
    )
    .refine(
      ({ engine, version }) => version === undefined || engine !== undefined,
      'say of which engine the version is: --engine KIND',
    ),
  async run({ words: [model], engine, version, tp, quantisation }, tools) {
    if (model === undefined) return aboutOurselves(tools)
    return aboutModel({ model, engine, version, tp, quantisation }, tools)
  },
})
