import { parseArgs } from 'node:util'
import { chaos } from '../test/chaos/run.ts'
import { inWords } from '../test/chaos/tally.ts'

// The bot as a process of its own, killed about every fiftieth ask, on a Slack where everything goes wrong; the same for a
// bot that is made as Bolt's documentation shows it. `npm run soak -- chaos --asks 10000 --seed 1`.

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    asks: { type: 'string', default: '10000' },
    seed: { type: 'string' },
    every: { type: 'string', default: '50' },
    rate: { type: 'string', default: '40' },
  },
})
const seed = Number(values.seed ?? Date.now() % 1_000_000)
const storm = { asks: Number(values.asks), seed, perSecond: Number(values.rate), killEvery: Number(values.every) }
process.stdout.write(`seed ${seed}\n`)

const [ours, control] = await Promise.all([chaos({ ...storm, who: 'pilotflame' }), chaos({ ...storm, who: 'default' })])
process.stdout.write(`${inWords('pilotflame', ours)}\n${inWords('Bolt’s default', control)}\n`)
const faults = [...ours.unanswered, ...ours.doubled, ...ours.unended, ...ours.twice]
for (const fault of faults.slice(0, 20)) process.stdout.write(`${fault}\n`)
if (faults.length > 0 || ours.deeds > ours.confirmed) process.exitCode = 1
