import { pino } from 'pino'
import type { Log } from '../domain/ports.ts'
import { namesSecret } from '../domain/redact.ts'

export interface LogOptions {
  readonly level: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  /** hides secrets in one text */
  readonly redact: (text: string) => string
  /** where the lines go; absent: standard error. A pipe that nobody reads any more is no reason to stop. */
  readonly stream?: { write(line: string): void }
}

/** Our own log: one JSON object a line. Every text in it is redacted, then cut; the data cannot take the line's own fields. */
export function openLog({ level, redact, stream = pino.destination({ dest: 2, sync: true }) }: LogOptions): Log {
  const named = (label: string) => ({ level: label })
  const time = pino.stdTimeFunctions.isoTime
  const lines = pino({ level, base: null, nestedKey: 'data', timestamp: time, formatters: { level: named } }, stream)
  const at =
    (name: 'debug' | 'info' | 'warn' | 'error'): Log['debug'] =>
    (message, data) => {
      if (!lines.isLevelEnabled(name)) return
      if (data === undefined) lines[name](redact(message))
      else lines[name](clean(data, redact, DEEPEST), redact(message))
    }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

const DEEPEST = 6
const MOST_ENTRIES = 50
const LONGEST_TEXT = 4000

/** A copy of the data that holds plain values only, within bounds and without secrets. */
function clean(value: unknown, redact: (text: string) => string, deep: number): unknown {
  if (typeof value === 'string') return cut(redact(value))
  if (typeof value !== 'object' || value === null) return typeof value === 'number' ? value : plain(value)
  if (deep === 0) return '[deeper]'
  if (Array.isArray(value)) return value.slice(0, MOST_ENTRIES).map((item) => clean(item, redact, deep - 1))
  const fields =
    value instanceof Error ? { ...value, name: value.name, message: value.message, stack: value.stack } : value
  const entries = Object.entries(fields).slice(0, MOST_ENTRIES)
  return Object.fromEntries(
    entries.map(([name, field]) => [
      redact(name),
      typeof field === 'string' && namesSecret(name) ? '[redacted]' : clean(field, redact, deep - 1),
    ]),
  )
}

function plain(value: unknown): unknown {
  return typeof value === 'boolean' || value === null || value === undefined ? value : String(value)
}

function cut(text: string): string {
  return text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT)}… (${text.length} characters)`
}
