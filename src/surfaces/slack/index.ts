import { setTimeout as timer } from 'node:timers/promises'
import type { Logger } from '@slack/bolt'
import { App } from '@slack/bolt'
import type { Check } from '../../domain/check.ts'
import type { SlackSettings } from '../../domain/config.ts'
import type { Failure } from '../../domain/failure.ts'
import type { Outcome } from '../../domain/outcome.ts'
import { failed } from '../../domain/outcome.ts'
import type { Log, OpenWire } from '../../domain/ports.ts'
import type { Directory } from '../../domain/role.ts'
import { sanitise } from '../../domain/sanitise.ts'
import type { AbilityNotes } from './abilities.ts'
import { boltLog } from './bolt-log.ts'
import { missingScopes, slackChecks } from './checks.ts'
import { clientsFor } from './clients.ts'
import { directory } from './directory.ts'
import { addScopes, wrongSort } from './faults.ts'
import { shownIn } from './files-shown.ts'
import type { SlackIdentity } from './identity.ts'
import { identify } from './identity.ts'
import { turns } from './latest.ts'
import type { AfterCrash, LetterBox, LetterStore } from './letter-box.ts'
import { letterBox } from './letter-box.ts'
import type { Listening } from './listen.ts'
import { listen } from './listen.ts'
import type { OutboxOptions } from './outbox.ts'
import type { Accounts } from './people.ts'
import { accounts, people } from './people.ts'
import type { Post } from './post.ts'
import type { Sockets, SocketTimes } from './receiver.ts'
import { sockets } from './receiver.ts'
import type { Wishes } from './scopes.ts'
import type { Ears } from './take.ts'

export type { AbilityNotes } from './abilities.ts'
export type { SlackIdentity } from './identity.ts'
export type { Told } from './unanswered.ts'

export interface SlackOptions
  extends Wishes,
    Pick<
      Ears,
      | 'slash'
      | 'welcome'
      | 'handle'
      | 'refused'
      | 'button'
      | 'claim'
      | 'keepAsk'
      | 'settle'
      | 'unanswered'
      | 'clock'
      | 'log'
    > {
  readonly settings: SlackSettings
  /** channels of the configuration, for doctor */
  readonly channels: readonly string[]
  /** Waits until a channel may have another message: about one a second. */
  readonly pace: (channel: string) => Promise<void>
  readonly redact: (text: string) => string
  readonly openWire: OpenWire
  /** what an earlier process learnt about the workspace */
  readonly abilities: AbilityNotes
  /** keeps what must be seen until Slack has it; absent: only memory does */
  readonly letters?: LetterStore | null
  /** other times than the usual ones, for tests */
  readonly times?: Partial<SocketTimes & Pick<OutboxOptions, 'lookAfterMs'>>
}

export interface SlackSurface extends AfterCrash {
  /** Connects. A failure names the token or the network, and what to do. */
  start(): Promise<Outcome<SlackIdentity>>
  /** Begins nothing more, waits a little for what is being answered, and disconnects. */
  stop(): Promise<void>
  /** Resolves when Slack refuses the app token for good while nothing is connected. */
  readonly lost: Promise<Failure>
  readonly checks: readonly Check[]
  /** who is in which group and channel; until `start` it knows nobody */
  readonly directory: Directory
}

/** The whole bot stays within about 20 updates a minute. */
const UPDATE_EVERY_MS = 3_000
const DRAIN_MS = 10_000
/** How long a stop waits for messages that are on their way, in ms. */
const LETTERS_MS = 5_000
const SLACK = 'https://slack.com/api/'

