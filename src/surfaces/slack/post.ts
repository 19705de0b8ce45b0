import type { WebClient } from '@slack/web-api'
import { z } from 'zod'
import type { Place } from '../../domain/ask.ts'
import type { Log } from '../../domain/ports.ts'
import type { ReportFile } from '../../domain/report.ts'
import { written } from './escape.ts'
import type { Message } from './pages.ts'
import type { Refusal } from './refusal.ts'
import { refusalOf } from './refusal.ts'

/** `ts` names the message from now on. */
export type Sent = { readonly ok: true; readonly ts: string } | { readonly ok: false; readonly refusal: Refusal }

export interface Posted {
  readonly channel: string
  readonly ts: string
}

/** Everything that we write to Slack where others see it. Nothing here throws. */
export interface Post {
  /** A new message. Asked again only where it surely did not arrive, so it never stands there twice. */
  message(to: Place, message: Message): Promise<Sent>
  /** A change that the next one overtakes: tried once. */
  progress(at: Posted, message: Message): Promise<Sent>
  /** A change that must be seen: tried until Slack takes it or says a final no. */
  change(at: Posted, message: Message): Promise<Sent>
  /** Only that person sees it. */
  privately(to: Place, user: string, message: Message): Promise<Sent>
  files(to: Place, files: readonly ReportFile[]): Promise<Sent>
}

interface Options {
  readonly client: WebClient
  /** Waits until the channel may have another message. */
  readonly pace: (channel: string) => Promise<void>
  readonly sleep: (ms: number) => Promise<void>
  readonly log: Log
}

/** Tries in all, with the waits that Slack orders between them. */
const TRIES = 8
/** Where Slack orders no wait: doubled with each try, in ms. */
const FIRST_WAIT = 1_000

/** Writes by a client that itself never repeats: it would post twice where only the answer was lost. */
export function post({ client, pace, sleep, log }: Options): Post {
  async function insist(channel: string, call: () => Promise<Sent>, again: Again): Promise<Sent> {
    for (let tries = 1; ; tries += 1) {
      await pace(channel)
      const sent = await call()
      if (sent.ok || tries === TRIES || !again(sent.refusal)) return sent
      await sleep(Math.max(sent.refusal.waitMs, FIRST_WAIT * 2 ** (tries - 1)))
    }
  }

  const write = async (method: Method, where: Record<string, unknown>, message: Message): Promise<Sent> => {
    const sent = await call(client, method, { ...where, ...content(message, method) })
    if (sent.ok || !['blocks', 'long'].includes(sent.refusal.kind)) return sent
    const { code, details } = sent.refusal
    log.error('Slack refused the blocks of a message; its words go alone', { method, code, details })
    return call(client, method, { ...where, ...content({ ...message, blocks: [] }, method) })
  }

  return {
    message: (to, message) => insist(to.channel, () => write('chat.postMessage', placed(to), message), didNotArrive),
    change: (at, message) => insist(at.channel, () => write('chat.update', { ...at }, message), mayHelp),
    privately: (to, user, message) =>
      insist(to.channel, () => write('chat.postEphemeral', { ...placed(to), user }, message), didNotArrive),
    async progress(at, message) {
      await pace(at.channel)
      return write('chat.update', { ...at }, message)
    },
    files: (to, files) => insist(to.channel, () => upload(client, to, files), didNotArrive),
  }
}

type Again = (refusal: Refusal) => boolean
type Method = 'chat.postMessage' | 'chat.update' | 'chat.postEphemeral'

function didNotArrive({ kind }: Refusal): boolean {
  return kind === 'limited' || kind === 'unsent'
}

/** Writing the same state again does no harm. */
function mayHelp({ kind }: Refusal): boolean {
  return kind === 'limited' || kind === 'unsent' || kind === 'unknown'
}

function placed({ channel, thread }: Place): Record<string, unknown> {
  return thread === null ? { channel } : { channel, thread_ts: thread }
}

/** Nothing in our texts is looked up, linked or fetched by Slack. */
function content({ text, blocks }: Message, method: Method): Record<string, unknown> {
  return {
    text: written(text),
    ...(blocks.length === 0 ? {} : { blocks }),
    parse: 'none',
    link_names: false,
    ...(method === 'chat.postMessage' ? { unfurl_links: false, unfurl_media: false } : {}),
  }
}

const Stamped = z.object({ ts: z.string().nullish(), message_ts: z.string().nullish() })

async function call(client: WebClient, method: Method, args: Record<string, unknown>): Promise<Sent> {
  try {
    const answer = Stamped.parse(await client.apiCall(method, args))
    return { ok: true, ts: answer.ts ?? answer.message_ts ?? '' }
  } catch (error) {
    return { ok: false, refusal: refusalOf(error) }
  }
}

async function upload(client: WebClient, to: Place, files: readonly ReportFile[]): Promise<Sent> {
  try {
    await client.files.uploadV2({
      channel_id: to.channel,
      ...(to.thread === null ? {} : { thread_ts: to.thread }),
      file_uploads: files.map(({ name, text }) => ({ filename: name, title: name, file: Buffer.from(text) })),
    })
    return { ok: true, ts: '' }
  } catch (error) {
    return { ok: false, refusal: refusalOf(error) }
  }
}
