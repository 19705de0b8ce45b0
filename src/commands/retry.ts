import { z } from 'zod'
import { defineTargetCommand } from '../domain/command.ts'
import { sentence } from '../domain/failure.ts'
import { HIDDEN } from '../domain/redact.ts'
import { refusal } from '../domain/report.ts'
import { overrides, smokeFlags } from './smoke/flags.ts'
import { proveModel } from './smoke/prove.ts'

/** `@pilotflame retry max_tokens=4000` in a thread: its last smoke again, with what is given changed. */
export const retry = defineTargetCommand({
  word: 'retry',
  verb: null,
  summary: 'Run this thread’s last smoke again, with what you give changed',
  usage: 'retry [max_tokens=N] [temperature=T] [think=on|off] [--target NAME] [--no-stream]',
  examples: ['retry', 'retry max_tokens=8000', 'retry think=off'],
  access: 'read',
  needsMention: true,
  where: 'chat',
  takes: 'nothing',
  flags: smokeFlags,
  args: z.object(overrides),
  async run(given, tools) {
    const several = await tools.memory.several()
    if (!several.ok) return refusal(sentence(several.failure), 'failed')
    const meant = await tools.memory.meant(several.value.includes(tools.target.name) ? tools.target.name : null)
    if (!meant.ok) return refusal(sentence(meant.failure), 'failed')
    if (meant.value === null)
      return refusal('No smoke has ended in this thread yet. Start with: smoke "Say hello"', 'usage')
    const before = meant.value.smoke
    if (before === null) {
      return refusal('The prompt of that attempt is not kept any more. Ask again with: smoke "PROMPT"', 'refused')
    }
    if (before.request.prompt.includes(HIDDEN)) {
      return refusal('The prompt of that attempt held a secret, which was not kept. Ask again with: smoke "PROMPT"')
    }
    const sameTarget = meant.value.target === tools.target.name
    return proveModel(tools, {
      ...before.request,
      budget: given.maxTokens ?? before.request.budget,
      temperature: given.temperature ?? before.request.temperature,
      thinking: given.think ?? before.request.thinking,
      stream: given.noStream === undefined ? before.request.stream : false,
      model: sameTarget ? before.request.model : null,
    })
  },
})
