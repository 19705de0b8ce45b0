import type { Message } from './world.ts'

/** The messages of a workspace, the oldest of which are forgotten. */
export interface Archive {
  all(): readonly Message[]
  get(ts: string): Message | undefined
  /** the replies of a thread, oldest first */
  replies(ts: string): readonly Message[]
  add(message: Message): void
  replace(message: Message): void
  /** False where it was not there. */
  delete(message: Message): boolean
}

export function createArchive(most: number): Archive {
  const kept = new Map<string, Message>()
  const threads = new Map<string, Set<string>>()
  const forgetOldest = () => {
    const oldest = kept.keys().next()
    if (kept.size <= most || oldest.done) return
    kept.delete(oldest.value)
    threads.delete(oldest.value)
  }
  return {
    all: () => [...kept.values()],
    get: (ts) => kept.get(ts),
    replies: (ts) => [...(threads.get(ts) ?? [])].flatMap((reply) => kept.get(reply) ?? []),
    add(message) {
      kept.set(message.ts, message)
      if (message.thread !== null) {
        threads.set(message.thread, (threads.get(message.thread) ?? new Set()).add(message.ts))
      }
      forgetOldest()
    },
    replace: (message) => void kept.set(message.ts, message),
    delete(message) {
      threads.get(message.thread ?? '')?.delete(message.ts)
      return kept.delete(message.ts)
    },
  }
}
