import { parseArgs } from 'node:util'
import { chaos } from '../test/chaos/run.ts'
import { faultsOf, inWords } from '../test/chaos/tally.ts'

// The bot as a process of its own, killed about every fiftieth ask, on a Slack where everything goes wrong; the same for a
// bot that is made as Bolt's documentation shows it. `npm run soak -- chaos --asks 10000 --seed 1`.

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    asks: { type: 'string', default: '10000' },
    seed: { type: 'string' },
    every: { type: 'string', default: '50' },
    rate: { type: 'string', default: '60' },
  },
})
const seed = Number(values.seed ?? Date.now() % 1_000_000)
const storm = { asks: Number(values.asks), seed, perSecond: Number(values.rate), killEvery: Number(values.every) }
process.stdout.write(`seed ${seed}\n`)

const [ours, control] = await Promise.all([
  chaos({ ...storm, who: 'pilotflame', progress: eachMinute('pilotflame') }),
  chaos({ ...storm, who: 'default', progress: eachMinute('Bolt’s default') }),
])
process.stdout.write(`${inWords('pilotflame', ours)}\n${inWords('Bolt’s default', control)}\n`)
const faults = faultsOf(ours)
for (const fault of faults.slice(0, 20)) process.stdout.write(`${fault}\n`)
if (faults.length > 0) process.exitCode = 1

/** `pilotflame 60 s: 1,040 of 10,000 asks, 21 kills` */
function eachMinute(name: string): (sent: number, kills: number) => void {
  const from = performance.now()
  let told = 0
  return (sent, kills) => {
    const minutes = Math.floor((performance.now() - from) / 60_000)
    if (minutes === told) return
    told = minutes
    process.stdout.write(`${name} ${minutes * 60} s: ${sent} of ${storm.asks} asks, ${kills} kills\n`)
  }
}
