import type { Finding } from './finding.ts'
import type { Outcome } from './outcome.ts'

/** What somebody shows with an ask, besides its line. Nothing of it is stored. */
export interface Shown {
  /** of the same message, in its order; at most `MOST_FILES` */
  readonly files: readonly ShownFile[]
  /** what stands above it in the thread, from people, newest first; a failure tells why nobody could look */
  readonly above: Outcome<readonly ShownMessage[]>
}

export interface ShownMessage {
  /** ms since 1970 */
  readonly at: number
  /** as the chat delivers it: dispatch decodes it, as it does what was said */
  readonly text: string
  readonly files: readonly ShownFile[]
  /** whether it begins the thread */
  readonly isFirst: boolean
}

export interface ShownFile {
  /** `server.log` */
  readonly name: string
  /** Its text, or why it cannot be read and which click mends that. */
  read(signal: AbortSignal): Promise<Outcome<string>>
}

/** What a pasted or uploaded text holds, judged. */
export interface Explained {
  /** in words: `a log`, `the answer of a model server` */
  readonly what: string
  readonly finding: Finding
}

/** of one message */
export const MOST_FILES = 5

/** The largest file that is read, in bytes. */
export const LARGEST_FILE = 1_048_576
