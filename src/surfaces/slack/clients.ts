import type { Logger } from '@slack/bolt'
import { WebClient } from '@slack/web-api'
import type { SlackSettings } from '../../domain/config.ts'

/** The ways in which we call Slack, and how patient each is. */
export interface Clients {
  readonly lookups: WebClient
  /** Never repeats by itself: where only the answer was lost, a repeated post stands there twice. */
  readonly writer: WebClient
  /** speaks with the app token, for doctor */
  readonly appClient: WebClient
  /** the same for the sockets, which try again in their own way, and stop at any time */
  readonly dialler: (signal: AbortSignal) => WebClient
}

export function clientsFor({ botToken, appToken }: SlackSettings, slackApiUrl: string, logger: Logger): Clients {
  const common = { slackApiUrl, logger, rejectRateLimitedCalls: true }
  const quick = { ...common, timeout: 3_000, retryConfig: { retries: 2, factor: 2, minTimeout: 300 } }
  const once = { ...common, timeout: 10_000, retryConfig: { retries: 0 } }
  return {
    lookups: new WebClient(botToken, quick),
    writer: new WebClient(botToken, once),
    appClient: new WebClient(appToken, quick),
    dialler: (signal) => new WebClient(appToken, { ...once, fetch: fetchUntil(signal) }),
  }
}

const fetchUntil =
  (stop: AbortSignal): typeof fetch =>
  (url, { signal, ...request } = {}) =>
    fetch(url, { ...request, signal: AbortSignal.any([stop, ...(signal ? [signal] : [])]) })
