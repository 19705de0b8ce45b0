import { randomUUID } from 'node:crypto'
import { setTimeout as timer } from 'node:timers/promises'
import { openWire } from '../adapters/http-web-socket.ts'
import { pacer } from '../adapters/limiter.ts'
import type { App } from '../app.ts'
import type { Keeping } from '../dispatch/offers.ts'
import { offersOf } from '../dispatch/offers.ts'
import type { Config, SlackSettings } from '../domain/config.ts'
import type { Offer } from '../domain/conversation.ts'
import type { Failure } from '../domain/failure.ts'
import type { Operation } from '../domain/operation.ts'
import type { Outcome } from '../domain/outcome.ts'
import { failed, ok } from '../domain/outcome.ts'
import type { PlacedPlan } from '../domain/plan.ts'
import type { Log } from '../domain/ports.ts'
import { redactor } from '../domain/redact.ts'
import type { Report } from '../domain/report.ts'
import { slashIn } from '../domain/slash.ts'
import type { SlackIdentity, SlackSurface, Told } from '../surfaces/slack/index.ts'
import { slackSurface } from '../surfaces/slack/index.ts'
import { abilityNotes } from './ability-notes.ts'
import type { Apologies } from './apologies.ts'
import { apologies } from './apologies.ts'
import { systemClock } from './clock.ts'
import { every } from './every.ts'
import { planExpiry } from './expired-plans.ts'
import { guarded } from './guarded.ts'
import { endInterrupted, leftOpen } from './interrupted.ts'
import { once } from './once.ts'
import { leftBehind, resumeOperations } from './resume-operations.ts'

export interface Attached {
  readonly identity: SlackIdentity
  /** Begins nothing more, stops what runs, waits until each has answered, and disconnects. */
  stop(): Promise<void>
  /** Resolves when Slack refuses the app token for good: nothing will be heard any more. */
  readonly lost: Promise<Failure>
}

/** Slack takes about one message a second in a channel (slack.md, rate limits). */
const POST_EVERY_MS = 1000
/** How long runs may take to answer at a stop, in ms. */
const DRAIN_MS = 10_000
/** How long a stop waits for an answer to what is being told, in ms. */
const LAST_WORDS_MS = 1_000
/** How late a plan that nobody pressed may lose its buttons, in ms. */
const EXPIRE_EVERY_MS = 15_000

/** Connects the house to Slack, or to the console's stand-in. */
export async function attachSlack(
  app: App,
  config: Config,
  settings: SlackSettings,
  log: Log,
): Promise<Outcome<Attached>> {
  const stopping = new AbortController()
  const around = { store: app.store, clock: systemClock, log, signal: stopping.signal }
  const owed = apologies(around)
  const surface = slackFor(app, config, settings, log, owed)
  // before anybody is heard: who looks on, and who is in a group, is never assumed
  app.useDirectory(surface.directory)
  app.useVoice(voiceOf(surface, log))
  const since = systemClock.now()
  const left = await leftBehind(app.store, log)
  const open = await leftOpen(app.store, left.operations, log)
  const started = await surface.start()
  if (!started.ok) return failed(started.failure)
  app.addChecks(surface.checks)
  const ends = endsIn(surface, { ...around, ...offering(config) })
  const expirePlans = planExpiry({ ...around, since, tell: ends.ofPlan, typed: slashIn(config.slash).typed })
  // not awaited: Slack may be slow, and new asks must not wait for old ones; nor does one of these for another
  void guarded(() => resumeOperations(left, { ...around, tell: ends.ofChange, host: app.host }), log)
  void guarded(() => endInterrupted(open, { ...around, surface, apologies: owed }), log)
  void guarded(expirePlans, log)
  const stopExpiring = every(EXPIRE_EVERY_MS, expirePlans, log)
  return ok({
    identity: started.value,
    lost: surface.lost,
    async stop() {
      stopping.abort()
      stopExpiring()
      await Promise.all([surface.stop(), app.dispatcher.drain(DRAIN_MS)])
      await Promise.race([owed.rest(), timer(LAST_WORDS_MS, undefined, { ref: false })])
    },
  })
}

/** The surface, not yet connected: its checks tell about the tokens without it. */
export function slackFor(
  app: App,
  config: Config,
  settings: SlackSettings,
  log: Log,
  owed: Pick<Apologies, 'owe'> = NOBODY,
): SlackSurface {
  const pace = pacer({ everyMs: POST_EVERY_MS, clock: systemClock })
  return slackSurface({
    settings,
    slash: slashIn(config.slash),
    welcome: app.welcome,
    channels: config.channels.map((channel) => channel.id),
    mentionsOnly: config.mentionsOnly,
    readFiles: config.readFiles,
    groups: config.roles.adminGroups.length + config.roles.operatorGroups.length > 0,
    handle: app.dispatcher.handle,
    refused: app.dispatcher.refused,
    pace: pace.pace,
    redact: redactor(config.secrets),
    openWire,
    abilities: abilityNotes(app.store, log),
    letters: lettersIn(app, config),
    log,
    clock: systemClock,
    button: app.store.button,
    unanswered: owed.owe,
    ...once(app.store, systemClock, log),
  })
}

/** Letters that Slack could not be given for so long are dropped, in ms. */
const LETTERS_MS = 72 * 3_600_000

/** Answers are kept on disk no longer than prompts are. */
function lettersIn({ store }: App, { keep }: Config) {
  return keep.promptsMs > 0 ? { store, keptMs: Math.min(LETTERS_MS, keep.promptsMs) } : null
}

/** What a button needs that no ask offers. */
function offering({ secrets, keep }: Config) {
  return { newId: randomUUID, redact: redactor(secrets), keepPromptsMs: keep.promptsMs }
}

/** The message of a plan or a change tells how it ended. False where nobody is told. */
function endsIn(surface: SlackSurface, keeping: Keeping) {
  const amend = async (
    { place, message }: Pick<Operation, 'place' | 'message'>,
    report: Report,
    over: boolean,
    offer?: Offer,
  ): Promise<Told> =>
    message === null ? 'no' : surface.amend({ channel: place.channel, ts: message }, report, over, offer)
  return {
    async ofPlan(plan: PlacedPlan, report: Report): Promise<boolean> {
      const offer = offersOf(plan, keeping, () => null)
      return (await amend(plan, report, false, offer)) === 'told'
    },
    /** Where it has no message any more, somebody must hear of it all the same, once. */
    async ofChange(change: Operation, report: Report, last: boolean): Promise<boolean> {
      const told = await amend(change, report, true)
      const said = told === 'no' && last ? await surface.say(change.id, change.place, report) : told
      return said === 'told'
    },
  }
}

/** What another channel should hear is said there once, and nobody waits for it. */
function voiceOf(surface: SlackSurface, log: Log) {
  return (channel: string, report: Report): void =>
    void guarded(async () => {
      const told = await surface.say(randomUUID(), { channel, thread: null }, report)
      if (told !== 'told') log.error('a channel was not told of what happened elsewhere', { channel })
    }, log)
}

/** Nobody asks a surface that is not connected. */
const NOBODY: Pick<Apologies, 'owe'> = { owe() {} }
