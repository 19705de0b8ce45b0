import { channel } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { Agent, buildConnector, ping, WebSocket } from 'undici'
import type { OpenWire, Wire, WireEnd, WireRequest } from '../domain/ports.ts'

/** Slack never closes its side; the other side gets this long for it, in ms. */
const GOODBYE_MS = 1_000
/** Counted in beats, not in ms: a process that was busy for long must not take that for the other side's silence. */
const UNANSWERED = 2

/** Opens a WebSocket that notices within three beats that the other side does not hear any more. */
export const openWire: OpenWire = (request) => {
  const { agent, destroy } = holdingAgent()
  try {
    return wireOn(new WebSocket(request.url, { dispatcher: agent }), destroy, request)
  } catch {
    // an address that is none
    queueMicrotask(() => request.onEnd('lost'))
    return { send: () => false, close() {} }
  }
}

function wireOn(socket: WebSocket, destroy: () => void, { beatMs, onText, onEnd }: WireRequest): Wire {
  let unanswered = 0
  let ended = false
  const alive = () => {
    unanswered = 0
  }
  const forget = onPong(socket, alive)
  const beat = setInterval(() => {
    if (unanswered >= UNANSWERED) return end('deaf')
    if (socket.readyState !== WebSocket.OPEN) return
    unanswered += 1
    ping(socket)
  }, beatMs)

  function end(how: WireEnd): void {
    if (ended) return
    ended = true
    clearInterval(beat)
    forget()
    destroy()
    onEnd(how)
  }

  socket.addEventListener('message', ({ data }: { readonly data: unknown }) => {
    alive()
    if (typeof data === 'string') onText(data)
  })
  socket.addEventListener('close', ({ wasClean }) => end(wasClean ? 'said' : 'lost'))
  socket.addEventListener('error', () => end('lost'))
  return {
    send(text) {
      const open = !ended && socket.readyState === WebSocket.OPEN
      if (open) socket.send(text)
      return open
    },
    close() {
      if (ended) return
      socket.close(1000)
      setTimeout(() => end('lost'), GOODBYE_MS)
    },
  }
}

const PONGS = channel('undici:websocket:pong')

/** undici tells of pongs for all its sockets together. Gives the way to stop listening. */
function onPong(socket: WebSocket, heard: () => void): () => void {
  const look = (pong: unknown) => {
    if (typeof pong === 'object' && pong !== null && 'websocket' in pong && pong.websocket === socket) heard()
  }
  PONGS.subscribe(look)
  return () => PONGS.unsubscribe(look)
}

/** undici hides the TCP socket, and without it a peer that never closes cannot be left. */
function holdingAgent(): { readonly agent: Agent; destroy(): void } {
  const connect = buildConnector({ allowH2: false })
  let held: Socket | null = null
  const agent = new Agent({
    connect: (to, use) =>
      connect(to, (...made) => {
        held = made[1]
        use(...made)
      }),
  })
  return {
    agent,
    destroy() {
      held?.destroy()
      void agent.destroy()
    },
  }
}
