import type { Logger } from '@slack/bolt'
import { SocketModeReceiver } from '@slack/bolt'
import { sentence } from '../../domain/failure.ts'
import type { Outcome } from '../../domain/outcome.ts'
import { failed, ok } from '../../domain/outcome.ts'
import type { Log } from '../../domain/ports.ts'
import { slackFailure } from './faults.ts'

/** A Socket Mode connection that comes back by itself until it is closed. */
export interface Socket {
  readonly receiver: SocketModeReceiver
  /** The first connection. A failure names the app token or the network. */
  open(): Promise<Outcome<null>>
  close(): Promise<void>
  isOpen(): boolean
}

interface Options {
  readonly appToken: string
  readonly apiUrl: string
  readonly logger: Logger
  readonly log: Log
  readonly sleep: (ms: number) => Promise<void>
}

/** From the call for an address to Slack's hello, in ms. */
const HELLO_MS = 15_000
/** Slack never closes its side; we wait this long for it, in ms. */
const GOODBYE_MS = 1_000
const LONGEST_WAIT_MS = 15_000

/**
 * socket-mode 3.1's own reconnecting ends the process when Slack refuses the token or is away (an unhandled rejection)
 * and waits for hours after a long outage, so it is off and this does it: at once after a planned refresh, then with
 * waits that grow to 15 s.
 */
export function socket({ appToken, apiUrl, logger, log, sleep }: Options): Socket {
  const receiver = new SocketModeReceiver({
    appToken,
    logger,
    autoReconnectEnabled: false,
    installerOptions: {
      clientOptions: {
        slackApiUrl: apiUrl,
        timeout: 10_000,
        retryConfig: { retries: 0 },
        rejectRateLimitedCalls: true,
      },
    },
  })
  const { client } = receiver
  let isOpen = false
  let closed = false
  survive(receiver, log)

  async function open(): Promise<Outcome<null>> {
    const late = setTimeout(() => void client.disconnect(), HELLO_MS)
    try {
      await client.start()
      isOpen = true
      if (closed) void client.disconnect()
      return ok(null)
    } catch (error) {
      return failed(slackFailure(error ?? new Error(`no hello within ${HELLO_MS / 1000} s`), 'app', apiUrl))
    } finally {
      clearTimeout(late)
    }
  }

  async function reopen(): Promise<void> {
    for (let tries = 0; !closed; tries += 1) {
      if (tries > 0) await sleep(Math.min(LONGEST_WAIT_MS, 500 * 1.5 ** tries))
      if (closed) return
      const opened = await open()
      if (opened.ok) return log.info('The Slack socket is open again', { tries: tries + 1 })
      log.error('The Slack socket cannot be opened', { said: sentence(opened.failure), tries: tries + 1 })
    }
  }

  client.on('disconnected', () => {
    if (!isOpen) return
    isOpen = false
    if (!closed) void reopen()
  })

  return {
    receiver,
    open,
    isOpen: () => isOpen,
    async close() {
      closed = true
      if (!isOpen) return
      const gone = new Promise((resolve) => client.once('disconnected', resolve))
      const forced = setTimeout(() => void client.disconnect(), GOODBYE_MS)
      void client.disconnect()
      await gone
      clearTimeout(forced)
    },
  }
}

/** A message that the client cannot read (app_rate_limited has no inner event) must not end the process. */
function survive({ client }: SocketModeReceiver, log: Log): void {
  const [read] = client.listeners('ws_message')
  if (read === undefined) return
  client.off('ws_message')
  client.on('ws_message', (...message: unknown[]) => {
    Promise.try(read, ...message).catch((error: unknown) =>
      log.warn('Slack sent a message that its library cannot read', { said: String(error) }),
    )
  })
}
