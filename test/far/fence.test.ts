import { setTimeout as delay } from 'node:timers/promises'
import { expect, vi } from 'vitest'
import type { GateDelivery } from '../../src/domain/target.ts'
import type { Fence } from '../../src/domain/unit.ts'
import { restart, start, stop } from '../../src/domain/verbs/index.ts'
import type { Box } from './box/box.ts'
import { install } from './box/install.ts'
import type { Units } from './box/units.ts'
import { test } from './far-test.ts'
import type { Desk } from './nemesis/desk.ts'
import { deskOf } from './nemesis/desk.ts'
import { startDuel } from './nemesis/duel.ts'
import { issued, overlapping, refused } from './nemesis/record.ts'
import type { RootLog } from './nemesis/root-log.ts'
import { rootLog } from './nemesis/root-log.ts'
import { newOp } from './verbs-over.ts'

/** How long a person takes to confirm what was planned, in ms. */
const THINKING_MS = 45_000

/** Each notes its starts, whoever asked for them. */
const units: Units = {
  'sglang.service': unit('', 'exec sleep infinity', ['[Install]', 'WantedBy=multi-user.target']),
  'stopped.service': unit('', 'exec sleep infinity'),
  'hung.service': unit('', 'exec sleep infinity', ['Type=notify', 'TimeoutStartSec=300']),
  'loop.service': unit('StartLimitBurst=1000', 'exit 1', ['Restart=on-failure', 'RestartSec=1']),
}

function unit(head: string, then: string, more: readonly string[] = []): string {
  const exec = `ExecStart=/bin/sh -c 'echo $$INVOCATION_ID >>/var/log/%N.starts; ${then}'`
  return ['[Unit]', head, '[Service]', exec, ...more, ''].join('\n')
}

// at the same time, since they wait more than they work: each has a box of its own
test.concurrent('what is confirmed 45 s after its plan acts once', { timeout: 110_000 }, async ({
  startBox,
  onTestFinished,
}) => {
  const box = await startBox({ units })
  const scene = { box, desk: deskOf(await install(box)), log: await rootLog(box) }
  const { desk, log } = scene
  onTestFinished(() => desk.close())
  const main = await throughReboot(scene)
  await box.exec('systemctl start --no-block loop hung')
  await vi.waitFor(async () => expect((await desk.plan('loop')).seen).toEqual({ state: 'loop' }), 8000)
  const [loop, hung, stopped] = [await desk.plan('loop'), await desk.plan('hung', 'quick'), await desk.plan('stopped')]
  expect([main, loop, hung, stopped].map(({ seen }) => seen.state)).toEqual(['active', 'loop', 'starting', 'stopped'])
  await log.clear()
  await delay(THINKING_MS)
  await confirmed(desk, restart, 'main', main, ['quick', 'installed'])
  await confirmed(desk, restart, 'loop', loop, ['installed', 'quick'])
  await confirmed(desk, restart, 'hung', hung, ['installed', 'quick'])
  await confirmed(desk, start, 'stopped', stopped, ['quick', 'installed'])
  expect(await log.acts()).toEqual([
    'systemctl --no-block restart sglang.service',
    'systemctl --no-block restart loop.service',
    'systemctl --no-block restart hung.service',
    'systemctl --no-block start stopped.service',
  ])
  await vi.waitFor(async () => expect(await startsOf(box, 'sglang', 'hung', 'stopped')).toEqual([4, 2, 1]), 8000)
  // besides our first one; systemd may have been about to restart it itself when ours came, and does both at once
  const asked = (await startsNotScheduled(box, 'loop')) - 1
  expect([0, 1]).toContain(asked)
})

interface Scene {
  readonly box: Box
  readonly desk: Desk
  readonly log: RootLog
}

/** A restart of main before the box boots again is done for good, and a plan from before it is stale; gives a new one. */
async function throughReboot({ box, desk, log }: Scene): Promise<Fence> {
  const op = newOp()
  expect(await desk.confirm(restart, 'main', await desk.plan('main'), { op })).toBe('done')
  await vi.waitFor(async () => expect(await startsOf(box, 'sglang')).toEqual([2]), 8000)
  const before = await desk.plan('main')
  expect(before).toMatchObject({ generation: 1, seen: { state: 'active' } })
  await box.reboot()
  expect(await startsOf(box, 'sglang')).toEqual([3])
  const after = await desk.plan('main')
  expect(after).toMatchObject({ generation: 1, seen: { state: 'active' } })
  expect(await desk.confirm(restart, 'main', before)).toBe('fence-stale')
  expect(await desk.fate(op)).toMatchObject({ state: 'done', verb: 'restart', unit: 'main', rc: 0 })
  expect(await desk.confirm(restart, 'main', before, { op, by: 'quick' })).toBe('already')
  expect(await log.of('sglang')).toBe(1)
  expect(await startsOf(box, 'sglang')).toEqual([3])
  return after
}

