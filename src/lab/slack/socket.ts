import type { Acks } from './acks.ts'
import { createAcks } from './acks.ts'
import type { Connections } from './connections.ts'
import { createConnections } from './connections.ts'
import type { EnvelopeKind, SocketFault, SocketFaults } from './faults.ts'
import { createSocketFaults } from './faults.ts'
import type { Fields } from './json.ts'

/** What became of an envelope; `ms` from sending to the acknowledgement or to giving up. */
export type Ack =
  | { readonly ok: true; readonly ms: number; readonly payload: Fields }
  | { readonly ok: false; readonly ms: number; readonly error: 'operation_timeout' | 'dispatch_failed' }

/** Slack's end of Socket Mode: every envelope goes to one of the open connections. */
export interface Socket extends SocketHands, Pick<Connections, 'ticket' | 'upgrade' | 'dead'> {
  /** Sends to one connection and waits for its acknowledgement, at most 3 s. `retry`: the how-manieth repetition. */
  send(kind: EnvelopeKind, payload: Fields, acceptsResponse: boolean, retry?: number): Promise<Ack>
  /** The `late` that the next event was given, once. */
  late(): Extract<SocketFault, { readonly kind: 'late' }> | null
  close(): Promise<void>
}

/** What a test can do to the connections. */
export interface SocketHands extends Pick<Connections, 'connections' | 'disconnect' | 'strangers'> {
  /** The next `times` connections or envelopes go wrong. */
  trouble(fault: SocketFault, times?: number): void
  /** Sends the last `count` envelopes once more; `fresh`: as Slack repeats events, in new envelopes. */
  resend(count: number, fresh: boolean): Promise<readonly Ack[]>
}

interface Envelope extends Fields {
  readonly envelope_id: string
  readonly type: EnvelopeKind
}

const KEPT = 1_000

/** `changed` is called when a connection opened, closed or acknowledged something. `ackMs`: how long it waits for that. */
export function createSocket(app: string, changed: () => void, ackMs?: number): Socket {
  const faults = createSocketFaults()
  const acks = createAcks(ackMs)
  const connections = createConnections(app, faults, changed, (text) => {
    acks.settle(text)
    changed()
  })
  const deliver = courier(connections, faults, acks)
  const sent: Envelope[] = []
  return {
    ...connections,
    trouble: faults.add,
    late: () => faults.take('late'),
    send(type, payload, acceptsResponse, retry = 0) {
      const common = { envelope_id: crypto.randomUUID(), type, accepts_response_payload: acceptsResponse, payload }
      const envelope = { ...common, ...repetition(retry) }
      sent.push(envelope)
      if (sent.length > KEPT) sent.shift()
      return deliver(envelope)
    },
    resend(count, fresh) {
      const renew = (one: Envelope) => ({ ...one, envelope_id: crypto.randomUUID(), ...repetition(1) })
      return Promise.all(sent.slice(-count).map((one) => deliver(fresh ? renew(one) : one)))
    },
    close() {
      acks.giveUp()
      return connections.close()
    },
  }
}

/** Carries an envelope to a connection, and does to it what was asked for. */
function courier(connections: Connections, faults: SocketFaults, acks: Acks) {
  const overtaken: (() => void)[] = []
  return (envelope: Envelope): Promise<Ack> => {
    const connection = connections.next()
    if (connection === null) return Promise.resolve({ ok: false, ms: 0, error: 'dispatch_failed' })
    const text = JSON.stringify(envelope)
    const ack = acks.wait(envelope.envelope_id)
    if (faults.take('swallowed', envelope.type) !== null) return ack
    const twice = faults.take('twice')
    const again = () => (twice?.on === 'other' ? connections.next() : connection)?.send(text)
    if (faults.take('overtaken') === null) {
      connection.send(text)
      if (twice?.when === 'at-once') again()
      for (const send of overtaken.splice(0).reverse()) send()
    } else overtaken.push(() => connection.send(text))
    if (twice?.when === 'acknowledged') void ack.then(again)
    return ack
  }
}

function repetition(retry: number): Fields {
  return retry === 0 ? {} : { retry_attempt: retry, retry_reason: 'timeout' }
}
