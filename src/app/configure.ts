import type { Loaded } from '../config.ts'
import { configSchema, loadConfig } from '../config.ts'
import { counted } from '../domain/report.ts'
import { refuser } from './refuse.ts'
import { usageOf } from './usage.ts'

/** `pilotflame config check` and `config schema`. Gives the exit status. */
export function configure(words: readonly string[]): number {
  const json = words.includes('--json')
  const [verb = 'check', extra] = words.filter((word) => word !== '--json')
  if (extra !== undefined) return wrong(`config ${verb}: "${extra}" is not known`)
  switch (verb) {
    case 'check':
      return check(json)
    case 'schema':
      process.stdout.write(`${JSON.stringify(configSchema(), null, 2)}\n`)
      return 0
    default:
      return wrong(`config: "${verb}" is not known`)
  }

  function wrong(what: string): number {
    return refuser({ out: process.stdout, err: process.stderr, json })(2, `${what}. ${usageOf('config')}`)
  }
}

function check(json: boolean): number {
  const loaded = loadConfig({ file: null, env: process.env, cwd: process.cwd() })
  const fine = loaded.kind !== 'problems'
  const problems = fine ? [] : loaded.problems
  if (json) process.stdout.write(`${JSON.stringify({ status: fine ? 'done' : 'misconfigured', problems })}\n`)
  else if (fine) process.stdout.write(`${words(loaded)}\n`)
  else process.stderr.write(`${loaded.text}\n`)
  return fine ? 0 : 1
}

const NOTHING =
  'No configuration: npm start opens the console with demo boxes. To begin: cp pilotflame.example.yml pilotflame.yml'

function words(loaded: Exclude<Loaded, { kind: 'problems' }>): string {
  if (loaded.kind === 'none') return NOTHING
  const { hosts, targets, channels, slack } = loaded.config
  const tokens = slack === null ? 'no Slack tokens (the console opens)' : 'Slack tokens are set'
  const found = [counted(hosts.length, 'host'), counted(targets.length, 'target'), counted(channels.length, 'channel')]
  return `${loaded.file} is fine: ${found.join(', ')}; ${tokens}. Next: pilotflame doctor tries keys, hosts and servers.`
}
