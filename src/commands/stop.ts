import { z } from 'zod'
import { defineCommand } from '../domain/command.ts'
import { refusal, report } from '../domain/report.ts'

/** What the Stop button runs: ends requests of our own; the engine drops them when the stream closes. */
export const stop = defineCommand({
  word: 'stop',
  verb: null,
  summary: 'Stop what runs in this thread (the Stop button stops its own run)',
  usage: 'stop',
  access: 'read',
  needsMention: true,
  where: 'chat',
  takes: 'words',
  args: z.object({ words: z.array(z.string()).max(1, 'at most one run is wanted') }),
  async run({ words: [id] }, { ask, runs }) {
    const stopped = id === undefined ? runs.stopIn(ask.place, ask.person) > 0 : runs.stop(id, ask.person)
    if (stopped) return report({ tone: 'neutral', status: 'done', title: STOPPING })
    return refusal(id === undefined ? 'Nothing runs in this thread.' : GONE)
  },
})

const STOPPING = 'Stopping. What had arrived by now is judged in the thread.'
const GONE = 'That run has ended, or Pilotflame was restarted since; nothing was stopped.'
