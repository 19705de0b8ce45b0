import { describe, expect, test } from 'vitest'
import { readReply } from '../../src/domain/gate/reply.ts'
import type { Fence } from '../../src/domain/unit.ts'
import { cards } from '../../src/domain/verbs/cards.ts'
import { resetFailed, restart, start, stop } from '../../src/domain/verbs/change.ts'
import { log } from '../../src/domain/verbs/log.ts'
import { opstat } from '../../src/domain/verbs/opstat.ts'
import { ping } from '../../src/domain/verbs/ping.ts'
import { unit } from '../../src/domain/verbs/unit.ts'
import { units } from '../../src/domain/verbs/units.ts'
import { startBox } from '../../src/lab/box.ts'
import type { GateTrouble } from '../../src/lab/box-changes.ts'
import { createGate } from '../../src/lab/box-gate.ts'
import { fieldBox } from '../../src/lab/field-story/machine.ts'
import { startLab } from '../../src/lab/index.ts'
import { nvidiaSmi } from '../../src/telemetry/nvidia-smi.ts'
import { closeLater, failureIn, kindOf, never, valueIn } from '../adapters/tidy.ts'
import { verbsOver } from '../far/verbs-over.ts'

const AT = Date.parse('2026-11-30T12:00:00Z')
const [ONE, TWO, THREE] = ['1'.repeat(32), '2'.repeat(32), '3'.repeat(32)] as const

/** A box with the units `qwen` and `looper`, and the product's own client and parsers over SSH. */
async function open(unfenced: readonly string[] = []) {
  const gate = createGate({ units: ['qwen', 'looper'], unfenced, now: () => AT })
  const box = await startBox({ exec: gate.exec })
  closeLater(box)
  const way = verbsOver([
    {
      name: 'gpu-box-1',
      address: '127.0.0.1',
      port: box.port,
      user: box.user,
      key: { from: 'text', text: box.privateKey, passphrase: null },
      trust: { from: 'pinned', keys: [box.hostKeyLine] },
      jump: null,
      gate: null,
    },
  ])
  closeLater(way)
  const host = way.host('gpu-box-1')
  const reading = { signal: never }
  const see = async (name = 'qwen') => valueIn(await host.run(unit, { unit: name }, reading)).value
  return {
    gate,
    host,
    see,
    fate: async (target: string) => valueIn(await host.run(opstat, { target }, reading)).value,
    async fence(): Promise<Fence> {
      const { fence } = await see()
      return fence ?? fail('the gate gave no fence')
    },
    change: (verb: typeof restart, fence: Fence, op: string, signal = never) =>
      host.run(verb, { unit: 'qwen', fence }, { signal, op }),
  }
}

function fail(why: string): never {
  throw new Error(why)
}

