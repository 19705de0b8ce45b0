/** Something that goes wrong with a Web API call. */
export type Fault =
  /** 429 with Retry-After, in seconds; nothing is done */
  | { readonly kind: 'rate-limited'; readonly retryAfter: number }
  /** an HTTP status of 500 and more; nothing is done */
  | { readonly kind: 'http'; readonly status: number }
  /** `{ok: false}` with this code; nothing is done */
  | { readonly kind: 'error'; readonly error: string }
  /** the connection breaks before anything is done */
  | { readonly kind: 'reset' }
  /** it is done, then the connection breaks: a repeat does it twice */
  | { readonly kind: 'lost' }
  /** it is done, and answered only after `ms` */
  | { readonly kind: 'slow'; readonly ms: number }

/** Something that goes wrong with a Socket Mode connection or with an envelope. */
export type SocketFault =
  /** the next connection is greeted only after `ms` */
  | { readonly kind: 'late-hello'; readonly ms: number }
  /** the next envelope comes twice, at once or when it was acknowledged, on the same connection or on another one */
  | { readonly kind: 'twice'; readonly on: 'same' | 'other'; readonly when: 'at-once' | 'acknowledged' }
  /** the next envelope comes after the one that is sent after it */
  | { readonly kind: 'overtaken' }
  /** the next envelope never arrives */
  | { readonly kind: 'swallowed' }

/** How a connection ends. All but the last four are said beforehand, in a message of type disconnect. */
export type DisconnectReason =
  | 'warning'
  | 'refresh_requested'
  | 'too_many_websockets'
  | 'link_disabled'
  /** TCP is closed without a word */
  | 'drop'
  /** TCP is reset */
  | 'reset'
  /** a refresh is asked for, and then nothing is read or answered any more; TCP stays open */
  | 'half-open'
  /** the same without asking */
  | 'silent'

/** The faults that wait for their calls. */
export interface Faults {
  /** The next `times` calls of the method go wrong. */
  add(method: string, fault: Fault, times: number): void
  /** The fault for this call, once. */
  take(method: string): Fault | null
}

export function createFaults(): Faults {
  const waiting = new Map<string, Fault[]>()
  return {
    add(method, fault, times) {
      waiting.set(method, [...(waiting.get(method) ?? []), ...Array<Fault>(times).fill(fault)])
    },
    take: (method) => waiting.get(method)?.shift() ?? null,
  }
}

/** The socket's faults that wait for their connection or envelope. */
export interface SocketFaults {
  add(fault: SocketFault, times?: number): void
  /** The oldest of this kind, once. */
  take<K extends SocketFault['kind']>(kind: K): Extract<SocketFault, { readonly kind: K }> | null
}

export function createSocketFaults(): SocketFaults {
  const waiting: SocketFault[] = []
  return {
    add: (fault, times = 1) => void waiting.push(...Array<SocketFault>(times).fill(fault)),
    take<K extends SocketFault['kind']>(kind: K) {
      const isKind = (fault: SocketFault): fault is Extract<SocketFault, { readonly kind: K }> => fault.kind === kind
      const found = waiting.find(isKind)
      if (found === undefined) return null
      waiting.splice(waiting.indexOf(found), 1)
      return found
    },
  }
}
