import { z } from 'zod'
import { defineTargetCommand } from '../domain/command.ts'
import { overrides, smokeFlags } from './smoke/flags.ts'
import { proveModel } from './smoke/prove.ts'

/** What is asked where nobody gives a prompt. */
const HELLO = 'Say hello in one sentence.'

/** `/smoke "Say hello"`: one request, streamed and judged. */
export const smoke = defineTargetCommand({
  word: 'smoke',
  verb: null,
  summary: 'Ask the model something and judge the answer, reasoning and content apart',
  usage: 'smoke "PROMPT" [--target NAME] [--max-tokens N] [--temperature T] [--think on|off] [--no-stream]',
  examples: ['smoke "Say hello"', 'smoke why is the sky blue --target qwen', 'smoke "What is 2+2?" --max-tokens 200'],
  access: 'read',
  needsMention: true,
  takes: 'prompt',
  flags: smokeFlags,
  args: z.object({ prompt: z.string().nullable(), ...overrides }),
  run(given, tools) {
    return proveModel(tools, {
      prompt: given.prompt ?? HELLO,
      budget: given.maxTokens ?? tools.target.budget,
      temperature: given.temperature ?? null,
      thinking: given.think ?? null,
      stream: given.noStream === undefined,
      model: null,
    })
  },
})
