import { z } from 'zod'
import { defineTargetCommand } from '../domain/command.ts'
import type { SmokeRequest } from '../domain/smoke.ts'
import type { Target } from '../domain/target.ts'
import { onFlag, overrides, smokeFlags } from './smoke/flags.ts'
import { proveModel } from './smoke/prove.ts'
import { proveSeveral } from './smoke/several.ts'

/** What is asked where nobody gives a prompt. */
const HELLO = 'Say hello in one sentence.'

/** `/smoke "Say hello"`: one request, streamed and judged. */
export const smoke = defineTargetCommand({
  word: 'smoke',
  verb: null,
  summary: 'Ask the model something and judge the answer, reasoning and content apart',
  usage:
    'smoke "PROMPT" [--target NAME | on NAME, NAME | on all] [--max-tokens N] [--temperature T] [--think on|off] [--no-stream]',
  examples: [
    'smoke "Say hello"',
    'smoke why is the sky blue --target qwen',
    'smoke "What is 2+2?" --max-tokens 200',
    'smoke "Say hello" on all',
  ],
  access: 'read',
  needsMention: true,
  takes: 'prompt',
  flags: [...smokeFlags, onFlag],
  args: z
    .object({ prompt: z.string().nullable(), target: z.string().optional(), on: z.string().optional(), ...overrides })
    .refine(({ target, on }) => target === undefined || on === undefined, 'give --target or --on, not both'),
  run: (given, tools) => proveModel(tools, requestFor(given, tools.target)),
  runOnSeveral: (given, tools) => proveSeveral(tools, given.on ?? '', (target) => requestFor(given, target)),
})

interface Given {
  readonly prompt: string | null
  readonly maxTokens?: number | undefined
  readonly temperature?: number | undefined
  readonly think?: boolean | undefined
  readonly noStream?: string | undefined
}

function requestFor(given: Given, target: Target): SmokeRequest {
  return {
    prompt: given.prompt ?? HELLO,
    budget: given.maxTokens ?? target.budget,
    temperature: given.temperature ?? null,
    thinking: given.think ?? null,
    stream: given.noStream === undefined,
    model: null,
  }
}
