import { createParser } from 'eventsource-parser'

import type { Failure } from '../domain/failure.ts'
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
  let overflow: Failure | null = null
  const parser = createParser({
    maxBufferSize: LARGEST_EVENT,
    onEvent({ data }) {
      count += 1
      done ||= data === '[DONE]'
      progress = onData(data) || progress
    },
    onError(error) {
      if (error.type === 'max-buffer-size-exceeded') overflow = tooLarge(thing, 'one event', LARGEST_EVENT)
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
      return count > most.events ? tooMany(thing, most.events) : overflow
    },
    progressed: () => progress,
    text: heard.text,
    complete: () => done,
    count: () => count,
    // a last event without its empty line counts where the body ended as it should
    end: () => parser.feed('\n\n'),
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
