import type { Clock } from '../../domain/ports.ts'
import type { Fault, Faults } from './faults.ts'
import { createFaults } from './faults.ts'
import type { Outage } from './outage.ts'
import { createOutage } from './outage.ts'
import type { Pace, Pacing } from './pace.ts'
import { createPacing } from './pace.ts'
import type { Socket } from './socket.ts'
import type { Refused, World } from './world.ts'

/** What a test can let go wrong with the Web API. */
export interface TroubleHands {
  /**
   * The next `times` calls of a method go wrong, in this channel where one is named. `*`: of all but the socket's; `/respond`:
   * the uses of a response_url.
   */
  fault(method: string, fault: Fault, times?: number, channel?: string): void
  /** While it lasts, every call and every connection is reset. Events wait; commands fail. */
  outage(lasts: boolean): void
  /** From now on calls that come faster than this are answered with 429; null: none. */
  enforce(pace: Pace | null): void
  /** From now on this workspace does not take such blocks, uploads or lookups; `false`: it does again. */
  refuses(what: Refused, does?: boolean): void
  /** No fault waits any more, nothing is refused, no pace is enforced, no outage lasts. */
  heal(): void
}

export interface Trouble {
  readonly hands: TroubleHands
  readonly faults: Faults
  readonly pacing: Pacing
  readonly downtime: Outage
}

export function createTrouble(
  world: World,
  socket: Socket,
  clock: Pick<Clock, 'now'> & Partial<Pick<Clock, 'monotonic'>>,
): Trouble {
  const faults = createFaults()
  const pacing = createPacing({ monotonic: () => clock.monotonic?.() ?? clock.now() })
  const downtime = createOutage()
  const outage = (lasts: boolean) => {
    downtime.set(lasts)
    socket.dead(lasts)
  }
  return {
    faults,
    pacing,
    downtime,
    hands: {
      fault: (method, fault, times = 1, channel) => faults.add(method, fault, times, channel ?? null),
      outage,
      enforce: pacing.enforce,
      refuses: (what, does = true) => void (does ? world.refused.add(what) : world.refused.delete(what)),
      heal() {
        faults.clear()
        world.refused.clear()
        pacing.enforce(null)
        outage(false)
      },
    },
  }
}
