import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startDuel } from '../test/far/nemesis/duel.ts'
import { issued, overlapping, refused } from '../test/far/nemesis/record.ts'

// Two bots, one of them stopped again and again, restart one unit for minutes; then the same without the fence.
// `npm run soak -- duel --minutes 10 --seed 1`. Needs root, for the machine that it starts.

const { values } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: 'string', default: '10' }, seed: { type: 'string' } },
})
const seed = Number(values.seed ?? Date.now() % 1_000_000)
process.stdout.write(`seed ${seed}\n`)

const fenced = await duel(true, Number(values.minutes) * 60_000)
const control = await duel(false, 45_000)
process.stdout.write(
  `${fenced.issued} restarts, ${fenced.refused} stale attempts refused, ${fenced.overlapping} overlapping; ` +
    `control: ${control.overlapping} overlapping of ${control.issued}\n`,
)
if (fenced.overlapping > 0 || !fenced.told || !control.told || control.overlapping === 0) process.exitCode = 1

/** `told`: whether root did exactly what the bots say, and whatever was not done was refused as stale */
async function duel(fence: boolean, ms: number) {
  const running = await startDuel({ fenced: fence, seed })
  const from = performance.now()
  for (let left = ms; left > 0; left = from + ms - performance.now()) {
    await delay(Math.min(left, 60_000))
    say(fence, Math.round((performance.now() - from) / 1000), running.pauses(), running.attempts)
  }
  const { attempts, byRoot } = await running.end()
  const [done, stale] = [issued(attempts).length, refused(attempts).length]
  const told = byRoot === done && done + stale === attempts.length
  if (!told) process.stdout.write(`${attempts.length} attempts: ${done} done, ${stale} stale, ${byRoot} by root\n`)
  return { issued: done, refused: stale, overlapping: overlapping(attempts), told }
}

function say(fence: boolean, seconds: number, pauses: number, attempts: Parameters<typeof issued>[0]): void {
  const counts = `${issued(attempts).length} restarts, ${refused(attempts).length} refused, ${overlapping(attempts)} overlapping`
  process.stdout.write(`${fence ? 'fence' : 'control'} ${seconds} s: ${pauses} pauses, ${counts}\n`)
}
