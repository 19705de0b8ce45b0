import type { WebClient } from '@slack/web-api'
import { WebAPIPlatformError } from '@slack/web-api'
import { z } from 'zod'
import type { Place } from '../../domain/ask.ts'
import type { Abilities } from './abilities.ts'
import type { Sample } from './abilities-samples.ts'
import { blame, isTelling, kindsIn } from './blame.ts'
import { cut } from './cut.ts'
import type { Call, Fields } from './outbox/call.ts'
import { placed, words } from './outbox/call.ts'
import { contentOf } from './outbox/letter.ts'
import { stampIn } from './outbox/send.ts'
import type { Message } from './pages.ts'
import type { Refusal } from './refusal.ts'

/** What became of one sample. Words of Slack, or ours where it took it. */
export interface Tried extends Pick<Sample, 'name' | 'rung'> {
  readonly validator: string
  readonly posting: string
  readonly taken: boolean
}

/** What a trial works with. */
export interface Bench {
  readonly client: WebClient
  readonly call: Call
  readonly known: Abilities
  /** where it posts */
  readonly place: Place
  pace(channel: string): Promise<void>
  pause(ms: number): Promise<void>
}

export type Sent = { readonly ok: true; readonly ts: string } | { readonly ok: false; readonly refusal: Refusal }

/** Asks the validator, posts, and learns. A refusal where Slack could not be reached: then nothing is known. */
export async function trySample(sample: Sample, bench: Bench): Promise<Tried | Refusal> {
  const validator = await validated(sample.message, bench.client)
  const sent = await sendSample(sample, bench)
  if (!sent.ok && isTrouble(sent.refusal)) return sent.refusal
  const { name, rung } = sample
  return { name, rung, validator, taken: sent.ok, posting: sent.ok ? 'taken' : said(sent.refusal) }
}

async function sendSample({ message, files }: Sample, bench: Bench): Promise<Sent> {
  const sent = await send(message, bench)
  if (sent.ok) await bench.known.worked(kindsIn(message))
  else {
    const blamed = blame(message, sent.refusal)
    if (blamed !== null && isTelling(sent.refusal)) await bench.known.refused(blamed)
  }
  if (!sent.ok || files.length === 0) return sent
  const uploaded = await insist(bench, 'files.uploadV2', { ...placed(bench.place), files })
  if (uploaded.ok) await bench.known.worked(['files'])
  else if (uploaded.refusal.kind === 'no') await bench.known.refused('files')
  return uploaded
}

/** Exactly this form, so that what is refused is heard of. */
export function send(message: Message, bench: Bench): Promise<Sent> {
  const args = { ...placed(bench.place), ...words(contentOf(message)), unfurl_links: false, unfurl_media: false }
  return insist(bench, 'chat.postMessage', args)
}

/** Longer waits are left to the person, in ms. */
const PATIENCE_MS = 60_000
const TRIES = 3

/** A call that came too fast surely did nothing, and is made again. */
async function insist(bench: Bench, method: 'chat.postMessage' | 'files.uploadV2', args: Fields): Promise<Sent> {
  for (let tries = 1; ; tries += 1) {
    await bench.pace(bench.place.channel)
    const answer = await bench.call(method, args)
    if (answer.ok) return { ok: true, ts: stampIn(answer.body) }
    const { refusal } = answer
    if (refusal.kind !== 'limited' || tries === TRIES || refusal.waitMs > PATIENCE_MS) return answer
    await bench.pause(refusal.waitMs)
  }
}

const Problems = z.object({ errors: z.array(z.object({ pointer: z.string().nullish(), message: z.string() })) })

/** What `blocks.validate` says. It is newer than some servers, and sees each block by itself. */
async function validated({ blocks }: Message, client: WebClient): Promise<string> {
  if (blocks.length === 0) return 'no blocks'
  try {
    await client.apiCall('blocks.validate', { blocks: [...blocks] })
    return 'ok'
  } catch (error) {
    if (!(error instanceof WebAPIPlatformError)) return 'no answer'
    if (error.data.error === 'unknown_method') return 'not offered'
    const [first] = Problems.safeParse(error.data).data?.errors ?? []
    return shortened(first === undefined ? error.data.error : `${first.message} at ${first.pointer ?? '/'}`)
  }
}

function said({ code, details }: Refusal): string {
  return shortened([code, ...details.slice(0, 1)].join(': '))
}

function shortened(text: string): string {
  return cut(text, 120)
}

/** Whether Slack was not reached, or asks to come later. */
export function isTrouble({ kind }: Refusal): boolean {
  return kind === 'limited' || kind === 'unsent' || kind === 'unknown'
}
