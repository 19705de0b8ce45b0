import { readJson } from '../domain/json.ts'
import type { NativeAnswer } from './native-answer.ts'
import { asChat, asChunk, nativeAnswer } from './native-answer.ts'

/** A body of an engine's own API as the chat dialect has it: JSON, or a stream of events. */
export interface InChat {
  readonly text: string
  readonly isStream: boolean
  /** how the engine says that it ended: `stop`, Ollama's `load`; null where the stream breaks off */
  readonly finish: string | null
  readonly model: string | null
}

/** Reads an answer of another API than OpenAI's; null where the text is none, or in the chat dialect already. */
export function inChat(text: string): InChat | null {
  const whole = readJson(text)
  const answer = whole.ok ? nativeAnswer(whole.value) : null
  if (answer?.isLast === true) {
    const { finish, model } = answer
    return { text: JSON.stringify(asChat(answer)), isStream: false, finish, model }
  }
  return whole.ok && answer === null ? null : stream(text)
}

/** A stream of JSON lines, as Ollama sends it, or of events. A last line that is cut is left out: it says nothing. */
function stream(text: string): InChat | null {
  const { value: first } = piecesIn(text).next()
  if (first === undefined || answerIn(first) === null) return null
  const pieces = [...piecesIn(text)]
  const events: string[] = []
  let said = ''
  let last: NativeAnswer | null = null
  for (const [at, piece] of pieces.entries()) {
    const read = answerIn(piece)
    if (read === null && at === pieces.length - 1 && !readJson(piece).ok) break
    events.push(read === null ? piece : JSON.stringify(asChunk(read, said)))
    if (read !== null) said = saidBy(read, said)
    last = read ?? last
  }
  const isDone = last?.isLast === true
  const lines = [...events, ...(isDone ? ['[DONE]'] : [])]
  const body = lines.map((event) => `data: ${event}\n\n`).join('')
  return { text: body, isStream: true, finish: isDone ? (last?.finish ?? null) : null, model: last?.model ?? null }
}

/** One after the other: a text of millions of lines, which is no stream, is left at its first. */
function* piecesIn(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const newline = text.indexOf('\n', from)
    const to = newline === -1 ? text.length : newline
    const piece = text
      .slice(from, to)
      .replace(/^data:/, '')
      .trim()
    if (piece !== '' && piece !== '[DONE]' && !ASIDE.test(piece)) yield piece
    from = to + 1
  }
}

/** Fields of an event besides its data, and comments. */
const ASIDE = /^(?:event|id|retry)?:/

function answerIn(piece: string): NativeAnswer | null {
  const json = readJson(piece)
  return json.ok ? nativeAnswer(json.value) : null
}

function saidBy({ message, isSoFar }: NativeAnswer, before: string): string {
  return isSoFar && typeof message.content === 'string' ? message.content : before
}
