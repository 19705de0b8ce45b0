import { expect, onTestFinished, test } from 'vitest'
import { slots } from '../../src/adapters/limiter.ts'
import { sshPool } from '../../src/adapters/ssh.ts'
import { hostsOf } from '../../src/adapters/ssh-host.ts'
import { systemClock } from '../../src/app/clock.ts'
import { reacher } from '../../src/app/reach.ts'
import { lookAround } from '../../src/gather/look.ts'
import { gatherSmoke } from '../../src/gather.ts'
import { diagnose } from '../../src/judge/diagnose.ts'
import { rules } from '../../src/judge/rules/index.ts'
import { startLab } from '../../src/lab/index.ts'

const log = { debug() {}, info() {}, warn() {}, error() {} }
const request = { prompt: 'Say hello', budget: 2000, temperature: null, thinking: null, stream: true, model: null }

const ALL = [
  'GPU processes',
  'GPUs',
  'PCI cards',
  'kernel log',
  'load',
  'log',
  'model files',
  'process',
  'unit',
  'versions',
]

/** The product's own way: HTTP and verbs over one SSH connection to the lab's box. */
async function lab() {
  const world = await startLab({ tokensPerSecond: 4000 })
  const ssh = sshPool(world.hosts, { clock: systemClock, log })
  let calls = 0
  const newOp = () => (++calls).toString(16).padStart(32, '0')
  const host = hostsOf(ssh, { gate: '', newOp, slots, clock: systemClock, log })('gpu-box-1')
  const { reach, close } = reacher(ssh, log)
  onTestFinished(async () => {
    await close()
    await ssh.close()
    await world.close()
  })
  const signal = AbortSignal.timeout(20_000)
  return async (name: string) => {
    const target = world.targets.find((one) => one.name === name)
    if (target === undefined) throw new Error(`The lab has no ${name}`)
    const evidence = await gatherSmoke({ target, request, signal, reach, onPiece() {} })
    const after = (ms: number, run: () => void) => {
      const timer = setTimeout(run, ms)
      return () => clearTimeout(timer)
    }
    const around = {
      target,
      host,
      signal,
      after,
      answers: true,
      reach,
      redact: (text: string) => text,
      onProgress() {},
    }
    const { facts, looked } = await lookAround(around)
    return { evidence, facts, looked }
  }
}

test.each(['qwen-059', 'looper', 'thinker'])(
  '%s: what the box tells stands beside the smoke, and changes no verdict',
  async (name) => {
    const { evidence, facts, looked } = await (await lab())(name)
    expect(facts).toMatchObject({ unit: { activeState: 'active' }, log: { writer: 'sglang' } })
    expect(facts.log?.lines).toBeGreaterThan(5)
    const seen = looked.seen.map((one) => one.replace(/ \(.*/, ''))
    const missing = looked.missing.flatMap(({ what }) => what)
    expect([...seen, ...missing].toSorted()).toEqual(ALL)
    const [alone, together] = [diagnose(evidence, rules), diagnose({ ...evidence, ...facts }, rules)]
    expect(alone.verdict).not.toBe('healthy')
    expect(together.code).toBe(alone.code)
  },
  30_000,
)
