import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/** Whether machines reach this Slack at all. The console page is reached always. */
export interface Outage {
  is(): boolean
  set(down: boolean): void
  /** Whether this request may go on; where not, its connection is reset. */
  passes(request: IncomingMessage): boolean
}

export function createOutage(): Outage {
  const connections = new Set<Socket>()
  let isDown = false
  return {
    is: () => isDown,
    set(down) {
      isDown = down
      for (const connection of down ? connections : []) connection.resetAndDestroy()
    },
    passes({ socket }) {
      if (isDown) socket.resetAndDestroy()
      else if (!connections.has(socket)) {
        connections.add(socket)
        socket.once('close', () => connections.delete(socket))
      }
      return !isDown
    },
  }
}
