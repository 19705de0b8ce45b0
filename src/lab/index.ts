import type { HostSettings, Target } from '../domain/target.ts'
import { startBox } from './box.ts'
import type { DemoGate } from './box-gate.ts'
import { createGate } from './box-gate.ts'
import { startModelServer } from './model-server.ts'
import { healthy, immediateEos, loop, overthink } from './stories.ts'
import type { Story } from './story.ts'
import { twoCards } from './two-cards.ts'

/** The demo's world: one box with two GPUs, and behind it a few model servers that replay the field story. */
export interface Lab {
  readonly hosts: readonly HostSettings[]
  readonly targets: readonly Target[]
  /** what its box did, and what shall go wrong there; each target is a unit of its name */
  readonly gate: DemoGate
  close(): Promise<void>
}

interface LabOptions {
  /** makes all its models as fast */
  readonly tokensPerSecond?: number
  /** of 127.0.0.1, to which its box forwards besides the models' */
  readonly ports?: readonly number[]
  /** further targets: names of the first model, each a unit of its own */
  readonly names?: readonly string[]
  /** those of the further ones that no fence guards (box-gate.ts) */
  readonly unfenced?: readonly string[]
}

interface Served {
  readonly name: string
  readonly story: Story
  readonly version: string
  readonly budget: number
  /** tokens a second: slow enough to watch, quick enough to wait for */
  readonly pace: number
}

const SERVED: readonly Served[] = [
  { name: 'qwen', story: healthy, version: '0.5.18', budget: 4096, pace: 10 },
  { name: 'qwen-059', story: immediateEos, version: '0.5.9', budget: 4096, pace: 10 },
  { name: 'looper', story: loop, version: '0.5.9', budget: 4096, pace: 30 },
  { name: 'thinker', story: overthink, version: '0.5.11', budget: 2000, pace: 120 },
]

/** Starts the lab on free ports of 127.0.0.1. */
export async function startLab({
  tokensPerSecond,
  ports = [],
  names = [],
  unfenced = [],
}: LabOptions = {}): Promise<Lab> {
  const running = await Promise.all(
    SERVED.map(async (served) => ({
      served,
      server: await startModelServer({ ...served, tokensPerSecond: tokensPerSecond ?? served.pace }),
    })),
  )
  const models = running.map(({ server }) => Number(new URL(server.url).port))
  const permit = (address: string, port: number) => address === '127.0.0.1' && [...models, ...ports].includes(port)
  const units = [...SERVED.map(({ name }) => name), ...names]
  const gate = createGate({ units, unfenced, machine: twoCards(SERVED) })
  const box = await startBox({ exec: gate.exec, permit })
  const host: HostSettings = {
    name: 'gpu-box-1',
    address: '127.0.0.1',
    port: box.port,
    user: box.user,
    key: { from: 'text', text: box.privateKey, passphrase: null },
    trust: { from: 'pinned', keys: [box.hostKeyLine] },
    jump: null,
    gate: null,
  }
  const targets = running.map(({ served, server }) => targetOf(served, server.url, host))
  const further = targets.slice(0, 1).flatMap((first) => names.map((name) => ({ ...first, name, unit: name })))
  return {
    hosts: [host],
    targets: [...targets, ...further],
    gate,
    async close() {
      await Promise.all([box.close(), ...running.map(({ server }) => server.close())])
    },
  }
}

function targetOf({ name, budget }: Served, url: string, host: HostSettings): Target {
  return {
    name,
    engine: null,
    url,
    host: host.name,
    model: null,
    apiKey: null,
    budget,
    patienceMs: 30_000,
    ca: null,
    proxy: null,
    protected: false,
    unit: name,
  }
}
