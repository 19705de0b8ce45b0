import { parseArgs } from 'node:util'
import type { Text } from './stock/collect.ts'
import { farLogs } from './stock/far-logs.ts'
import { judgeAnswers, judgeLogs, ownLogs, stockOf } from './stock/run.ts'
import { complaints, line, tallies } from './stock/tally.ts'

// Judges what is harmless: thousands of texts of this machine's packages as answers and as logs. None may be cut or called
// broken. `npm run soak -- stock --answers 4000 --logs 2000`; each answer is judged in all ways in which it may come. As
// root, logs of a far side are made and judged, too.

const { values } = parseArgs({
  allowPositionals: true,
  options: { answers: { type: 'string', default: '4000' }, logs: { type: 'string', default: '2000' } },
})
const say = (text: string): void => void process.stdout.write(`${text}\n`)

const stock = stockOf(Number(values.answers), Number(values.logs), [...(await fromFarSide()), ...ownLogs()])
const answers = judgeAnswers(stock.answers, 'all')
const logs = judgeLogs(stock.logs)

say('\nas answers')
for (const one of tallies(answers, ({ text }) => text.kind.name)) say(line(one))
say('')
for (const one of tallies(answers, ({ text }) => `all ${text.kind.nature}`)) say(line(one))
say('\nas logs')
for (const one of tallies(logs, ({ text }) => text.kind.name)) say(line(one))
say('')
const all = [...answers, ...logs]
const [sum] = tallies(all, () => 'all')
if (sum !== undefined) say(line(sum))
for (const one of complaints(all)) say(one)
if (sum === undefined || sum.cuts + sum.accused > 0) process.exitCode = 1

async function fromFarSide(): Promise<readonly Text[]> {
  try {
    return await farLogs(say)
  } catch (error) {
    say(`SKIPPED logs of the far side: ${error instanceof Error ? error.message : String(error)}`)
    return []
  }
}
