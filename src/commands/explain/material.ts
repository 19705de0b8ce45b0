import type { Outcome } from '../../domain/outcome.ts'
import { ok } from '../../domain/outcome.ts'
import type { Shown, ShownFile, ShownMessage } from '../../domain/shown.ts'

/** One text to explain, or why it could not be read. */
export interface Material {
  /** the name of its file; null: pasted */
  readonly name: string | null
  readonly text: Outcome<string>
}

/**
 * What is meant: what stands in the ask itself, else the latest thing in the thread above it. What was shown before the
 * thread's last smoke (`lastAt`, ms since 1970) is not: then that smoke is.
 */
export async function materialFor(
  pasted: string | null,
  shown: Shown,
  lastAt: number | null,
  signal: AbortSignal,
): Promise<readonly Material[]> {
  const own = [...(pasted === null ? [] : [textAlone(pasted)]), ...(await read(shown.files, signal))]
  if (own.length > 0 || !shown.above.ok) return own
  const since = shown.above.value.filter(({ at }) => lastAt === null || at > lastAt)
  const meant = since.find((message) => isMaterial(message)) ?? since.find(({ isFirst }) => isFirst)
  if (meant === undefined) return []
  const text = pastedIn(meant.text)
  return [
    ...(text === null || !isMaterial({ ...meant, files: [] }) ? [] : [textAlone(text)]),
    ...(await read(meant.files, signal)),
  ]
}

/** The text in the code blocks, else all of it; null where there is none. */
export function pastedIn(text: string | null): string | null {
  const blocks = Array.from((text ?? '').matchAll(BLOCK), ([, inside = '']) => inside.trim()).filter(Boolean)
  const found = blocks.length > 0 ? blocks.join('\n') : (text ?? '').trim()
  return found === '' ? null : found
}

const BLOCK = /```([\s\S]*?)```/g

/** Whether the words only point at what is meant: `this`, `that please`. */
export function isTalk(text: string): boolean {
  return /^(?:[\p{L}’']{1,20}[ ,]{0,2}){1,4}[.?!]?$/u.test(text)
}

export function textAlone(text: string): Material {
  return { name: null, text: ok(text) }
}

/** One after the other: each may have a megabyte. */
async function read(files: readonly ShownFile[], signal: AbortSignal): Promise<readonly Material[]> {
  const all: Material[] = []
  for (const file of files) all.push({ name: file.name, text: await file.read(signal) })
  return all
}

/** Whether a message shows something, and is no talk. The one that begins the thread is what the thread is about. */
function isMaterial({ text, files, isFirst }: ShownMessage): boolean {
  if (files.length > 0 || text.includes('```')) return true
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.length >= (isFirst ? 1 : 3) || /^\s*[{<]|^HTTP\/|^data:/.test(text)
}
