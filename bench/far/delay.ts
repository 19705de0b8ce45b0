import type { Socket } from 'node:net'
import { connect, createServer } from 'node:net'

/** A proxy on 127.0.0.1 that holds back every byte for half a round trip, each way; netem may be absent. Gives its port. */
export function delayed(port: number, rttMs: number): Promise<number> {
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    hold(near, far, rttMs / 2)
    hold(far, near, rttMs / 2)
  })
  server.unref()
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
}

/** Timers of the same length fire in the order in which they were set, so bytes keep theirs. */
function hold(from: Socket, to: Socket, ms: number): void {
  from.setNoDelay(true)
  from.on('data', (chunk) => setTimeout(() => to.write(chunk), ms))
  from.on('end', () => setTimeout(() => to.end(), ms))
  from.on('error', () => to.destroy())
  from.on('close', () => setTimeout(() => to.destroy(), ms))
}
