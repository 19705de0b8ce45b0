import { DEFAULT_BUDGET } from '../src/domain/smoke.ts'
import { startModelServer } from '../src/lab/model-server.ts'
import { realEngine } from './far/engine.ts'
import { startBlackbox } from './incidents/blackbox.ts'
import { ours } from './incidents/ours.ts'
import { predicates } from './incidents/predicates.ts'
import type { Incident } from './incidents/served.ts'
import { INCIDENTS } from './incidents/served.ts'
import type { Seen } from './incidents/table.ts'
import { CHECKS, ourTally, table, tallyOf } from './incidents/table.ts'
import { print, skipped } from './measure.ts'
import { wantsWrite, writeReadme } from './rivals/table.ts'

/**
 * Eight incidents of model servers, live, and what status checks call them, beside the product's own verdict. All ask
 * the same with the same budget and wait equally long. Some misbehave by a real engine, where there is one.
 */

/** Tokens that may be spent by a prober which asks every few seconds. */
const LITTLE = 32

const blackbox = await startBlackbox([DEFAULT_BUDGET, LITTLE])
const engine = await realEngine()
const real = typeof engine === 'string' ? null : engine
if (blackbox === null) skipped('blackbox', 'prometheus-blackbox-exporter is not installed here')
if (typeof engine === 'string') skipped('real engine', engine)

const seen = await Promise.all(INCIDENTS.map((incident) => look(incident, DEFAULT_BUDGET)))
const healthy = INCIDENTS.filter(({ verdict }) => verdict === 'healthy')
const hurried = await Promise.all(healthy.map((incident) => look(incident, LITTLE)))
const text = [table(seen), served(), ...hurried.map(withLittle)].join('\n\n')
console.log(text)

const we = ourTally(seen)
print(`Pilotflame, right of ${seen.length}`, [we.right], ['>=', seen.length, 'count'])
print(
  `Pilotflame, healthy without an alarm of ${healthy.length}`,
  [healthy.length - we.falseAlarms],
  ['>=', healthy.length, 'count'],
)
for (const { check, title } of CHECKS) {
  const tally = tallyOf(check, seen)
  if (tally !== null) print(`   ${title}, right of ${seen.length}`, [tally.right])
}
if (wantsWrite()) {
  if (blackbox === null || real === null)
    throw new Error('the README shows blackbox and a real engine: nothing written')
  writeReadme('incidents', text)
}
// the far programs end with us
process.exit()

/** One after the other: three at once would share what the engine can do. */
async function look(incident: Incident, budget: number): Promise<Seen> {
  const server = await serve(incident)
  const called = {
    ...(await predicates(server.url, budget)),
    blackboxStatus: blackbox === null ? null : await blackbox.status(server.url),
    blackboxChat: blackbox === null ? null : await blackbox.chat(server.url, budget),
  }
  const { verdict, code } = await ours(server.url, budget)
  await server.stop()
  return { incident, called, verdict, code }
}

async function serve({ lab, model }: Incident): Promise<{ readonly url: string; stop(): Promise<void> }> {
  if (real !== null && model !== null) return real.serve(model)
  const server = await startModelServer(lab)
  return { url: server.url, stop: server.close }
}

/** What a prober's own budget makes of a healthy model. */
function withLittle({ incident, called, code }: Seen): string {
  const alarms = CHECKS.filter(({ check }) => called[check] === false).map(({ title }) => title)
  const said = alarms.length === 0 ? 'no check raises an alarm' : `an alarm comes from: ${alarms.join('; ')}`
  return `Asked with ${LITTLE} tokens, "${incident.name}": ${said}. Pilotflame: \`${code}\`.`
}

/** By whom, and with what. */
function served(): string {
  const byReal = real === null ? [] : INCIDENTS.filter(({ model }) => model !== null)
  const names = byReal.map(({ name }) => `"${name}"`).join(' and ')
  const engines = real === null ? '' : `, but for ${names} by a real ${real.name}`
  const prober = blackbox === null ? '' : ` "blackbox" is prometheus-blackbox-exporter ${blackbox.version}.`
  return `Bold is wrong. Served by the lab's model server, which speaks as SGLang does${engines}.${prober}`
}
