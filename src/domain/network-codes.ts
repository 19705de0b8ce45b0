import type { FailureKind } from './failure.ts'

/** What Node's error codes say of the way to a machine, whatever is spoken on it. */
export const NETWORK_CODES: Readonly<Record<string, FailureKind>> = {
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  ECONNREFUSED: 'refused',
  ETIMEDOUT: 'connect-timeout',
  EHOSTUNREACH: 'connect-timeout',
  ENETUNREACH: 'connect-timeout',
}
