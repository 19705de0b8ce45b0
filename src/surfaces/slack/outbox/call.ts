import type { WebClient } from '@slack/web-api'
import type { Letter } from '../../../domain/letter.ts'
import type { Refusal } from '../refusal.ts'
import { refusalOf } from '../refusal.ts'
import type { Wire } from './letter.ts'

export type Fields = Readonly<Record<string, unknown>>

/** One call of the Web API, once. Never throws. */
export type Call = (method: Method, args: Fields) => Promise<Answer>

export type Method =
  | 'chat.postMessage'
  | 'chat.update'
  | 'chat.postEphemeral'
  | 'files.uploadV2'
  | 'conversations.history'
  | 'conversations.replies'

export type Answer = { readonly ok: true; readonly body: unknown } | { readonly ok: false; readonly refusal: Refusal }

/** `writer` never repeats by itself: where only the answer was lost, a repeated post stands there twice. */
export function caller(writer: WebClient, lookups: WebClient): Call {
  return async (method, args) => {
    try {
      return { ok: true, body: await ask(method, { ...args }, writer, lookups) }
    } catch (error) {
      return { ok: false, refusal: refusalOf(error) }
    }
  }
}

function ask(method: Method, args: Record<string, unknown>, writer: WebClient, lookups: WebClient): Promise<unknown> {
  switch (method) {
    case 'chat.postMessage':
    case 'chat.update':
    case 'chat.postEphemeral':
      return writer.apiCall(method, args)
    case 'files.uploadV2':
      return upload(writer, args)
    case 'conversations.history':
    case 'conversations.replies':
      return lookups.apiCall(method, args)
  }
}

/** The library's own three steps. */
async function upload(writer: WebClient, { channel, thread_ts, files, initial_comment }: Fields): Promise<unknown> {
  const list: readonly unknown[] = Array.isArray(files) ? files : []
  return writer.files.uploadV2({
    channel_id: String(channel),
    ...(typeof thread_ts === 'string' ? { thread_ts } : {}),
    ...(typeof initial_comment === 'string' ? { initial_comment } : {}),
    file_uploads: list.flatMap((one) => {
      if (typeof one !== 'object' || one === null || !('name' in one) || !('text' in one)) return []
      const name = String(one.name)
      return [{ filename: name, title: name, file: Buffer.from(String(one.text)) }]
    }),
  })
}

/** The call that brings a letter to Slack. Only its id goes into the metadata: anybody can read them. */
export function callFor({ id, place, ts }: Letter, wire: Wire): { readonly method: Method; readonly args: Fields } {
  const where = placed(place)
  if (wire.files.length > 0) {
    const comment = wire.text === '' ? {} : { initial_comment: wire.text }
    return { method: 'files.uploadV2', args: { ...where, ...comment, files: wire.files } }
  }
  if (ts !== null) return { method: 'chat.update', args: { channel: place.channel, ts, ...words(wire) } }
  const metadata = { event_type: EVENT, event_payload: { letter: id } }
  const args = { ...where, ...words(wire), unfurl_links: false, unfurl_media: false, metadata }
  return { method: 'chat.postMessage', args }
}

/** The event_type of our metadata. */
export const EVENT = 'pilotflame'

export function placed({ channel, thread }: Letter['place']): Fields {
  return thread === null ? { channel } : { channel, thread_ts: thread }
}

/** Nothing in our texts is looked up, linked or fetched by Slack. */
export function words({ text, blocks }: Pick<Wire, 'text' | 'blocks'>): Fields {
  return { text, ...(blocks.length === 0 ? {} : { blocks }), parse: 'none', link_names: false }
}
