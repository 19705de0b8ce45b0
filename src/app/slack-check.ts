import { setTimeout as timer } from 'node:timers/promises'
import { pacer } from '../adapters/limiter.ts'
import { openLog } from '../adapters/log.ts'
import { openStore } from '../adapters/store-sqlite.ts'
import { loadConfig } from '../config.ts'
import type { Config, SlackSettings } from '../domain/config.ts'
import { sentence } from '../domain/failure.ts'
import type { Log } from '../domain/ports.ts'
import { redactor } from '../domain/redact.ts'
import { sanitise } from '../domain/sanitise.ts'
import type { AbilityNotes } from '../surfaces/slack/abilities.ts'
import { checkAbilities } from '../surfaces/slack/abilities-check.ts'
import { exitOf } from '../surfaces/terminal/exit.ts'
import { jsonLine } from '../surfaces/terminal/json.ts'
import { paint } from '../surfaces/terminal/paint.ts'
import type { Screen } from '../surfaces/terminal/progress.ts'
import { renderReport } from '../surfaces/terminal/render.ts'
import { abilityNotes } from './ability-notes.ts'
import { systemClock } from './clock.ts'
import { refuser } from './refuse.ts'
import { checkReport } from './slack-check-report.ts'
import { usageOf } from './usage.ts'

/** Slack takes about one message a second in a channel. */
const POST_EVERY_MS = 1_000

/** `pilotflame slack check`: what this workspace accepts, tried in a channel. Gives the exit status. */
export async function slackCheck(words: readonly string[], out: Screen, err: Screen): Promise<number> {
  const refuse = refuser({ out, err, json: words.includes('--json') })
  const asked = read(words)
  if (typeof asked === 'string') return refuse(2, asked)
  const loaded = loadConfig({ file: null, env: process.env, cwd: process.cwd() })
  switch (loaded.kind) {
    case 'problems':
      return refuse(1, loaded.text)
    case 'none':
      return refuse(1, NO_TOKENS)
    case 'config': {
      const { config } = loaded
      return config.slack === null
        ? refuse(1, NO_TOKENS)
        : tryOut({ ...asked, config, settings: config.slack, out, err })
    }
  }
}

const NO_TOKENS =
  'No Slack tokens are set. Next: put SLACK_BOT_TOKEN and SLACK_APP_TOKEN into .env, as docs/guide/slack.md shows.'

interface Asked {
  readonly channel: string
  readonly json: boolean
}

/** A problem in one sentence, or what was asked. */
function read(words: readonly string[]): Asked | string {
  const [verb, ...rest] = words.filter((word) => word !== '--json')
  if (verb !== 'check') return `slack: "${verb ?? ''}" is not known. ${usageOf('slack')}`
  const [flag = '', value, ...more] = rest.flatMap((word) => word.split('='))
  if (flag !== '--channel' || value === undefined || more.length > 0)
    return `slack check: name one channel. ${usageOf('slack')}`
  if (!/^[CG][A-Z0-9]{2,}$/.test(value)) return `slack check: "${value}" is no id of a channel. ${WHERE}`
  return { channel: value, json: words.includes('--json') }
}

const WHERE = 'Next: in Slack, click the channel’s name; its id, such as C0123456789, stands at the end of About.'

export interface Trial extends Asked {
  readonly config: Config
  readonly settings: SlackSettings
  readonly out: Screen
  readonly err: Screen
  /** in place of one message a second, for tests */
  readonly pace?: (channel: string) => Promise<void>
  /** in place of a real wait, for tests */
  readonly pause?: (ms: number) => Promise<void>
}

/** Tries it with these settings, tells how far it is, and prints what Slack said. */
export async function tryOut({ config, settings, channel, json, out, err, pace, pause }: Trial): Promise<number> {
  const redact = redactor(config.secrets)
  const log = openLog({ level: 'error', redact })
  const memory = await memoryFor(config, log, redact)
  const done = await checkAbilities({
    settings,
    channel,
    notes: memory.notes,
    clock: systemClock,
    log,
    redact,
    pace: pace ?? pacer({ everyMs: POST_EVERY_MS, clock: systemClock }).pace,
    pause: pause ?? timer,
    step: (name, number, of) => void err.write(`${number}/${of} ${name}\n`),
  })
  await memory.close()
  if (!done.ok) return refuser({ out, err, json })(1, redact(sentence(done.failure)), 'failed')
  const told = checkReport(done.value, channel, memory.said)
  const clean = (text: string): string => redact(sanitise(text))
  const style = paint(false)
  out.write(json ? jsonLine(told, redact) : renderReport(told, { style, clean, remembers: false, full: true }))
  return exitOf(told.status)
}

interface Memory {
  readonly notes: AbilityNotes
  /** what becomes of what is learnt */
  readonly said: string
  close(): Promise<void>
}

/** The bot's own store, where no running bot holds it. */
async function memoryFor({ storePath }: Config, log: Log, redact: (text: string) => string): Promise<Memory> {
  const opened = await openStore({ path: storePath, log, redact })
  if (opened.ok) {
    const said = `in ${storePath}, for the bot`
    return { notes: abilityNotes(opened.value, log), said, close: opened.value.close }
  }
  const { failure } = opened
  const said = failure.kind === 'busy' ? HELD : `no: ${failure.observed}`
  return { notes: { read: async () => null, write: async () => {} }, said, close: async () => {} }
}

const HELD = 'no: a running bot holds the store. It learns the same by itself, from the first message that is refused'
