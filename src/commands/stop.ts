import { z } from 'zod'
import { defineCommand } from '../domain/command.ts'
import { refusal, report } from '../domain/report.ts'

/** What the Stop button runs: ends one of our own requests; the engine drops it when the stream closes. */
export const stop = defineCommand({
  word: 'stop',
  verb: null,
  summary: 'Stop a run that is under way (what its Stop button does)',
  usage: 'stop RUN',
  access: 'read',
  takes: 'words',
  args: z.object({ words: z.tuple([z.string()], { error: 'exactly one run is wanted' }) }),
  async run({ words: [id] }, tools) {
    if (!tools.runs.stop(id, tools.ask.person)) {
      return refusal('That run is not under way any more, so nothing was stopped.', 'refused')
    }
    return report({
      tone: 'neutral',
      status: 'done',
      title: 'Stopping. What had arrived by now is judged in the thread.',
    })
  },
})
