import { openWire } from '../adapters/http-web-socket.ts'
import { pacer } from '../adapters/limiter.ts'
import type { App } from '../app.ts'
import type { Config, SlackSettings } from '../domain/config.ts'
import type { Failure } from '../domain/failure.ts'
import type { Operation } from '../domain/operation.ts'
import type { Outcome } from '../domain/outcome.ts'
import { failed, ok } from '../domain/outcome.ts'
import type { Log } from '../domain/ports.ts'
import { redactor } from '../domain/redact.ts'
import type { Report } from '../domain/report.ts'
import { slashIn } from '../domain/slash.ts'
import type { SlackIdentity, SlackSurface } from '../surfaces/slack/index.ts'
import { slackSurface } from '../surfaces/slack/index.ts'
import { abilityNotes } from './ability-notes.ts'
import { systemClock } from './clock.ts'
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

/** Connects the house to Slack, or to the console's stand-in. */
export async function attachSlack(
  app: App,
  config: Config,
  settings: SlackSettings,
  log: Log,
): Promise<Outcome<Attached>> {
  const surface = slackFor(app, config, settings, log)
  // before anybody is heard: who looks on, and who is in a group, is never assumed
  app.useDirectory(surface.directory)
  const left = await leftBehind(app.store, log)
  const open = await leftOpen(app.store, log)
  const started = await surface.start()
  if (!started.ok) return failed(started.failure)
  app.addChecks(surface.checks)
  // not awaited: Slack may be slow, and new asks must not wait for old ones
  const stopping = new AbortController()
  void endInterrupted(open, app.store, surface, log).then(() =>
    resumeOperations(left, { ...app, clock: systemClock, log, tell: tellIn(surface), signal: stopping.signal }),
  )
  return ok({
    identity: started.value,
    lost: surface.lost,
    async stop() {
      stopping.abort()
      await Promise.all([surface.stop(), app.dispatcher.drain(DRAIN_MS)])
    },
  })
}

/** The surface, not yet connected: its checks tell about the tokens without it. */
export function slackFor(app: App, config: Config, settings: SlackSettings, log: Log): SlackSurface {
  const pace = pacer({ everyMs: POST_EVERY_MS, clock: systemClock })
  return slackSurface({
    settings,
    slash: slashIn(config.slash),
    welcome: app.welcome,
    channels: config.channels.map((channel) => channel.id),
    mentionsOnly: config.mentionsOnly,
    groups: config.roles.adminGroups.length + config.roles.operatorGroups.length > 0,
    handle: app.dispatcher.handle,
    pace: pace.pace,
    redact: redactor(config.secrets),
    openWire,
    abilities: abilityNotes(app.store, log),
    letters: lettersIn(app, config),
    log,
    clock: systemClock,
    button: app.store.button,
    ...once(app.store, systemClock, log),
  })
}

/** Letters that Slack could not be given for so long are dropped, in ms. */
const LETTERS_MS = 72 * 3_600_000

/** Answers are kept on disk no longer than prompts are. */
function lettersIn({ store }: App, { keep }: Config) {
  return keep.promptsMs > 0 ? { store, keptMs: Math.min(LETTERS_MS, keep.promptsMs) } : null
}

/** The message of a change tells how it ended. */
function tellIn(surface: SlackSurface) {
  return async ({ place, message }: Operation, told: Report): Promise<boolean> =>
    message !== null && surface.amend({ channel: place.channel, ts: message }, told)
}
