import { expect, test } from 'vitest'
import type { Failure } from '../../src/domain/failure.ts'
import type { HostSight, HostsLook } from '../../src/gather/hosts.ts'
import { HOST_MS, lookAtHosts } from '../../src/gather/hosts.ts'
import { EARLY_MS, GRACE_MS } from '../../src/gather/hurry.ts'
import { telemetry } from '../../src/telemetry/index.ts'
import type { GpuHost } from '../commands/gpu-hosts.ts'
import { failure, gpuHost, row } from '../commands/gpu-hosts.ts'

/** Time that passes when a test says so; the look of some hosts, and what it told on its way. */
function looking(told: Readonly<Record<string, GpuHost>>, given: Partial<HostsLook> = {}) {
  let now = 0
  const due = new Set<{ readonly at: number; readonly run: () => void }>()
  const changes: (readonly HostSight[])[] = []
  const done = lookAtHosts({
    hosts: Object.entries(told).map(([name, one]) => gpuHost(name, one)),
    telemetry,
    signal: new AbortController().signal,
    after(ms, run) {
      const timer = { at: now + ms, run }
      due.add(timer)
      return () => void due.delete(timer)
    },
    redact: (text) => text.replaceAll('s3cret', '…'),
    onChange: (seen) => changes.push(seen),
    ...given,
  })
  async function pass(ms: number): Promise<void> {
    const until = now + ms
    for (;;) {
      await settled()
      const [next] = [...due].filter(({ at }) => at <= until).toSorted((one, other) => one.at - other.at)
      if (next === undefined) break
      due.delete(next)
      now = next.at
      next.run()
    }
    now = until
  }
  return { done, changes, pass, due }
}

async function settled(): Promise<void> {
  for (let at = 0; at < 3; at += 1) await new Promise((next) => setImmediate(next))
}

const WELL: GpuHost = { cards: [row(0)] }
const SILENT: GpuHost = { waits: new Promise(() => {}) }
const fleet = (well: number, silent: number) =>
  Object.fromEntries([
    ...Array.from({ length: well }, (_, at) => [`well-${at}`, WELL]),
    ...Array.from({ length: silent }, (_, at) => [`silent-${at}`, SILENT]),
  ])

const kindsOf = (seen: readonly HostSight[]) => seen.map(({ sight }) => sight.kind)
const failureOf = (one: HostSight | undefined): Failure | null =>
  one?.sight.kind === 'failed' ? one.sight.failure : null

test('each change is told, with the hosts in their order, and the last is what it gives', async () => {
  const refused = failure('b', 'refused', 'connection refused')
  const { done, changes, due } = looking({ a: WELL, b: { fails: refused }, c: WELL })
  const seen = await done
  expect(seen.map(({ host }) => host)).toEqual(['a', 'b', 'c'])
  expect(kindsOf(seen)).toEqual(['read', 'failed', 'read'])
  expect(failureOf(seen[1])).toEqual(refused)
  expect(changes.map((one) => kindsOf(one).filter((kind) => kind === 'waiting').length)).toEqual([2, 1, 0])
  expect(due.size).toBe(0)
})

test(`a silent host has ${HOST_MS} ms of its own, and its failure names it and the next step`, async () => {
  const { done, changes, pass, due } = looking(fleet(2, 1))
  await pass(HOST_MS - 1)
  expect(kindsOf(changes.at(-1) ?? [])).toEqual(['read', 'read', 'waiting'])
  await pass(1)
  const failed = failureOf((await done)[2])
  expect(failed).toMatchObject({ kind: 'deadline', thing: 'host silent-0', observed: 'no answer within 8.0 s' })
  expect(failed?.next).toMatch(/^look at it alone, which waits up to 8\.0 s/)
  expect(due.size).toBe(0)
})

test.each([
  { well: 95, silent: 5, endMs: EARLY_MS },
  { well: 9, silent: 1, endMs: EARLY_MS },
  { well: 180, silent: 20, endMs: EARLY_MS },
  { well: 8, silent: 1, endMs: HOST_MS },
  { well: 89, silent: 11, endMs: HOST_MS },
])('$silent silent beside $well end after $endMs ms', async ({ well, silent, endMs }) => {
  const { done, changes, pass } = looking(fleet(well, silent))
  await pass(endMs - 1)
  expect(kindsOf(changes.at(-1) ?? []).filter((kind) => kind === 'waiting')).toHaveLength(silent)
  await pass(1)
  const last = failureOf((await done).at(-1))
  const observed =
    endMs === HOST_MS ? 'no answer within 8.0 s' : `no answer yet when ${well} of ${well + silent} hosts had told`
  expect(last).toMatchObject({ kind: 'deadline', observed })
})

test(`a fleet that is slow as a whole is waited for, and its last one has ${GRACE_MS} ms more`, async () => {
  const slow = Promise.withResolvers<null>()
  const hosts = Object.fromEntries(
    Array.from({ length: 9 }, (_, at) => [`slow-${at}`, { ...WELL, waits: slow.promise }]),
  )
  const { done, changes, pass } = looking({ ...hosts, last: SILENT })
  await pass(4000)
  expect(changes).toEqual([])
  slow.resolve(null)
  await pass(GRACE_MS - 1)
  expect(changes).toHaveLength(9)
  await pass(1)
  expect(kindsOf(await done).slice(-2)).toEqual(['read', 'failed'])
})

test('whoever is stopped was not looked at, and is not called failed', async () => {
  const stop = new AbortController()
  const { done, pass, due } = looking(fleet(1, 2), { signal: stop.signal })
  await pass(100)
  stop.abort()
  expect(kindsOf(await done)).toEqual(['read', 'stopped', 'stopped'])
  expect(due.size).toBe(0)
})

test('the bus is asked only where no card is listed; where it does not tell, that is not known', async () => {
  const held = { cards: ['No devices were found'], rc: 6, pci: ['0000:01:00.0 0x10de 0x2230 0x030000 vfio-pci'] }
  const silent = gpuHost('c', held)
  const { done } = looking({ a: WELL, b: held })
  const [a, b] = await done
  expect(a?.sight).toMatchObject({ kind: 'read', read: { bus: null } })
  expect(b?.sight).toMatchObject({ kind: 'read', read: { bus: [{ driver: 'vfio-pci' }], gpus: { rc: 6 } } })

  const mute: typeof silent = {
    ...silent,
    run: (verb, args, call) => (verb.name === 'pci' ? new Promise(() => {}) : silent.run(verb, args, call)),
  }
  const { done: second, pass } = looking({}, { hosts: [mute] })
  await pass(2000)
  expect((await second)[0]?.sight).toMatchObject({ kind: 'read', read: { bus: null, gpus: { rc: 6 } } })
})

test('what a host prints is without secrets', async () => {
  const { done } = looking({ a: { cards: [row(0), 'warning: s3cret'] } })
  const seen = JSON.stringify(await done)
  expect(seen).toContain('warning: …')
  expect(seen).not.toContain('s3cret')
})

test('a tool that nobody reads is a failure, not an empty host', async () => {
  const { done } = looking({ a: WELL }, { telemetry: [] })
  expect(failureOf((await done)[0])).toMatchObject({ kind: 'shape', thing: 'nvidia-smi' })
})