/** Slack by Socket Mode: asks come in, reports go out. Bolt lives in this folder and nowhere else. */
export function slackSurface(options: SlackOptions): SlackSurface {
  const { settings, log } = options
  const apiUrl = settings.apiUrl ?? SLACK
  const logger = boltLog(log, options.redact)
  const clients = clientsFor(settings, apiUrl, callsLog(options))
  const letters = letterBox({ ...options, ...clients })
  const lost = Promise.withResolvers<Failure>()
  let running: Running | null = null
  let account: Accounts | null = null

  async function start(): Promise<Outcome<SlackIdentity>> {
    const wrong = wrongSort('bot', settings.botToken) ?? wrongSort('app', settings.appToken)
    if (wrong !== null) return failed(wrong)
    const identity = await identify(clients.lookups)
    if (!identity.ok) return identity
    warnOfScopes(identity.value, options)
    const line = sockets({ ...options, client: clients.dialler })
    const app = boltApp({ line, identity: identity.value, settings, apiUrl, logger, log })
    await letters.load(identity.value.team)
    account = accounts(clients.lookups, identity.value.team, options.clock)
    const shown = shownIn({ ...clients, ...settings, ...options, readFiles: options.readFiles ?? false })
    const ears = earsFor(options, identity.value, letters.post, account, shown)
    const listening = listen(app, ears)
    const opened = await openAll(letters, line)
    if (!opened.ok) return failed(opened.failure)
    running = { line, listening }
    void line.lost.then(lost.resolve)
    return identity
  }

  return {
    start,
    ...letters.after,
    async stop() {
      if (running === null) return
      const { line, listening } = running
      line.drain()
      listening.drain()
      letters.hurry()
      await Promise.race([listening.idle(), timer(DRAIN_MS, undefined, { ref: false })])
      running = null
      await letters.close(LETTERS_MS)
      await line.close()
    },
    lost: lost.promise,
    directory: directory(clients.lookups, () => account, options.clock),
    checks: slackChecks({
      ...options,
      ...settings,
      ...clients,
      apiUrl,
      sockets: () => running?.line.state() ?? null,
      waiting: () => (running === null ? null : letters.waiting()),
    }),
  }
}

/** What waits is taken up before anybody is heard, so that nothing that is asked from now on comes before it. */
async function openAll(letters: LetterBox, line: Sockets): ReturnType<Sockets['open']> {
  await letters.open()
  const opened = await line.open()
  if (!opened.ok) await letters.close(0)
  return opened
}

function warnOfScopes(identity: SlackIdentity, options: SlackOptions): void {
  const missing = missingScopes(identity, options)
  if (missing.length === 0) return
  options.log.warn('The Slack app lacks scopes', { missing, next: addScopes(missing.join(', ')) })
}

interface Running {
  readonly line: Sockets
  readonly listening: Listening
}

/** What Slack says against a call comes back to whoever called, who says what becomes of it. */
function callsLog({ log, redact }: SlackOptions): Logger {
  return boltLog(log, redact, 'debug')
}

function earsFor(
  options: SlackOptions,
  { botName, botUser, team }: SlackIdentity,
  writing: Post,
  account: Accounts,
  shown: Ears['shown'],
): Ears {
  const { clock, log, redact } = options
  return {
    ...options,
    botUser,
    shown,
    person: people(account, team, log),
    desk: {
      post: writing,
      log,
      botName,
      clean: (text) => redact(sanitise(text)),
      turn: turns(clock, UPDATE_EVERY_MS),
      sleep,
    },
  }
}

interface AppNeeds {
  readonly line: Sockets
  readonly identity: SlackIdentity
  readonly settings: SlackSettings
  readonly apiUrl: string
  readonly logger: Logger
  readonly log: Log
}

function boltApp({ line, identity, settings, apiUrl, logger, log }: AppNeeds): App {
  const app = new App({
    receiver: line,
    token: settings.botToken,
    botId: identity.botId,
    botUserId: identity.botUser,
    convoStore: false,
    logger,
    clientOptions: { slackApiUrl: apiUrl },
  })
  app.error(async ({ code, message }) => log.error('Bolt could not handle something', { code, said: message }))
  return app
}

async function sleep(ms: number): Promise<void> {
  await timer(ms)
}
