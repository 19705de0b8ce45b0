import { WebClient } from '@slack/web-api'
import type { SlackSettings } from '../../domain/config.ts'
import type { Failure } from '../../domain/failure.ts'
import type { Outcome } from '../../domain/outcome.ts'
import { failed, ok } from '../../domain/outcome.ts'
import type { Clock, Log } from '../../domain/ports.ts'
import { report } from '../../domain/report.ts'
import type { Ability, AbilityNotes, Kind } from './abilities.ts'
import { abilities } from './abilities.ts'
import { samples } from './abilities-samples.ts'
import type { Bench, Tried } from './abilities-try.ts'
import { isTrouble, send, trySample } from './abilities-try.ts'
import { boltLog } from './bolt-log.ts'
import { slackFailure, wrongSort } from './faults.ts'
import type { SlackIdentity } from './identity.ts'
import { identify } from './identity.ts'
import { caller } from './outbox/call.ts'
import type { Message } from './pages.ts'
import type { Refusal } from './refusal.ts'
import { headline } from './render.ts'

export interface AbilityCheck {
  readonly identity: SlackIdentity
  readonly tried: readonly Tried[]
  readonly states: Readonly<Record<Kind, Ability>>
}

export interface AbilityCheckOptions {
  readonly settings: SlackSettings
  /** `C0123…` */
  readonly channel: string
  readonly notes: AbilityNotes
  readonly clock: Clock
  readonly log: Log
  readonly redact: (text: string) => string
  /** Waits until the channel may have another message: about one a second. */
  readonly pace: (channel: string) => Promise<void>
  /** Waits so many ms, as Slack asked. */
  readonly pause: (ms: number) => Promise<void>
  /** Told before each sample. */
  readonly step: (name: string, number: number, of: number) => void
}

const SLACK = 'https://slack.com/api/'

/** Posts every kind of message into one thread of a channel and notes what Slack says; what it takes is learnt. */
export async function checkAbilities(options: AbilityCheckOptions): Promise<Outcome<AbilityCheck>> {
  const { settings, channel, pace, pause } = options
  const wrong = wrongSort('bot', settings.botToken)
  if (wrong !== null) return failed(wrong)
  const client = clientFor(options)
  const identity = await identify(client)
  if (!identity.ok) return failed(identity.failure)
  const known = abilities(options)
  await known.load(identity.value.team)
  const bench: Bench = { client, call: caller(client, client), known, pace, pause, place: { channel, thread: null } }
  const begun = await send(opening(samples().length), bench)
  if (!begun.ok) return failed(noWay(begun.refusal, options, identity.value))
  const tried = await tryAll({ ...bench, place: { channel, thread: begun.ts } }, options)
  if (!tried.ok) return failed(tried.failure)
  return ok({ identity: identity.value, tried: tried.value, states: known.states() })
}

function clientFor({ settings, log, redact }: AbilityCheckOptions): WebClient {
  // refusals are what is looked for, and told in the answer
  const quiet = { ...log, warn: log.debug, error: log.debug }
  return new WebClient(settings.botToken, {
    slackApiUrl: settings.apiUrl ?? SLACK,
    logger: boltLog(quiet, redact),
    rejectRateLimitedCalls: true,
    timeout: 10_000,
    retryConfig: { retries: 0 },
  })
}

function opening(count: number): Message {
  const title = `Pilotflame tries what this workspace accepts: ${count} messages follow in this thread, and nothing in them is real.`
  return headline(report({ tone: 'neutral', status: 'done', title, seenBy: 'channel' }), [])
}

/** Ends where Slack cannot be reached. */
async function tryAll(bench: Bench, options: AbilityCheckOptions): Promise<Outcome<readonly Tried[]>> {
  const tried: Tried[] = []
  const all = samples()
  for (const [at, sample] of all.entries()) {
    options.step(sample.name, at + 1, all.length)
    const one = await trySample(sample, bench)
    if ('code' in one) return failed(lost(one, options))
    tried.push(one)
  }
  return ok(tried)
}

function noWay(refusal: Refusal, options: AbilityCheckOptions, { botName }: SlackIdentity): Failure {
  if (isTrouble(refusal)) return lost(refusal, options)
  return {
    kind: 'config',
    thing: `channel ${options.channel}`,
    observed: `Slack says ${refusal.code}`,
    next:
      refusal.kind === 'place'
        ? `in that channel: /invite @${botName}, or name another one`
        : 'name another channel; pilotflame doctor tells what the bot may do',
  }
}

function lost({ code }: Refusal, { settings }: AbilityCheckOptions): Failure {
  const { thing } = slackFailure(new Error(code), 'bot', settings.apiUrl ?? SLACK)
  return { kind: 'lost', thing, observed: code, next: 'try again in a minute; what was learnt so far is kept' }
}
