/** Rings whenever something changed, so that nobody has to sleep and look again. */
export interface Bell {
  ring(): void
  /** Gives the way to stop listening. */
  on(listener: () => void): () => void
  /** Resolves with what `look` finds, now or after a ring. Rejects after `withinMs` (5,000). */
  until<T>(look: () => T | null | undefined | false, withinMs?: number): Promise<T>
}

export function createBell(): Bell {
  const listeners = new Set<() => void>()
  const on = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  return {
    on,
    ring() {
      for (const listener of [...listeners]) listener()
    },
    until(look, withinMs = 5_000) {
      return new Promise((resolve, reject) => {
        const limit = setTimeout(() => {
          stop()
          reject(new Error(`Nothing of the kind came within ${withinMs} ms: ${String(look)}`))
        }, withinMs)
        const peek = () => {
          const found = look()
          if (found === null || found === undefined || found === false) return
          clearTimeout(limit)
          stop()
          resolve(found)
        }
        const stop = on(peek)
        peek()
      })
    },
  }
}
