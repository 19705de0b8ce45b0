import type { Logger } from '@slack/bolt'
import { LogLevel } from '@slack/bolt'
import type { Log } from '../../domain/ports.ts'

/**
 * Slack's libraries in our own log. Never at their level DEBUG: there they write whole envelopes, with prompts and
 * tokens. `errors`: the level of what they call an error.
 */
export function boltLog(log: Log, redact: (text: string) => string, errors: 'error' | 'debug' = 'error'): Logger {
  const said = (values: readonly unknown[]) => ({ said: redact(values.map(inWords).join(' ')).slice(0, 500) })
  return {
    debug: () => {},
    info: (...values) => log.debug('Slack library', said(values)),
    warn: (...values) => log.warn('Slack library', said(values)),
    error: (...values) => log[errors]('Slack library', said(values)),
    getLevel: () => LogLevel.INFO,
    setLevel: () => {},
    setName: () => {},
  }
}

function inWords(value: unknown): string {
  return value instanceof Error ? value.message : String(value)
}
