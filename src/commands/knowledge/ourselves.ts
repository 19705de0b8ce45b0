import type { Tools } from '../../domain/command.ts'
import { sentence } from '../../domain/failure.ts'
import type { Report } from '../../domain/report.ts'
import { counted, report } from '../../domain/report.ts'
import type { Target } from '../../domain/target.ts'
import { inWords } from '../../judge/known.ts'
import { servedOf } from '../../judge/served.ts'
import { review, STALE_DAYS } from '../../knowledge/review.ts'
import { problemsOf } from './model.ts'

/** How long one server may take to tell what it is, in ms. */
const INFO_MS = 20_000
/** Lines that are shown of what is wrong or old. */
const MOST_LINES = 30

/** Whether the knowledge itself holds, and what it says of the servers that may be used here. */
export async function aboutOurselves(tools: Tools): Promise<Report> {
  const { facts, faults, stale } = review(tools.taught, tools.clock.now())
  const servers = await Promise.all(tools.targets.map((target) => lookAt(target, tools)))
  const bad = servers.filter(({ state }) => state === 'known fault')
  const status = faults.length + bad.length > 0 ? 'misconfigured' : 'done'
  const lines = [...faults.map((one) => `✗ ${one}`), ...stale.map((one) => `! ${one}, older than ${STALE_DAYS} days`)]
  return report({
    tone: status === 'misconfigured' ? 'bad' : stale.length > 0 ? 'warning' : 'good',
    status,
    title: titleOf(facts, { faults: faults.length, stale: stale.length, bad: bad.length }),
    tables:
      servers.length === 0
        ? []
        : [
            {
              title: 'Servers',
              columns: ['Target', 'Serves', 'Known of it'],
              rows: servers.map(({ name, serves, known }) => [name, serves, known]),
            },
          ],
    sections:
      lines.length === 0
        ? []
        : [{ kind: 'text', title: 'To look at', body: shortened(lines).join('\n'), folded: false }],
    json: { facts, faults, stale, servers },
  })
}

interface Counts {
  readonly faults: number
  readonly stale: number
  readonly bad: number
}

function titleOf(facts: number, { faults, stale, bad }: Counts): string {
  const parts = [
    ...(faults > 0 ? [`${faults} cannot be used`] : []),
    ...(stale > 0 ? [`${stale} to look at again`] : []),
    ...(bad > 0 ? [`${counted(bad, 'server')} with a known fault`] : []),
  ]
  return parts.length === 0
    ? `${counted(facts, 'fact')}, all in order`
    : `${counted(facts, 'fact')}: ${parts.join(', ')}`
}

function shortened(lines: readonly string[]): readonly string[] {
  const rest = lines.length - MOST_LINES
  return rest > 0 ? [...lines.slice(0, MOST_LINES), `… and ${rest} more`] : lines
}

const NO_VERSION = 'cannot tell: the server does not say its version, and known faults belong to versions'

interface Server {
  readonly name: string
  readonly serves: string
  readonly known: string
  readonly state: 'fine' | 'known fault' | 'not known' | 'unreachable'
}

async function lookAt(target: Target, tools: Tools): Promise<Server> {
  const { name, url, host } = target
  const signal = AbortSignal.any([tools.signal, AbortSignal.timeout(INFO_MS)])
  const reached = await tools.reach(target, signal)
  if (!reached.ok) return { name, serves: 'not reached', known: sentence(reached.failure), state: 'unreachable' }
  const told = await reached.value.engine.info(reached.value.api, signal)
  if (!told.ok) return { name, serves: 'not told', known: sentence(told.failure), state: 'unreachable' }
  const served = servedOf({ target: { name, url, host }, engine: told.value })
  if (served === null) return { name, serves: 'not told', known: 'nothing', state: 'not known' }
  const problems = problemsOf(served, tools.taught, served.architecture)
  if (problems.length > 0) return { name, serves: inWords(served), known: problems.join(' '), state: 'known fault' }
  if (served.version === null) return { name, serves: inWords(served), known: NO_VERSION, state: 'not known' }
  return served.family === null
    ? { name, serves: inWords(served), known: 'nothing is known of this model', state: 'not known' }
    : { name, serves: inWords(served), known: 'no known fault', state: 'fine' }
}
