import type { RecordedEnd, Recording } from '../../adapters/http-recorded.ts'
import type { Fields } from './record.ts'
import { numberOf, recordOf, textOf } from './record.ts'

/** The recorded exchange: `response` is `{status, headers, body, end, timeline?}`, `request` what was sent. */
export function recordingOf(response: Fields, request: Fields): Recording {
  const text = bodyOf(response['body'])
  const status = numberOf(response['status']) ?? numberOf(response['status_code']) ?? null
  const timeline = timelineOf(response['timeline'])
  return {
    thing: 'the server',
    sent: request,
    // nobody writes down a body without having seen a head
    status: status === 0 || (status === null && text === '') ? null : (status ?? 200),
    headers: headersOf(response['headers']),
    text,
    end: endOf(response),
    ...timeline,
  }
}

/** Whether a text is a stream of events, whatever its head says. */
export function isStream(text: string): boolean {
  return /^\s*(?:data|event|id|retry)?:/.test(text.slice(0, LOOKED_AT))
}

const LOOKED_AT = 2000

/** A body as text; one that was recorded as JSON becomes text again. */
function bodyOf(body: unknown): string {
  if (body === undefined || body === null) return ''
  return textOf(body) ?? linesOf(body) ?? JSON.stringify(body)
}

/** The lines of a stream. */
function linesOf(body: unknown): string | null {
  if (!Array.isArray(body)) return null
  const lines: readonly unknown[] = body
  const texts = lines.flatMap((line) => textOf(line) ?? [])
  return texts.length === lines.length && texts.length > 0 ? texts.join('\n') : null
}

function headersOf(value: unknown): Readonly<Record<string, string>> {
  const entries = Object.entries(recordOf(value) ?? {}).slice(0, MOST_HEADERS)
  return Object.fromEntries(
    entries.flatMap(([name, one]) => {
      const text = Array.isArray(one) ? one.join(', ') : one
      return typeof text === 'string' || typeof text === 'number' ? [[name.toLowerCase(), String(text)]] : []
    }),
  )
}

const MOST_HEADERS = 200

/** How people and libraries name an end; the first that fits. */
const ENDS: readonly (readonly [RegExp, RecordedEnd])[] = [
  [/refused/i, 'refused'],
  [/notfound|getaddrinfo|resolve|\bdns\b|EAI_AGAIN/i, 'unresolved'],
  [/unreach|no route/i, 'unreachable'],
  [/\b(?:tls|ssl)\b|certificate/i, 'tls'],
  [/hang ?up/i, 'cut'],
  [/time.?d?.?out|stall|idle|hang|deadline/i, 'timeout'],
  [/client|cancel|stopp|user|person/i, 'stopped'],
  [/reset|cut|clos|abort|broken|pipe|premature|incomplete|terminated|truncat|disconnect|drop|lost|died|error/i, 'cut'],
]

function endOf(response: Fields): RecordedEnd {
  const said = textOf(response['end']) ?? textOf(response['error']) ?? 'eof'
  if (/^(?:eof|end|ok|done|complete|normal|finished|close|closed)$/i.test(said)) return 'eof'
  return ENDS.find(([sign]) => sign.test(said.slice(0, LOOKED_AT)))?.[1] ?? 'eof'
}

/** `[{"t_ms": 0, "n": 1}, …]`: when something came; an entry with n 0 tells that nothing did. */
function timelineOf(value: unknown): Pick<Recording, 'times' | 'silenceMs'> {
  const list: readonly unknown[] = Array.isArray(value) ? value.slice(0, MOST_TIMES) : []
  const marks = list.flatMap(markOf)
  const times = marks.filter(({ came }) => came).map(({ atMs }) => atMs)
  const last = marks.at(-1)
  const silence = last === undefined || last.came ? null : last.atMs - (times.at(-1) ?? 0)
  return { times, silenceMs: silence === null || silence < 0 ? null : silence }
}

const MOST_TIMES = 100_000

function markOf(entry: unknown): readonly { atMs: number; came: boolean }[] {
  const fields = recordOf(entry)
  const atMs = fields === null ? numberOf(entry) : (numberOf(fields['t_ms']) ?? numberOf(fields['ms']))
  if (atMs === undefined || atMs < 0) return []
  return [{ atMs, came: fields === null || fields['n'] !== 0 }]
}
