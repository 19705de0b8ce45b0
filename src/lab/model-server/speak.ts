import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Piece } from '../../domain/completion.ts'
import type { Speech } from '../story.ts'
import type { ChatRequest } from './chat-request.ts'
import type { Ended, Wording } from './dialect.ts'
import {
  abortsAsError,
  errorChunk,
  finishChunk,
  flatError,
  pieceChunk,
  roleChunk,
  roughTokens,
  toolChunk,
  usageChunk,
  wholeAnswer,
} from './dialect.ts'
import { sendJson } from './send-json.ts'

/** Answers one chat request at a model's pace; stops at once where the client goes away. */
export async function speak(
  response: ServerResponse,
  chat: ChatRequest,
  speech: Speech,
  words: Wording,
  tokensPerSecond: number,
): Promise<void> {
  const gone = new AbortController()
  response.on('close', () => gone.abort())
  const telling = { response, chat, speech, words, pace: { tokensPerSecond, signal: gone.signal } }
  await (chat.stream ? stream(telling) : answer(telling))
}

interface Telling {
  readonly response: ServerResponse
  readonly chat: ChatRequest
  readonly speech: Speech
  readonly words: Wording
  readonly pace: Pace
}

interface Pace {
  readonly tokensPerSecond: number
  readonly signal: AbortSignal
}

async function stream(telling: Telling): Promise<void> {
  const { response, chat, speech, words, pace } = telling
  const send = (data: unknown) => response.write(`data: ${JSON.stringify(data)}\n\n`)
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  send(roleChunk(words))
  const ended = await perform(telling, async (piece) => {
    if (!send(pieceChunk(words, piece))) await drained(response, pace.signal)
  })
  if (pace.signal.aborted) return
  if (speech.ending === 'early') response.end()
  if (speech.ending === 'cut') response.destroy()
  if (speech.ending !== 'whole') return
  for (const [index, call] of speech.toolCalls.entries()) send(toolChunk(words, call, index))
  if (isAbort(telling, ended)) send(errorChunk(ABORTED))
  else send(finishChunk(words, ended))
  if (chat.includeUsage) send(usageChunk(words, ended))
  response.end('data: [DONE]\n\n')
}

async function answer(telling: Telling): Promise<void> {
  const { response, speech, words, pace } = telling
  const said = { reasoning: '', content: '' }
  const ended = await perform(telling, (piece) => {
    said[piece.channel] += piece.text
  })
  if (pace.signal.aborted) return
  if (speech.ending !== 'whole') response.destroy()
  else if (isAbort(telling, ended)) sendJson(response, 500, flatError(500, 'InternalServerError', ABORTED))
  else sendJson(response, 200, wholeAnswer(words, { ...said, toolCalls: speech.toolCalls }, ended))
}

const ABORTED = 'The request was aborted by the scheduler.'

function isAbort({ words }: Telling, ended: Ended): boolean {
  return ended.finish === 'abort' && abortsAsError(words.version)
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