/** Confirms by one delivery what both then hold for done. */
async function confirmed(
  desk: Desk,
  verb: typeof restart,
  alias: string,
  fence: Fence,
  [by, other]: readonly [GateDelivery, GateDelivery],
): Promise<void> {
  const op = newOp()
  const results = [
    await desk.confirm(verb, alias, fence, { op, by }),
    await desk.confirm(verb, alias, fence, { op, by }),
    await desk.confirm(verb, alias, fence, { op, by: other }),
    await desk.confirm(verb, alias, fence, { by }),
    await desk.confirm(verb, alias, fence, { by: other }),
  ]
  expect([alias, ...results]).toEqual([alias, 'done', 'already', 'already', 'fence-stale', 'fence-stale'])
  expect(await desk.fate(op, other)).toMatchObject({ state: 'done', verb: verb.name, unit: alias, rc: 0 })
  expect(await desk.fate(newOp(), other)).toEqual({ state: 'never' })
}

test.concurrent('a unit may be stopped in every state', { timeout: 60_000 }, async ({ startBox, onTestFinished }) => {
  const reluctant = unit('', 'trap "" TERM; while :; do sleep 0.1; done', ['TimeoutStopSec=6'])
  const box = await startBox({ units: { ...units, 'slow.service': reluctant } })
  const desk = deskOf(await install(box))
  onTestFinished(() => desk.close())
  const active = async (name: string) => (await box.exec(`systemctl is-active ${name}`)).stdout.trim()
  await box.exec('systemctl start --no-block loop hung slow')
  await vi.waitFor(async () => expect((await desk.plan('loop')).seen).toEqual({ state: 'loop' }), 8000)
  for (const [alias, name, state] of [
    ['loop', 'loop', 'loop'],
    ['hung', 'hung', 'starting'],
    ['main', 'sglang', 'active'],
    ['stopped', 'stopped', 'stopped'],
  ] as const) {
    const fence = await desk.plan(alias)
    expect(fence.seen.state).toBe(state)
    expect([alias, await desk.confirm(stop, alias, fence)]).toEqual([alias, 'done'])
    await vi.waitFor(async () => expect(await active(name)).toMatch(/^(inactive|failed)$/), 8000)
  }
  expect(await desk.confirm(stop, 'slow', await desk.plan('slow'))).toBe('done')
  await vi.waitFor(async () => expect(await active('slow')).toBe('deactivating'), 8000)
  const stopping = await desk.plan('slow', 'quick')
  expect(stopping.seen).toEqual({ state: 'stopping' })
  expect(await desk.confirm(restart, 'slow', stopping)).toBe('in-transition')
  expect(await desk.confirm(stop, 'slow', stopping, { by: 'quick' })).toBe('done')
  expect(await active('slow')).toBe('deactivating')
  // what was planned before the last stop may not even stop
  expect(await desk.confirm(stop, 'slow', stopping)).toBe('fence-stale')
})

test.concurrent('two bots, one of them stopped for longer than its lease: no restart overlaps another', {
  timeout: 150_000,
}, async ({ startBox }) => {
  // asked for so that this is skipped, or fails, where no box can be had
  expect(startBox).toBeTypeOf('function')
  const seed = Date.now() % 1_000_000
  const duel = await startDuel({ fenced: true, seed })
  await delay(60_000)
  const { attempts, pauses, byRoot, starts } = await duel.end()
  const [done, stale] = [issued(attempts), refused(attempts)]
  say(
    seed,
    `fence: ${done.length} restarts, ${pauses} pauses, ${stale.length} stale attempts refused, ${overlapping(attempts)} overlapping`,
  )
  expect(overlapping(attempts)).toBe(0)
  expect(done.length).toBeGreaterThanOrEqual(20)
  expect(attempts.filter((one) => !done.includes(one) && !stale.includes(one))).toEqual([])
  // what the bots say is what happened: each restart was one of root, one run of the unit, and none was cut off
  expect(byRoot).toBe(done.length)
  expect(starts.begun).toHaveLength(done.length + 1)
  expect(starts.ready).toEqual(starts.begun)

  const control = await startDuel({ fenced: false, seed })
  const found = await vi
    .waitUntil(() => overlapping(control.attempts) > 0, { timeout: 45_000, interval: 100 })
    .catch(() => false)
  const { attempts: bare } = await control.end()
  say(seed, `no fence: ${overlapping(bare)} overlapping of ${issued(bare).length} restarts`)
  expect(found, 'this test is invalid: without the fence there was no overlap, so it would not see one').toBe(true)
})

/** How often units were started, by their own notes. */
function startsOf(box: Box, ...names: readonly string[]): Promise<readonly number[]> {
  const count = async (name: string) => {
    const text = await box.disk.read(`/var/log/${name}.starts`).catch(() => '')
    return text.split('\n').filter(Boolean).length
  }
  return Promise.all(names.map(count))
}

/** Starts of a unit in the journal which systemd had not announced as a restart of its own. */
async function startsNotScheduled(box: Box, name: string): Promise<number> {
  const { stdout } = await box.exec(`journalctl -u ${name} -o cat`)
  const said = stdout.split('\n').flatMap((line) => /^Started|Scheduled restart job/.exec(line)?.[0] ?? [])
  return said.filter((word, index) => word === 'Started' && said[index - 1] !== 'Scheduled restart job').length
}

function say(seed: number, line: string): void {
  process.stderr.write(`nemesis, seed ${seed}: ${line}\n`)
}
