import { configSchema, loadConfig } from '../config.ts'

/** `pilotflame config check` and `config schema`. Gives the exit status. */
export function configure([verb = 'check']: readonly string[]): number {
  switch (verb) {
    case 'check':
      return check()
    case 'schema':
      process.stdout.write(`${JSON.stringify(configSchema(), null, 2)}\n`)
      return 0
    default:
      process.stderr.write(`config: "${verb}" is not known. Usage: pilotflame config check | config schema\n`)
      return 2
  }
}

function check(): number {
  const loaded = loadConfig({ file: null, env: process.env, cwd: process.cwd() })
  switch (loaded.kind) {
    case 'none':
      process.stdout.write(
        'No configuration: npm start opens the console with demo boxes. To begin: cp pilotflame.example.yml pilotflame.yml\n',
      )
      return 0
    case 'problems':
      process.stderr.write(`${loaded.text}\n`)
      return 1
    case 'config': {
      const { hosts, targets, channels, slack } = loaded.config
      const tokens = slack === null ? 'no Slack tokens (the console opens)' : 'Slack tokens are set'
      process.stdout.write(
        `${loaded.file} is fine: ${hosts.length} hosts, ${targets.length} targets, ${channels.length} channels; ${tokens}\n`,
      )
      return 0
    }
  }
}
