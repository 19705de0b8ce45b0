import type { Code } from '../../domain/code.ts'
import type { Finding } from '../../domain/finding.ts'
import { counted } from '../../domain/report.ts'
import type { Health } from '../../gather/health.ts'

/** One thing that is looked at on a host. A new one is one entry in its list. */
export interface HostCheck {
  readonly name: string
  /** findings that belong to it */
  readonly codes: readonly Code[]
  /** What is seen where no rule found anything; null: it does not concern this host. */
  seen(health: Health): Seen | null
}

export interface Seen {
  readonly state: 'ok' | 'unknown'
  /** a clause: `580.95.05 is loaded` */
  readonly said: string
}

export type LineState = 'fault' | 'warn' | 'unknown' | 'ok'

export interface CheckLine {
  readonly check: string
  readonly state: LineState
  readonly said: string
  readonly next: string | null
  readonly findings: readonly Finding[]
}

export const ok = (said: string): Seen => ({ state: 'ok', said })
export const unknown = (said: string): Seen => ({ state: 'unknown', said })

/** The worst that was found of a check, else what was seen. */
export function lineOf({ name, codes, seen }: HostCheck, said: readonly Finding[], health: Health): CheckLine | null {
  const found = said
    .filter(({ code }) => codes.includes(code))
    .toSorted((one, other) => STATES.indexOf(stateOf(one)) - STATES.indexOf(stateOf(other)))
  const [first] = found
  if (first === undefined) {
    const fine = seen(health)
    return fine === null ? null : { check: name, ...fine, next: null, findings: [] }
  }
  const more = found.length === 1 ? '' : ` ${counted(found.length - 1, 'more finding')} below.`
  return {
    check: name,
    state: stateOf(first),
    said: `${first.cause}${more}`,
    next: first.remedy[0] ?? first.missing?.[0] ?? null,
    findings: found,
  }
}

const STATES: readonly LineState[] = ['fault', 'warn', 'unknown', 'ok']

/** A program that erred on a card is no fault of the host; a card that is not there is one, whatever the cause. */
function stateOf({ verdict, confidence, code }: Finding): LineState {
  if (confidence === 'possible') return 'warn'
  if (code === 'gpu.count-mismatch') return 'fault'
  switch (verdict) {
    case 'hardware-fault':
    case 'misconfigured':
    case 'unreachable':
      return 'fault'
    case 'broken':
    case 'degraded':
    case 'not-ready':
    case 'overloaded':
    case 'request-limit':
    case 'client-error':
    case 'needs-clarification':
    case 'inconclusive':
      return 'warn'
    case 'healthy':
    case 'ok-normalized':
      return 'ok'
  }
}
