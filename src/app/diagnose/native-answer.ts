import type { Recording } from '../../adapters/http-recorded.ts'
import type { SmokeRequest } from '../../domain/smoke.ts'
import { inChat } from '../../engines/native.ts'
import { toldInstead } from '../../engines/native-facts.ts'
import type { ToldInstead } from '../../judge/told-instead.ts'

/** An answer of an engine's own API as the chat dialect would have it; any other recording as it is. */
export function inChatDialect(recording: Recording): Recording {
  const answer = isSettled(recording) ? null : inChat(recording.text)
  if (answer === null) return recording
  const { 'content-type': _, ...others } = recording.headers
  return { ...recording, headers: others, text: answer.text }
}

/** What the server told in place of an answer; where one was asked for, lists and states are answers of another URL. */
export function toldBy(recording: Recording, { prompt }: SmokeRequest): ToldInstead | null {
  const told = isSettled(recording) ? null : toldInstead(recording.text)
  if (told === null || prompt.trim() === '') return told
  return ASKED_NOTHING.has(told.what) ? null : told
}

const ASKED_NOTHING: ReadonlySet<ToldInstead['what']> = new Set(['models', 'health', 'facts'])

/** Refused, or in the chat dialect by the first look: nothing else is made of it. */
function isSettled({ status, text }: Recording): boolean {
  return status === null || status < 200 || status > 299 || CHOICES.test(text.slice(0, LOOKED_AT))
}

/** A list that is not empty. Quoted by a model, its quotation marks are escaped. */
const CHOICES = /"choices"\s*:\s*\[\s*[^\s\]]/
const LOOKED_AT = 16_384
