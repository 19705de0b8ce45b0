import { expect, test } from 'vitest'
import { judgeAnswers, judgeLogs, stockOf } from '../scripts/stock/run.ts'
import { complaints, line, tallies } from '../scripts/stock/tally.ts'

/** So many, whatever the machine has; the packages of this project alone give them. */
const ANSWERS = 3_000
const LOGS = 1_000
/** Of the texts of one nature so many may be marked, in per cent: what repeats by nature and was cut looks like a loop. */
const MOST_MARKED = { prose: 0, markdown: 0.4, code: 0.3, data: 0.3, requested: 0 }

test(`${ANSWERS} harmless answers and ${LOGS} harmless logs: none is cut or called broken`, {
  timeout: 120_000,
}, () => {
  const stock = stockOf(ANSWERS, LOGS)
  expect(stock.answers.length).toBeGreaterThanOrEqual(ANSWERS)
  expect(stock.logs.length).toBeGreaterThanOrEqual(LOGS)
  const answers = judgeAnswers(stock.answers, 'in turn')
  const logs = judgeLogs(stock.logs)
  const natures = tallies(answers, ({ text }) => text.kind.nature)
  const all = tallies([...answers, ...logs], () => 'all')
  console.log([...natures, ...tallies(logs, () => 'logs'), ...all].map(line).join('\n'))
  const said = complaints([...answers, ...logs])
  expect(all, said.join('\n')).toMatchObject([{ cuts: 0, accused: 0 }])
  expect(tallies(logs, () => 'logs')).toMatchObject([{ marked: 0 }])
  for (const [nature, most] of Object.entries(MOST_MARKED)) {
    const one = natures.find(({ name }) => name === nature)
    expect((100 * (one?.marked ?? 1)) / (one?.texts ?? 1), `${nature}: ${said.join('\n')}`).toBeLessThanOrEqual(most)
  }
})