describe('what it tells', () => {
  test('the last lines of a unit’s log, of its run and process', async () => {
    const { host, see } = await open()
    const { state } = await see()
    const read = valueIn(await host.run(log, { unit: 'qwen', lines: 2 }, { signal: never })).value
    expect(read).toMatchObject({ notes: [], cut: null, file: null })
    expect(read.lines.map(({ text }) => text)).toEqual([
      expect.stringContaining('Application startup complete'),
      'The server is fired up and ready to roll!',
    ])
    const ofRun = { pid: state.mainPid, invocation: state.invocation, cursor: expect.any(String) }
    expect(read.lines).toMatchObject([ofRun, ofRun])
    const other = { unit: 'qwen', lines: 2, invocation: '9'.repeat(32) }
    expect(valueIn(await host.run(log, other, { signal: never })).value.lines).toEqual([])
    expect(kindOf(await host.run(log, { unit: 'nobody', lines: 1 }, { signal: never }))).toBe('no-such-unit')
  })

  test('of itself and of its units', async () => {
    const { host, see } = await open()
    expect(valueIn(await host.run(ping, {}, { signal: never })).value).toMatchObject({
      uid: 998,
      sudo: true,
      timeMs: AT,
    })
    const { units: listed } = valueIn(await host.run(units, {}, { signal: never })).value
    expect(listed).toMatchObject([
      { unit: 'qwen', state: { ok: true, value: { id: 'qwen.service', activeState: 'active', subState: 'running' } } },
      { unit: 'looper', state: { ok: true } },
    ])
    const { state, fence, variant, variants } = await see()
    expect(state).toMatchObject({
      mainPid: 4711,
      activeEnteredMs: 60_000,
      startTimeoutMs: 1_800_000,
      result: 'success',
    })
    expect(fence).toMatchObject({ generation: 0, seen: { state: 'active', invocation: state.invocation } })
    expect({ variant, variants }).toEqual({ variant: null, variants: [] })
  })

  test('a unit that it does not list, and a verb that a demo has not', async () => {
    const { host, gate } = await open()
    expect(kindOf(await host.run(unit, { unit: 'nobody' }, { signal: never }))).toBe('no-such-unit')
    const { stdout } = await gate.exec(`gpu ${ONE}`, '', never)
    expect(stdout).toContain('tool-missing nvidia-smi: this is a demo box without it')
    // no tool is known for it: the name of a verb is no word for people
    const other = await gate.exec(`model-files ${ONE}`, '', never)
    expect(other.stdout).toMatch(/\ntool-missing\n/)
    expect(kindOf(await host.run(cards, {}, { signal: never }))).toBe('tool-missing')
  })
})

test('a box with tools tells its cards, with its units and its time', async () => {
  const field = fieldBox(() => {})
  field.set({ memFraction: 0.88, maxRunning: 16 })
  const gate = createGate({ units: ['field'], now: () => AT, machine: field.machine })
  const { stdout } = await gate.exec(`cards ${ONE}`, '', never)
  const told = valueIn(cards.parse(valueIn(readReply(String(stdout), ONE)), {}))
  const { gpus, processes, units: listed, at } = nvidiaSmi.read(told)
  expect({ listed, at }).toEqual({ listed: { field: 'field.service' }, at: AT })
  expect(gpus).toMatchObject({ rc: 0, notes: [], place: 'container', cards: [{ index: 0 }, { index: 1, gaps: [] }] })
  const inUnit = { owner: 'sglang', cgroup: '/system.slice/field.service' }
  expect(processes).toMatchObject([
    { gpuUuid: gpus.cards[0]?.uuid, name: 'sglang::scheduler_TP0', facts: inUnit },
    { gpuUuid: gpus.cards[1]?.uuid, name: 'sglang::scheduler_TP1', facts: inUnit },
  ])
  expect((await gate.exec(`cards ${ONE} more`, '', never)).stdout).toContain('usage cards takes other words')
})

test('a change of a unit that no fence guards is made as often as it comes, with any plan', async () => {
  const { gate, fence, change, fate } = await open(['qwen'])
  const old = await fence()
  for (const op of [ONE, ONE, TWO]) {
    expect(valueIn(await change(restart, old, op)).value).toMatchObject({ state: 'done' })
  }
  expect(gate.acts().map(({ op }) => op)).toEqual([ONE, ONE, TWO])
  expect(await fate(TWO)).toMatchObject({ state: 'done' })
})

