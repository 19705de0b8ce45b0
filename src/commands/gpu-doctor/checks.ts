import { cardChecks } from './card-checks.ts'
import { driverChecks } from './driver-checks.ts'
import type { HostCheck } from './line.ts'
import { roomChecks } from './room-checks.ts'

/** Everything that is looked at on a host, in the order in which it is told. */
export const CHECKS: readonly HostCheck[] = [...driverChecks, ...cardChecks, ...roomChecks]
