import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { readChatRequest } from '../../../src/lab/model-server/chat-request.ts'
import type { Dialect } from '../../../src/lab/model-server/dialect.ts'
import { roughTokens } from '../../../src/lab/model-server/dialect.ts'
import { send } from '../../../src/lab/model-server/send-json.ts'
import { speak } from '../../../src/lab/model-server/speak.ts'
import type { Question, Refusal, Speech } from '../../../src/lab/story.ts'

/** A server of models as its flags make it. */
export interface Serving {
  readonly dialect: Dialect
  readonly context: number
  /** what it says of itself, by path, before the dialect's own words */
  readonly facts: ReadonlyMap<string, unknown>
  play(question: Question): Speech | Refusal
}

export function openServer(serving: Serving): Server {
  return createServer((request, response) => {
    answer(serving, request, response).catch(() => response.destroy())
  })
}

async function answer(serving: Serving, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { dialect, facts } = serving
  const path = new URL(request.url ?? '/', 'http://double').pathname
  if (path === '/v1/chat/completions') return chat(serving, await text(request), response)
  if (dialect.health.includes(path)) return void response.writeHead(200).end()
  const fact = facts.get(path)
  if (fact === undefined) send(response, 404, dialect.noRoute)
  else send(response, 200, fact)
}

async function chat({ dialect, context, play }: Serving, body: string, response: ServerResponse): Promise<void> {
  const request = readChatRequest(body, context)
  const refuse = (status: number, type: string, message: string) =>
    send(response, status, dialect.refusal(status, type, message))
  if (typeof request === 'string') return refuse(400, 'BadRequestError', request)
  const problem = tooLong(request, context)
  if (problem !== null) return refuse(400, 'BadRequestError', problem)
  const act = play(request)
  if (act.act === 'refuse') return refuse(act.status, act.type, act.message)
  const head = { id: dialect.newId(), model: request.model, created: Math.floor(Date.now() / 1000) }
  await speak(response, request, act, { dialect, head, tokensPerSecond: Number.POSITIVE_INFINITY })
}

/** The two wordings of SGLang's tokenizer manager. */
function tooLong(question: Question, context: number): string | null {
  const input = roughTokens(question)
  if (input >= context) {
    return `The input (${input} tokens) is longer than the model's context length (${context} tokens).`
  }
  const wanted = input + question.budget
  if (wanted <= context) return null
  return `Requested token count exceeds the model's maximum context length of ${context} tokens. You requested a total of ${wanted} tokens: ${input} tokens from the input messages and ${question.budget} tokens for the completion. Please reduce the number of tokens in the input messages or the completion to fit within the limit.`
}
