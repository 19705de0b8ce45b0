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
  const pieces = piecesIn(text)
    .map((piece) => ({ piece, answer: answerIn(piece) }))
    .toArray()
  const cut = pieces.at(-1)
  if (cut?.answer === null && !readJson(cut.piece).ok) pieces.pop()
  const last = pieces.findLast(({ answer }) => answer !== null)?.answer ?? null
  const isDone = last?.isLast === true
  const lines = [...chunksOf(pieces), ...(isDone ? ['[DONE]'] : [])]
  const body = lines.map((event) => `data: ${event}\n\n`).join('')
  return { text: body, isStream: true, finish: isDone ? (last?.finish ?? null) : null, model: last?.model ?? null }
}

/** One line or event, and what it is; null where it is none of an answer, as an error. */
interface Piece {
  readonly piece: string
  readonly answer: NativeAnswer | null
}

function chunksOf(pieces: readonly Piece[]): string[] {
  const isSoFar = growsIn(pieces)
  let before = ''
  return pieces.map(({ piece, answer }) => {
    if (answer === null) return piece
    const text = textOf(answer)
    const chunk = asChunk(answer, before)
    if (isSoFar && text !== '') before = text
    return JSON.stringify(chunk)
  })
}

/** Whether each piece has all the text so far. One text that only comes again is a token that repeats. */
function growsIn(pieces: readonly Piece[]): boolean {
  const answers = pieces.flatMap(({ answer }) => answer ?? [])
  if (!answers.every(({ maybeSoFar }) => maybeSoFar)) return false
  const texts = answers.map(textOf).filter((text) => text !== '')
  const [first = ''] = texts
  if ((texts.at(-1) ?? '').length <= first.length) return false
  return texts.every((text, at) => text.startsWith(texts[at - 1] ?? ''))
}

function textOf({ message: { content } }: NativeAnswer): string {
  return typeof content === 'string' ? content : ''
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
