import { z } from 'zod'
import type { Tools } from '../domain/command.ts'
import { defineCommand } from '../domain/command.ts'
import { sentence } from '../domain/failure.ts'
import type { Report } from '../domain/report.ts'
import { refusal } from '../domain/report.ts'
import type { Shown } from '../domain/shown.ts'
import { explainAttempt } from './explain/attempt.ts'
import { isTalk, materialFor, pastedIn, textAlone } from './explain/material.ts'
import { readFiles } from './explain/read-files.ts'
import { explainedReport } from './explain/report.ts'

/** `@pilotflame explain` with a log, an answer or an nvidia-smi output: what is wrong in it, why, and what to do. */
export const explain = defineCommand({
  word: 'explain',
  verb: null,
  summary:
    'Say what is wrong in a log, an answer or an nvidia-smi output that you show, or that was shown in this thread since its last smoke; else why that smoke failed',
  usage: 'explain [TEXT] [--target NAME]',
  examples: ['explain RuntimeError: Not enough memory. Please try to increase --mem-fraction-static.', 'explain'],
  access: 'read',
  where: 'chat',
  inTerminal: 'Next: pilotflame diagnose < FILE reads what you would paste there.',
  needsMention: true,
  takes: 'text',
  flags: [{ name: 'target', kind: 'name', value: 'NAME', help: 'this thread’s last smoke on that target' }],
  args: z.object({ prompt: z.string().nullable(), target: z.string().optional() }),
  async run({ prompt, target }, tools) {
    const pasted = pastedIn(prompt)
    if (target !== undefined && pasted === null) return explainLast(target, null, tools)
    const own = pasted === null || isTalk(pasted) ? null : pasted
    const [shown, before] = await Promise.all([tools.shown(), lastAt(tools)])
    const material = await materialFor(own, shown, before, (files) => readFiles(files, tools))
    if (material.length > 0) return explainedReport(material, tools)
    // "explain this", and there is nothing else that could be meant
    return pasted !== null && before === null
      ? explainedReport([textAlone(pasted)], tools)
      : explainLast(null, shown, tools)
  },
})

/** When the thread's last smoke ended, in ms since 1970: what was shown before it was not meant; null without one. */
async function lastAt({ memory }: Tools): Promise<number | null> {
  const last = await memory.meant(null)
  return last.ok ? (last.value?.at ?? null) : null
}

async function explainLast(target: string | null, shown: Shown | null, tools: Tools): Promise<Report> {
  const meant = await tools.memory.meant(target)
  if (!meant.ok) return refusal(sentence(meant.failure), 'failed')
  if (meant.value !== null) return explainAttempt(meant.value, tools)
  const why = shown === null || shown.above.ok ? null : sentence(shown.above.failure)
  return refusal(why === null ? NOTHING : `Nothing to explain came with it. ${why}`, 'usage')
}

const NOTHING =
  'There is nothing to explain: no text behind the word, no file, and no smoke in this thread. Next: paste a log, the body of an answer or what nvidia-smi prints behind explain.'
