import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Piece } from '../../domain/completion.ts'
import type { Speech } from '../story.ts'
import type { ChatRequest } from './chat-request.ts'
import type { Dialect, Ended, Head } from './dialect.ts'
import { roughTokens } from './dialect.ts'
import { sendJson } from './send-json.ts'

/** Answers one chat request at a model's pace; stops at once where the client goes away. */
export async function speak(response: ServerResponse, chat: ChatRequest, speech: Speech, words: Words): Promise<void> {
  const gone = new AbortController()
  response.on('close', () => gone.abort())
  const { dialect, head, tokensPerSecond } = words
  const telling = { response, chat, speech, dialect, head, pace: { tokensPerSecond, signal: gone.signal } }
  await (chat.stream ? stream(telling) : answer(telling))
}

export interface Words {
  readonly dialect: Dialect
  readonly head: Head
  readonly tokensPerSecond: number
}

interface Telling {
  readonly response: ServerResponse
  readonly chat: ChatRequest
  readonly speech: Speech
  readonly dialect: Dialect
  readonly head: Head
  readonly pace: Pace
}

interface Pace {
  readonly tokensPerSecond: number
  readonly signal: AbortSignal
}

async function stream(telling: Telling): Promise<void> {
  const { response, chat, speech, dialect, head, pace } = telling
  const send = (data: unknown) => response.write(`data: ${JSON.stringify(data)}\n\n`)
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  for (const opening of dialect.opening(head)) send(opening)
  const ended = await perform(telling, async (piece) => {
    if (!send(dialect.piece(head, piece))) await drained(response, pace.signal)
  })
  if (pace.signal.aborted) return
  if (speech.ending === 'early') response.end()
  if (speech.ending === 'cut') response.destroy()
  if (speech.ending !== 'whole') return
  for (const calls of dialect.calls(head, speech.toolCalls)) send(calls)
  if (isAbort(telling, ended)) send(dialect.errorEvent(ABORTED))
  else send(dialect.ending(head, ended))
  if (chat.includeUsage) send(dialect.usage(head, ended))
  response.end('data: [DONE]\n\n')
}

async function answer(telling: Telling): Promise<void> {
  const { response, speech, dialect, head, pace } = telling
  const said = { reasoning: '', content: '' }
  const ended = await perform(telling, (piece) => {
    said[piece.channel] += piece.text
  })
  if (pace.signal.aborted) return
  if (speech.ending !== 'whole') response.destroy()
  else if (isAbort(telling, ended)) sendJson(response, 500, dialect.refusal(500, 'InternalServerError', ABORTED))
  else sendJson(response, 200, dialect.whole(head, { ...said, calls: speech.toolCalls }, ended))
}

const ABORTED = 'The request was aborted by the scheduler.'

function isAbort({ dialect }: Telling, ended: Ended): boolean {
  return ended.finish === 'abort' && dialect.abortsAsError
}

/** Says piece after piece until the speech or the budget ends, and counts what it cost. */
async function perform({ chat, speech, pace }: Telling, say: (piece: Piece) => Promise<void> | void): Promise<Ended> {
  let spoken = 0
  let reasoned = 0
  for await (const piece of paced(speech.pieces, pace)) {
    if (spoken === chat.budget) break
    spoken += 1
    if (piece.channel === 'reasoning') reasoned += 1
    await say(piece)
  }
  const needed = spoken + speech.hidden
  const fits = needed <= chat.budget
  return {
    finish: fits ? speech.finish : 'length',
    stop: fits ? speech.stop : null,
    promptTokens: roughTokens(chat),
    completionTokens: fits ? needed : chat.budget,
    reasoningTokens: reasoned,
  }
}

/** Time from a request to its first token, in ms, where the server runs at a pace at all. */
const PREFILL_MS = 80

async function* paced(pieces: Iterable<Piece>, { tokensPerSecond, signal }: Pace): AsyncGenerator<Piece> {
  const prefill = Number.isFinite(tokensPerSecond) ? PREFILL_MS : 0
  const start = performance.now() + prefill
  let number = 0
  await pause(prefill, signal)
  for (const piece of pieces) {
    const wait = start + (number * 1000) / tokensPerSecond - performance.now()
    if (wait >= 1) await pause(wait, signal)
    if (signal.aborted) return
    number += 1
    yield piece
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return delay(ms, undefined, { signal }).catch(() => {})
}

function drained(response: ServerResponse, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    response.once('drain', resolve)
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
