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
  read: (files: readonly ShownFile[]) => Promise<readonly Material[]>,
): Promise<readonly Material[]> {
  const own = [...(pasted === null ? [] : [textAlone(pasted)]), ...(await read(shown.files))]
  if (own.length > 0 || !shown.above.ok) return own
  const since = shown.above.value.filter(({ at }) => lastAt === null || at > lastAt)
  const meant = since.find((message) => isMaterial(message)) ?? since.find(({ isFirst }) => isFirst)
  if (meant === undefined) return []
  const text = pastedIn(meant.text)
  return [
    ...(text === null || !isMaterial({ ...meant, files: [] }) ? [] : [textAlone(text)]),
    ...(await read(meant.files)),
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
  if (text.length > LONGEST_TALK) return false
  const words = text.toLowerCase().match(/[^\s,.?!]+/g) ?? []
  return words.every((word) => POINTING.has(word))
}

const LONGEST_TALK = 80

/** Any other word may be of a short error: `CUDA out of memory`, `Killed`. */
const POINTING = new Set(
  (
    "this that it these those please pls why what what’s what's how here above below before last latest one the a my our me " +
    'is was did does happened happens happen fail failed went goes wrong again now and can could you tell us just thanks of for to with in about mean means ' +
    'log logs file files output answer error errors message messages text trace traceback smoke attempt thread post'
  ).split(' '),
)

export function textAlone(text: string): Material {
  return { name: null, text: ok(text) }
}

/** Whether a message shows something, and is no talk. The one that begins the thread is what the thread is about. */
function isMaterial({ text, files, isFirst }: ShownMessage): boolean {
  if (files.length > 0 || text.includes('```')) return true
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.length >= (isFirst ? 1 : 3) || /^\s*[{<]|^HTTP\/|^data:/.test(text)
}
