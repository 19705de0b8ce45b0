import type { RemoteEnd, RemoteRun } from '../../domain/remote.ts'
import { parsedOf } from '../../judge/remote/output.ts'
import { readRemote } from '../../judge/remote.ts'
import type { Judged } from './document.ts'
import type { Fields } from './record.ts'
import { flat, numberOf, recordOf, textOf } from './record.ts'

/** Kind D: one command as an SSH library reported it. */
export function remoteDocument(input: unknown): Judged {
  const read = eventOf(input)
  return read.ok ? { ok: true, finding: readRemote(read.run), parsed: parsedOf(read.run) } : read
}

type EventRead = { readonly ok: true; readonly run: RemoteRun } | { readonly ok: false; readonly problem: string }

/** The run that an input of kind D records: `{command, event: {type, …}, stdout, stderr, events?, context?}`. */
export function eventOf(input: unknown): EventRead {
  const fields = recordOf(input)
  if (fields === null) return { ok: false, problem: '"input" is no object' }
  const wrong = ['command', 'stdout', 'stderr'].find(
    (name) => fields[name] != null && textOf(fields[name]) === undefined,
  )
  if (wrong !== undefined) return { ok: false, problem: `"input.${wrong}" is no text` }
  const event = recordOf(fields['event'])
  if (event === null) return { ok: false, problem: `"input.event" is missing; ${EVENTS}` }
  const end = endOf(event, eventsOf(fields))
  if (end === null) return { ok: false, problem: `"input.event" tells no end; ${EVENTS}` }
  return { ok: true, run: runOf(fields, event, end) }
}

function runOf(fields: Fields, event: Fields, end: RemoteEnd): RemoteRun {
  const { command, stdout, stderr, event: _, events, context, dmesg, ...others } = fields
  const besides = recordOf(context) ?? { context }
  const known = flat({ ...besides, ...others, dmesg: null })
  const banner = bannerOf([event, others, ...eventsOf({ events })])
  return {
    command: textOf(command)?.slice(0, LONGEST_COMMAND) ?? null,
    end,
    stdout: textOf(stdout) ?? '',
    stderr: textOf(stderr) ?? '',
    ...(banner === '' ? {} : { banner }),
    dmesg: dmesgOf(dmesg ?? besides['dmesg']),
    known: known.join('\n'),
    jumps: [...known, ...flat(event)].some((line) => JUMP.test(line)),
  }
}

const EVENTS =
  'write {"type": "close", "code": 0, "signal": null}, {"type": "error", "message": …, "level": …}, {"type": "timeout", "after_ms": …} or {"type": "limit", "bytes": …}'

/** A name of a field, or words in its value. */
const JUMP =
  /^(?:[\w.]*[._])?(?:jump|proxy|bastion|via|hop)\w*: (?!(?:false|0|none|null)?$)|jump ?host|bastion|proxy(?:jump|command)|forwardOut/i

/** in characters: patterns are tried on it */
const LONGEST_COMMAND = 4096

/** A text, or its lines. */
function dmesgOf(value: unknown): string {
  const lines: readonly unknown[] = Array.isArray(value) ? value : [value]
  return lines.flatMap((line) => textOf(line) ?? []).join('\n')
}

function eventsOf(fields: Fields): readonly unknown[] {
  const { events } = fields
  return Array.isArray(events) ? events : []
}

function bannerOf(places: readonly unknown[]): string {
  return places.flatMap((place) => textOf(recordOf(place)?.['banner']) ?? []).join('\n')
}

function endOf(event: Fields, events: readonly unknown[]): RemoteEnd | null {
  const code = numberOf(event['code'])
  const signal = textOf(event['signal'])
  switch (event['type']) {
    case 'timeout':
      return { how: 'timeout', afterMs: numberOf(event['after_ms']) ?? 0 }
    case 'limit':
      return { how: 'cut', bytes: numberOf(event['bytes']) ?? 0 }
    case 'close':
    case 'exit':
      if (code !== undefined) return { how: 'exited', code }
      return signal === undefined ? (errorBefore(events) ?? { how: 'lost' }) : { how: 'signalled', signal }
    default:
      return errorOf(event)
  }
}

function errorOf(event: Fields): RemoteEnd | null {
  const message = textOf(event['message'])
  if (message === undefined) return null
  const level = textOf(event['level'])
  const code = event['code']
  const reason = numberOf(event['reason'])
  return {
    how: 'error',
    message,
    ...(level === undefined ? {} : { level }),
    ...(typeof code === 'string' || typeof code === 'number' ? { code: String(code) } : {}),
    ...(reason === undefined ? {} : { reason }),
  }
}

/** What the library had said before it closed without a status. */
function errorBefore(events: readonly unknown[]): RemoteEnd | null {
  for (const event of events) {
    const fields = recordOf(event)
    const told =
      fields === null
        ? null
        : errorOf(recordOf(fields['error']) ?? { ...fields, message: fields['message'] ?? fields['error'] })
    if (told !== null) return told
  }
  return null
}
