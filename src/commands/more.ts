import { z } from 'zod'
import { defineCommand } from '../domain/command.ts'
import { sentence } from '../domain/failure.ts'
import { refusal, report } from '../domain/report.ts'

/** What a "Show … more rows" button runs: the rows that an answer had no room for. */
export const more = defineCommand({
  word: 'more',
  verb: null,
  summary: 'Show the rows that an answer had no room for (its button runs this)',
  usage: 'more ID',
  access: 'read',
  needsMention: true,
  where: 'chat',
  takes: 'words',
  args: z.object({
    words: z.tuple([z.string().max(100, 'that is no id of an answer')], { error: 'exactly one id is wanted' }),
  }),
  async run({ words: [id] }, { records, clock }) {
    const found = await records.page(id)
    if (!found.ok) return refusal(sentence(found.failure), 'failed')
    if (found.value === null || found.value.expires <= clock.now()) return refusal(GONE)
    const { title, tables } = found.value.report
    return report({ tone: 'neutral', status: 'done', title, tables, json: { title, tables } })
  },
})

const GONE = 'Those rows are no longer kept. Next: ask the question again, which also shows how it is now.'
