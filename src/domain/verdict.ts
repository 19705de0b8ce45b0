/** What a judged thing is. The thirteen words are fixed by the labelled cases; nothing else may be said. */
export const VERDICTS = [
  'healthy',
  'ok-normalized',
  'broken',
  'degraded',
  'misconfigured',
  'unreachable',
  'not-ready',
  'overloaded',
  'request-limit',
  'client-error',
  'hardware-fault',
  'needs-clarification',
  'inconclusive',
] as const

export type Verdict = (typeof VERDICTS)[number]

/** Exit status of the terminal for a verdict: 0 healthy, 1 not fine, 3 could not tell. */
export function exitStatus(verdict: Verdict): 0 | 1 | 3 {
  switch (verdict) {
    case 'healthy':
    case 'ok-normalized':
      return 0
    case 'broken':
    case 'degraded':
    case 'misconfigured':
    case 'hardware-fault':
    case 'unreachable':
    case 'request-limit':
    case 'client-error':
      return 1
    case 'inconclusive':
    case 'not-ready':
    case 'overloaded':
    case 'needs-clarification':
      return 3
  }
}
