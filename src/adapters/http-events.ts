import type { EventSourceParser } from 'eventsource-parser'
import { createParser } from 'eventsource-parser'

import type { StreamBounds } from '../domain/ports.ts'
import { emptyBody, noStream, tooLarge, tooMany } from './http-failure.ts'
import type { Receiver } from './http-send.ts'
import { transcript } from './transcript.ts'

/**
 * Reads an event stream within its bounds: hands on the data of each event, asks whether it is progress, and knows
 * when `[DONE]` has come.
 */
export function eventReceiver(
  thing: string,
  onData: (data: string) => boolean,
  most: StreamBounds = LARGEST_STREAM,
): EventReceiver {
  const heard = transcript()
  let count = 0
  let done = false
  let progress = false
  let size = 0
  const parser = createParser({
    maxBufferSize: LARGEST_EVENT,
    onEvent({ data }) {
      count += 1
      done ||= data === '[DONE]'
      progress = onData(data) || progress
    },
  })
  return {
    refuse({ status, headers }) {
      const type = headers['content-type']
      if (type === undefined || /^text\/event-stream\b/i.test(type)) return null
      return (text) => (text.trim() === '' ? emptyBody(thing, status) : noStream(thing, status, type, text))
    },
    take(text, bytes) {
      heard.add(text, bytes)
      size += bytes
      progress = false
      parser.feed(text)
      if (size > most.bytes) return tooLarge(thing, 'the stream', most.bytes)
      if (count > most.events) return tooMany(thing, most.events)
      return takesMore(parser) ? null : tooLarge(thing, 'one event', LARGEST_EVENT)
    },
    progressed: () => progress,
    text: heard.text,
    complete: () => done,
    count: () => count,
    // a last event without its empty line counts where the body ended as it should
    end: () => parser.feed('\n\n'),
  }
}

/**
 * An event that is too large ends the parser, which then takes nothing any more. It would also tell so by `onError`; but
 * that makes an error with its stack of every odd line, which costs seconds where they are many.
 */
function takesMore(parser: EventSourceParser): boolean {
  try {
    parser.feed('')
    return true
  } catch {
    return false
  }
}

export type EventReceiver = Receiver & {
  /** events so far */
  count(): number
  /** The body is over. */
  end(): void
}

const LARGEST_EVENT = 1024 * 1024
const LARGEST_STREAM: StreamBounds = { bytes: 16 * 1024 * 1024, events: 1_000_000 }
