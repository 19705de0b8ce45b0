import { z } from 'zod'
import type { Tools } from '../domain/command.ts'
import { defineCommand } from '../domain/command.ts'
import type { Report } from '../domain/report.ts'
import { refusal } from '../domain/report.ts'
import type { HostSight, Sight } from '../gather/hosts.ts'
import { lookAtHosts } from '../gather/hosts.ts'
import { chosenHosts } from './gpu/chosen.ts'
import { statusLive, statusReport } from './gpu/report.ts'
import type { HostStanding } from './gpu/standing.ts'
import { standingOf } from './gpu/standing.ts'

/** `/gpu status`: is the box free, healthy and mine? Of every host at once, worst first. */
export const gpuStatus = defineCommand({
  word: 'gpu',
  verb: 'status',
  summary: 'Show the GPUs of every host: memory, use, what lives on them, what is wrong',
  usage: 'gpu status [HOST … | TARGET … | all]',
  examples: ['gpu status', 'gpu status gpu-box-1', 'gpu status qwen'],
  access: 'read',
  takes: 'words',
  args: z.object({ words: z.array(z.string()) }),
  async run({ words }, tools) {
    const chosen = chosenHosts(words, tools)
    return chosen.ok ? look(chosen.hosts, tools) : refusal(chosen.problem, 'usage')
  },
})

/** How often the live message is brought up to date, in ms: hosts may tell before it stands. */
const HEARTBEAT_MS = 1000

async function look(names: readonly string[], tools: Tools): Promise<Report> {
  const { telemetry, signal, every, redact } = tools
  const hosts = names.flatMap((name) => tools.host(name) ?? [])
  const judge = judging(tools)
  let seen = hosts.map(({ name }): HostSight => ({ host: name, sight: { kind: 'waiting' } }))
  const show = (): void => tools.progress(statusLive({ tools, hosts: seen.map(judge) }))
  const onChange = (now: readonly HostSight[]): void => {
    seen = [...now]
    show()
  }
  show()
  const quiet = every(HEARTBEAT_MS, show)
  const looking = lookAtHosts({ hosts, telemetry, signal, after: every, redact, onChange })
  // a terminal has no store of the bot's: it would say that nothing is locked
  const locking = tools.ask.how === 'terminal' ? null : tools.records.locks()
  const [all, locks] = await Promise.all([looking, locking]).finally(quiet)
  return statusReport({ tools, hosts: all.map(judge) }, locks)
}

/** Each sight is judged once, however often all of them are shown. */
function judging({ targets, rules }: Tools): (seen: HostSight) => HostStanding {
  const judged = new Map<Sight, HostStanding>()
  return (seen) => {
    const known = judged.get(seen.sight) ?? standingOf(seen, targets, rules)
    judged.set(seen.sight, known)
    return known
  }
}
