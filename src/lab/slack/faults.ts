/** Something that goes wrong with a Web API call. */
export type Fault =
  /** 429 with Retry-After, in seconds; nothing is done */
  | { readonly kind: 'rate-limited'; readonly retryAfter: number }
  /** an HTTP status of 500 and more; nothing is done */
  | { readonly kind: 'http'; readonly status: number }
  /** it is done, then answered with an HTTP status of 500 and more: a repeat does it twice */
  | { readonly kind: 'http-after'; readonly status: number }
  /** `{ok: false}` with this code; nothing is done */
  | { readonly kind: 'error'; readonly error: string }
  /** the connection breaks before anything is done */
  | { readonly kind: 'reset' }
  /** it is done, then the connection breaks: a repeat does it twice */
  | { readonly kind: 'lost' }
  /** it is done, and answered only after `ms` */
  | { readonly kind: 'slow'; readonly ms: number }
  /** never answered; nothing is done */
  | { readonly kind: 'hang' }
  /** it is done, and never answered */
  | { readonly kind: 'hang-after' }

/** Something that goes wrong with a Socket Mode connection or with an envelope. */
export type SocketFault =
  /** the next connection is greeted only after `ms` */
  | { readonly kind: 'late-hello'; readonly ms: number }
  /** the next envelope comes twice, at once or when it was acknowledged, on the same connection or on another one */
  | { readonly kind: 'twice'; readonly on: 'same' | 'other'; readonly when: 'at-once' | 'acknowledged' }
  /** the next envelope comes after the one that is sent after it */
  | { readonly kind: 'overtaken' }
  /** the next envelope, or the next of this kind, never arrives */
  | { readonly kind: 'swallowed'; readonly of?: EnvelopeKind }
  /** the next event comes only after `ms` of the stand-in's clock, as Slack's so manieth repetition (0: as the first) */
  | { readonly kind: 'late'; readonly ms: number; readonly retry?: 0 | 1 | 2 | 3 }

export type EnvelopeKind = 'slash_commands' | 'events_api' | 'interactive'

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
  /** The next `times` calls of the method go wrong, in this channel where one is named. `*`: any of the Web API but the socket's. */
  add(method: string, fault: Fault, times: number, channel: string | null): void
  /** The fault for this call, once. */
  take(method: string, channel: string | null): Fault | null
  /** From now on nothing goes wrong. */
  clear(): void
}

interface Waiting {
  readonly method: string
  readonly channel: string | null
  readonly fault: Fault
  left: number
}

export function createFaults(): Faults {
  const waiting: Waiting[] = []
  return {
    add: (method, fault, times, channel) => void waiting.push({ method, fault, channel, left: times }),
    take(method, channel) {
      const found = waiting.find((one) => concerns(one, method) && (one.channel === null || one.channel === channel))
      if (found === undefined) return null
      found.left -= 1
      if (found.left <= 0) waiting.splice(waiting.indexOf(found), 1)
      return found.fault
    },
    clear: () => void waiting.splice(0),
  }
}

function concerns(one: Waiting, method: string): boolean {
  const isApi = method !== 'apps.connections.open' && !method.startsWith('/')
  return one.method === method || (one.method === '*' && isApi)
}

/** The socket's faults that wait for their connection or envelope. */
export interface SocketFaults {
  add(fault: SocketFault, times?: number): void
  /** The oldest of this kind that concerns such an envelope, once. */
  take<K extends SocketFault['kind']>(
    kind: K,
    envelope?: EnvelopeKind,
  ): Extract<SocketFault, { readonly kind: K }> | null
}

export function createSocketFaults(): SocketFaults {
  const waiting: SocketFault[] = []
  return {
    add: (fault, times = 1) => void waiting.push(...Array<SocketFault>(times).fill(fault)),
    take<K extends SocketFault['kind']>(kind: K, envelope?: EnvelopeKind) {
      const isKind = (fault: SocketFault): fault is Extract<SocketFault, { readonly kind: K }> => fault.kind === kind
      const found = waiting.filter(isKind).find((fault) => !('of' in fault) || fault.of === envelope)
      if (found === undefined) return null
      waiting.splice(waiting.indexOf(found), 1)
      return found
    },
  }
}