describe('a change', () => {
  test('is done once, and makes another run of the unit', async () => {
    const { gate, see, fence, change, fate } = await open()
    const before = await see()
    const seen = await fence()
    expect(valueIn(await change(restart, seen, ONE)).value).toEqual({ state: 'done', generation: 1, at: AT, said: '' })
    expect(valueIn(await change(restart, seen, ONE)).value).toMatchObject({ state: 'already', generation: 1, at: AT })
    const after = await see()
    expect(after.state.invocation).not.toBe(before.state.invocation)
    expect(after.fence).toMatchObject({ generation: 1 })
    expect(gate.acts()).toEqual([{ verb: 'restart', unit: 'qwen', op: ONE, at: AT }])
    expect(await fate(ONE)).toEqual({ state: 'done', verb: 'restart', unit: 'qwen', at: AT, rc: 0 })
  })

  test('stop, start and reset-failed', async () => {
    const { gate, see, fence, change } = await open()
    await change(stop, await fence(), ONE)
    expect((await see()).state).toMatchObject({ activeState: 'inactive', mainPid: null })
    expect((await see()).fence?.seen).toEqual({ state: 'stopped' })
    await change(start, await fence(), TWO)
    expect((await see()).state).toMatchObject({ activeState: 'active', mainPid: 4713 })
    gate.byHand('qwen', 'fail')
    expect((await see()).state).toMatchObject({ activeState: 'failed', mainExit: { how: 'exited', status: 1 } })
    await change(resetFailed, await fence(), THREE)
    expect((await see()).state.activeState).toBe('inactive')
    expect(gate.acts().map(({ verb }) => verb)).toEqual(['stop', 'start', 'reset-failed'])
  })

  test('whose plan is stale is refused: by the generation, and by a restart past the gate', async () => {
    const { gate, fence, change } = await open()
    const old = await fence()
    await change(restart, old, ONE)
    expect(failureIn(await change(restart, old, TWO))).toMatchObject({
      kind: 'fence-stale',
      observed: expect.stringContaining('the plan saw 0, it is 1 now'),
    })
    const seen = await fence()
    gate.byHand('qwen', 'restart')
    expect(failureIn(await change(restart, seen, THREE))).toMatchObject({
      observed: expect.stringContaining('state: the plan saw active-'),
    })
    expect(gate.acts()).toHaveLength(1)
  })

  test('that opstat was told had never come cannot come any more', async () => {
    const { gate, fence, change, fate } = await open()
    expect(await fate(ONE)).toEqual({ state: 'never' })
    expect(kindOf(await change(restart, await fence(), ONE))).toBe('fence-stale')
    expect(gate.acts()).toEqual([])
  })

  test('under the id of another one is refused', async () => {
    const { fence, change } = await open()
    await change(restart, await fence(), ONE)
    expect((await change(stop, await fence(), ONE)).ok).toBe(false)
  })
})

describe('trouble', () => {
  test.each<[GateTrouble, kind: string, acts: number, fate: string]>([
    ['drop-before-act', 'lost', 0, 'never'],
    ['drop-after-act', 'lost', 1, 'done'],
    ['drop-in-act', 'lost', 1, 'issued'],
    ['busy', 'fence-busy', 0, 'never'],
    ['fails', 'exit', 0, 'done'],
  ])('%s: %s after %i acts, and opstat says %s', async (trouble, kind, acts, state) => {
    const { gate, fence, change, fate } = await open()
    const seen = await fence()
    gate.trouble(trouble)
    expect(kindOf(await change(restart, seen, ONE))).toBe(kind)
    expect(gate.acts()).toHaveLength(acts)
    expect(await fate(ONE)).toMatchObject({ state })
    // once
    expect(kindOf(await change(restart, await fence(), TWO))).toBe('ok')
  })

  test.each<[GateTrouble, acts: number]>([
    ['hang', 0],
    ['hang-after-act', 1],
  ])('%s is never answered, after %i acts', async (trouble, acts) => {
    const { gate, fence, change } = await open()
    const seen = await fence()
    gate.trouble(trouble)
    const leave = new AbortController()
    const coming = change(restart, seen, ONE, leave.signal)
    // it came first on their one connection, and took the trouble
    await fence()
    leave.abort()
    expect((await coming).ok).toBe(false)
    expect(gate.acts()).toHaveLength(acts)
    expect(kindOf(await change(restart, await fence(), TWO))).toBe('ok')
  })
})

test('each target of the demo is a unit of its box', async () => {
  const lab = await startLab()
  closeLater(lab)
  const way = verbsOver(lab.hosts)
  closeLater(way)
  const { units: listed } = valueIn(await way.host('gpu-box-1').run(units, {}, { signal: never })).value
  expect(lab.targets.map((target) => target.unit)).toEqual(listed.map((one) => one.unit))
  expect(lab.targets.map((target) => target.name)).toEqual(listed.map((one) => one.unit))
})
