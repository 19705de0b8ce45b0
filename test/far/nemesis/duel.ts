import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { random } from '../../random.ts'
import type { Box } from '../box/box.ts'
import { startBox } from '../box/box.ts'
import type { Gate } from '../box/install.ts'
import { install } from '../box/install.ts'
import type { Attempt, Starts } from './record.ts'
import { slowUnit, startsIn } from './record.ts'
import type { Replica } from './replica.ts'
import { startReplica } from './replica.ts'
import { rootLog } from './root-log.ts'
import { LEASE_MS } from './said.ts'

/** Two bots that restart the same unit, and a nemesis that stops one of them while it thinks, for longer than its lease. */
export interface Duel {
  /** so far */
  readonly attempts: readonly Attempt[]
  pauses(): number
  /** Lets both finish, and asks the box what really happened. */
  end(): Promise<Ended>
}

export interface Ended {
  readonly attempts: readonly Attempt[]
  readonly pauses: number
  /** how often root restarted the unit, by sudo's word */
  readonly byRoot: number
  readonly starts: Starts
}

/** Each in a box of its own. */
export async function startDuel(given: { readonly fenced: boolean; readonly seed: number }): Promise<Duel> {
  await using undo = new AsyncDisposableStack()
  const box = await startBox({ units: slowUnit })
  undo.defer(() => box.stop())
  const gate = await install(box)
  const log = await rootLog(box)
  const folder = await mkdtemp(join(tmpdir(), 'pilotflame-duel-'))
  undo.defer(() => rm(folder, { recursive: true }))
  const attempts: Attempt[] = []
  const replicas = startBoth(gate, { ...given, store: join(folder, 'lease') }, attempts)
  const nemesis = startNemesis(replicas, given.seed)
  const parts = undo.move()
  return {
    attempts,
    pauses: nemesis.pauses,
    async end() {
      try {
        await nemesis.end()
        await Promise.all(replicas.map((replica) => replica.stop()))
        await untilActive(box)
        return { attempts, pauses: nemesis.pauses(), byRoot: await log.of('slow'), starts: await startsIn(box) }
      } finally {
        await parts.disposeAsync()
      }
    },
  }
}

interface Given {
  readonly fenced: boolean
  readonly seed: number
  readonly store: string
}

function startBoth(gate: Gate, given: Given, attempts: Attempt[]): readonly [Replica, Replica] {
  const one = (by: 'installed' | 'quick', more: number) =>
    startReplica({ ...given, gate, by, seed: given.seed + more }, (attempt) => attempts.push(attempt))
  return [one('installed', 1), one('quick', 2)]
}

/** Stops a bot within 0.15 s after it made a plan, while it thinks or just acts, until its lease is over and up to 1.3 s more. */
function startNemesis(replicas: readonly [Replica, Replica], seed: number) {
  const { below } = random(seed)
  const over = new AbortController()
  const { signal } = over
  let pauses = 0

  async function strike(): Promise<void> {
    await delay(100 + below(400), undefined, { signal })
    const victim = replicas[below(2) === 0 ? 0 : 1]
    await Promise.race([victim.planned(), delay(5000, undefined, { signal })])
    await delay(below(150), undefined, { signal })
    victim.freeze()
    pauses += 1
    try {
      await delay(LEASE_MS + 100 + below(1200), undefined, { signal })
    } finally {
      victim.thaw()
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await strike().catch((error: unknown) => {
        if (!signal.aborted) throw error
      })
    }
  }

  const running = run()
  return {
    pauses: () => pauses,
    end() {
      over.abort()
      return running
    },
  }
}

async function untilActive(box: Box): Promise<void> {
  const deadline = performance.now() + 8000
  while ((await box.exec('systemctl is-active slow')).rc !== 0) {
    if (performance.now() > deadline) throw new Error('slow.service does not get ready')
    await delay(20)
  }
}
