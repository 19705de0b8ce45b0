import { sshPool } from '../../src/adapters/ssh.ts'
import { systemClock } from '../../src/app/clock.ts'
import { reacher } from '../../src/app/reach.ts'
import type { Piece } from '../../src/domain/completion.ts'
import type { Evidence } from '../../src/domain/finding.ts'
import type { Log } from '../../src/domain/ports.ts'
import type { SmokeRequest } from '../../src/domain/smoke.ts'
import { DEFAULT_BUDGET } from '../../src/domain/smoke.ts'
import type { HostSettings, Target } from '../../src/domain/target.ts'
import { gatherSmoke } from '../../src/gather.ts'

/** The product's own way from a target to its evidence, over SSH to one host, with no part replaced. */
export interface House {
  /** Asks for a hello, unless `given` says otherwise. */
  smoke(url: string, given?: Given): Promise<Evidence>
  close(): Promise<void>
}

interface Given {
  readonly request?: Partial<SmokeRequest>
  readonly signal?: AbortSignal
  readonly onPiece?: (piece: Piece) => void
}

export function openHouse(host: HostSettings): House {
  const ssh = sshPool([host], { clock: systemClock, log: SILENT })
  const { reach, close } = reacher(ssh, SILENT)
  return {
    smoke(url, { request, signal = AbortSignal.timeout(25_000), onPiece = () => {} } = {}) {
      return gatherSmoke({
        target: targetAt(url, host.name),
        request: { ...HELLO, ...request },
        signal,
        reach,
        onPiece,
      })
    },
    async close() {
      await close()
      await ssh.close()
    },
  }
}

const HELLO: SmokeRequest = {
  prompt: 'Say hello',
  budget: DEFAULT_BUDGET,
  temperature: null,
  thinking: null,
  stream: true,
  model: null,
}

/** Its URL is its name, since the way to a target is kept by name. */
function targetAt(url: string, host: string): Target {
  return {
    name: url,
    engine: null,
    url,
    host,
    model: null,
    apiKey: null,
    budget: DEFAULT_BUDGET,
    patienceMs: 10_000,
    ca: null,
    proxy: null,
    protected: false,
    unit: null,
  }
}

const SILENT: Log = { debug() {}, info() {}, warn() {}, error() {} }
