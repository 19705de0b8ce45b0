import { pacer } from '../adapters/limiter.ts'
import type { App } from '../app.ts'
import { slashWords } from '../commands/index.ts'
import type { Config, SlackSettings } from '../domain/config.ts'
import type { Outcome } from '../domain/outcome.ts'
import { failed, ok } from '../domain/outcome.ts'
import type { Log } from '../domain/ports.ts'
import { redactor } from '../domain/redact.ts'
import type { SlackIdentity } from '../surfaces/slack/index.ts'
import { slackSurface } from '../surfaces/slack/index.ts'
import { systemClock } from './clock.ts'

export interface Attached {
  readonly identity: SlackIdentity
  stop(): Promise<void>
}

/** Slack takes about one message a second in a channel (slack.md, rate limits). */
const POST_EVERY_MS = 1000

/** Connects the house to Slack, or to the console's stand-in. */
export async function attachSlack(
  app: App,
  config: Config,
  settings: SlackSettings,
  log: Log,
): Promise<Outcome<Attached>> {
  const pace = pacer({ everyMs: POST_EVERY_MS, clock: systemClock })
  const surface = slackSurface({
    settings,
    words: slashWords,
    channels: config.channels.map((channel) => channel.id),
    handle: app.dispatcher.handle,
    pace: pace.pace,
    redact: redactor(config.secrets),
    log,
    clock: systemClock,
    async button(id) {
      const found = await app.store.button(id)
      return found.ok ? found.value : null
    },
    async firstTime(key) {
      const first = await app.store.firstTime(key, systemClock.now())
      // A store that fails must not make the bot deaf.
      return !first.ok || first.value
    },
  })
  const started = await surface.start()
  if (!started.ok) return failed(started.failure)
  app.addChecks(surface.checks)
  return ok({ identity: started.value, stop: () => surface.stop() })
}
