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
