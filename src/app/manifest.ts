import { loadConfig, nothingSet } from '../config.ts'
import type { Config } from '../domain/config.ts'
import type { SlashWord } from '../domain/slash.ts'
import { slashIn } from '../domain/slash.ts'
import { eventsFor, scopesFor } from '../surfaces/slack/scopes.ts'
import { usageOf } from './usage.ts'

/** `pilotflame manifest`: the Slack app for these settings, to paste at api.slack.com. Gives the exit status. */
export function printManifest(words: readonly string[]): number {
  const [more] = words
  if (more !== undefined) {
    process.stderr.write(`manifest: "${more}" is not known. ${usageOf('manifest')}\n`)
    return 2
  }
  const loaded = loadConfig({ file: null, env: process.env, cwd: process.cwd() })
  if (loaded.kind === 'problems') {
    process.stderr.write(`${loaded.text}\n`)
    return 1
  }
  const prefix = process.env['COMMAND_PREFIX'] ?? ''
  const none = { ...nothingSet, slash: { prefix, aliases: {} } }
  process.stdout.write(manifestFor(loaded.kind === 'config' ? loaded.config : none))
  return 0
}

/** What of the configuration the manifest depends on. */
type Settings = Pick<Config, 'slash' | 'roles' | 'mentionsOnly' | 'readFiles'>

/** The manifest in YAML: words, scopes and events as these settings need them, and nothing more. */
export function manifestFor({ slash, roles, mentionsOnly, readFiles }: Settings): string {
  const wishes = { mentionsOnly, readFiles, groups: roles.adminGroups.length + roles.operatorGroups.length > 0 }
  const commands = [...slashIn(slash).words].map(([word, meant]) => command(word, meant))
  return `${HEAD}
features:
  bot_user:
    display_name: pilotflame
    always_online: false
  slash_commands:
${commands.join('\n')}
oauth_config:
  scopes:
    bot:
${listed(scopesFor(wishes))}
settings:
  event_subscriptions:
    bot_events:
${listed(eventsFor(wishes))}
  interactivity:
    is_enabled: true
  org_deploy_enabled: false
  socket_mode_enabled: true
  token_rotation_enabled: false
`
}

const HEAD = `# The Slack app of Pilotflame: paste this at https://api.slack.com/apps, "Create New App", "From a manifest".
# Written by \`pilotflame manifest\`, which knows a workspace's own words, mentions_only and user groups too.
display_information:
  name: Pilotflame
  description: Proves that your model servers work, not only that they run.
  long_description: >-
    Pilotflame is a chat-ops bot for teams who run their own LLM servers. It asks a model a question and judges the
    answer, not the status code: reasoning and content are shown apart, and null answers, immediate ends, loops, spent
    budgets and unreachable servers are named with their evidence and the next step.
  background_color: "#1f2937"`

const COMMANDS: Readonly<Record<SlashWord, { readonly description: string; readonly hint: string }>> = {
  pilotflame: {
    description: 'Everything that Pilotflame can do',
    hint: 'help | whoami | doctor | smoke "Say hello"',
  },
  smoke: {
    description: 'Ask a model one question and judge its answer',
    hint: '"Say hello" [--target NAME] [--max-tokens N]',
  },
  sglang: {
    description: 'What concerns model servers, such as which one is meant here',
    hint: 'restart NAME | lock NAME REASON | locks | use NAME',
  },
  gpu: {
    description: 'What concerns GPU boxes, such as who has one locked',
    hint: 'lock HOST REASON | unlock HOST | locks',
  },
}

function command(word: string, meant: SlashWord): string {
  const { description, hint } = COMMANDS[meant]
  return `    - command: /${word}
      description: ${description}
      usage_hint: '${hint}'
      should_escape: false`
}

function listed(names: readonly string[]): string {
  return names.map((name) => `${' '.repeat(6)}- ${name}`).join('\n')
}
