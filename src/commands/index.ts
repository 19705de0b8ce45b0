import type { Command } from '../domain/command.ts'
import { accessClaim } from './access-claim.ts'
import { accessExplain } from './access-explain.ts'
import { accessGrant } from './access-grant.ts'
import { accessList } from './access-list.ts'
import { accessRevoke } from './access-revoke.ts'
import { audit } from './audit.ts'
import { doctor } from './doctor.ts'
import { explain } from './explain.ts'
import { gpuDoctor } from './gpu-doctor.ts'
import { hostLocks } from './gpu-lock.ts'
import { gpuStatus } from './gpu-status.ts'
import { help } from './help.ts'
import { knowledgeCheck } from './knowledge-check.ts'
import { more } from './more.ts'
import { raw } from './raw.ts'
import { retry } from './retry.ts'
import { serverLocks } from './server-lock.ts'
import { restart } from './server-restart.ts'
import { smoke } from './smoke.ts'
import { smokeWhy } from './smoke-why.ts'
import { stop } from './stop.ts'
import { use } from './use.ts'
import { whoami } from './whoami.ts'

/** Every command of the house, in the order of the help. */
export const commands: readonly Command[] = [
  smoke,
  smokeWhy,
  retry,
  raw,
  explain,
  gpuStatus,
  gpuDoctor,
  restart,
  ...serverLocks,
  ...hostLocks,
  use,
  doctor,
  knowledgeCheck,
  whoami,
  accessExplain,
  accessList,
  accessGrant,
  accessRevoke,
  accessClaim,
  audit,
  stop,
  more,
  help,
]
