import { CODES } from '../../domain/code.ts'
import type { FailureKind } from '../../domain/failure.ts'
import type { Diagnosis } from '../../domain/finding.ts'
import type { Smoke } from '../../domain/smoke.ts'

/** What a smoke's diagnosis is called. Of a host key it is said what is wrong with it: only a changed one may be somebody in between. */
export function headlineOf({ code }: Pick<Diagnosis, 'code'>, failure: Smoke['failure']): string {
  return (code === 'ssh.hostkey' && failure !== null ? HOST_KEYS[failure.kind] : undefined) ?? CODES[code]
}

const HOST_KEYS: Readonly<Partial<Record<FailureKind, string>>> = {
  'hostkey-unknown': 'The host key is not known yet',
  'hostkey-file': 'The known host keys are missing or cannot be read',
  'hostkey-changed': 'The host key has changed',
  'hostkey-revoked': 'The host key is revoked',
}
