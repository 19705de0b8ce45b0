import { setTimeout as delay } from 'node:timers/promises'
import { expect, vi } from 'vitest'
import { restart } from '../../src/domain/verbs/index.ts'
import type { Box } from './box/box.ts'
import { install } from './box/install.ts'
import type { Units } from './box/units.ts'
import { test as farTest } from './far-test.ts'
import type { Desk } from './nemesis/desk.ts'
import { deskOf } from './nemesis/desk.ts'
import type { Hold } from './nemesis/hold.ts'
import { holdAt } from './nemesis/hold.ts'
import type { RootLog } from './nemesis/root-log.ts'
import { rootLog } from './nemesis/root-log.ts'
import { newOp } from './verbs-over.ts'

// What may happen between two steps of a gate. The unit is one that starts for ever: its state is the same before and
// after a restart, so nothing but the generation tells that there was one.

interface Scene {
  readonly box: Box
  readonly desk: Desk
  readonly log: RootLog
  /** before the record of a change has led to anything */
  readonly beforeAct: Hold
  /** before a change has the unit for itself */
  readonly beforeLock: Hold
}

const test = farTest.extend<{ scene: Scene }>({
  async scene({ startBox }, use) {
    const box = await startBox({ units })
    const desk = deskOf(await install(box))
    const log = await rootLog(box)
    const beforeAct = await holdAt(box, '/usr/bin/sudo', '-n /usr/bin/systemctl --no-block restart hung.service')
    const beforeLock = await holdAt(box, '/usr/bin/flock', '-n 9')
    await box.exec('systemctl start --no-block hung')
    await use({ box, desk, log, beforeAct, beforeLock })
    await desk.close()
  },
})

test('two deliveries with one plan at the same moment: one acts', { timeout: 60_000 }, async ({ scene }) => {
  const { desk, log } = scene
  const lost: string[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const fence = await plan(desk)
    const results = await Promise.all([
      desk.confirm(restart, 'hung', fence, { by: 'quick' }),
      // from the same moment to when the other one is about to end
      delay(round * 20).then(() => desk.confirm(restart, 'hung', fence)),
    ])
    expect(results.filter((result) => result === 'done')).toHaveLength(1)
    lost.push(...results.filter((result) => result !== 'done'))
    expect(await log.of('hung')).toBe(round + 1)
  }
  expect(lost.filter((result) => result !== 'fence-busy' && result !== 'fence-stale')).toEqual([])
})

test('one that comes to the lock when another one has just let go of it is too late', async ({ scene }) => {
  const { desk, log, beforeLock } = scene
  const fence = await plan(desk)
  await beforeLock.next()
  const late = desk.confirm(restart, 'hung', fence)
  await beforeLock.reached()
  expect(await desk.confirm(restart, 'hung', fence, { by: 'quick' })).toBe('done')
  await plan(desk)
  await beforeLock.release()
  expect(await late).toBe('fence-stale')
  expect(await log.of('hung')).toBe(1)
})

test('what is planned while a change acts is stale once it has acted', async ({ scene }) => {
  const { desk, log, beforeAct } = scene
  const before = await plan(desk)
  await beforeAct.next()
  const acting = desk.confirm(restart, 'hung', before)
  await beforeAct.reached()
  const meanwhile = await desk.plan('hung', 'quick')
  expect(meanwhile.seen).toEqual({ state: 'starting' })
  expect(await desk.confirm(restart, 'hung', meanwhile, { by: 'quick' })).toBe('fence-busy')
  await beforeAct.release()
  expect(await acting).toBe('done')
  const after = await plan(desk)
  expect(await desk.confirm(restart, 'hung', meanwhile, { by: 'quick' })).toBe('fence-stale')
  expect(await log.of('hung')).toBe(1)
  expect(await desk.confirm(restart, 'hung', after, { by: 'quick' })).toBe('done')
})

test.for(['installed', 'quick'] as const)('%s: killed between its record and its act', async (by, { scene }) => {
  const { desk, log, beforeAct } = scene
  const [op, fence] = [newOp(), await plan(desk)]
  await beforeAct.next()
  const killed = desk.confirm(restart, 'hung', fence, { op, by })
  await beforeAct.reached()
  expect(await desk.fate(op)).toMatchObject({ state: 'issued', verb: 'restart', unit: 'hung' })
  await beforeAct.kill('all')
  expect(await killed).toBe('signalled')
  // it may have acted: nobody does it again but by a plan of now
  expect(await desk.fate(op)).toMatchObject({ state: 'issued' })
  expect(await desk.confirm(restart, 'hung', fence, { op })).toBe('issued')
  expect(await desk.confirm(restart, 'hung', fence)).toBe('fence-stale')
  expect(await log.of('hung')).toBe(0)
  expect(await desk.confirm(restart, 'hung', await desk.plan('hung'), { by })).toBe('done')
  expect(await log.of('hung')).toBe(1)
  expect(await desk.fate(op)).toMatchObject({ state: 'issued' })
})

test('killed while what it began goes on: the unit is busy until that has ended', async ({ scene }) => {
  const { desk, log, beforeAct } = scene
  const [op, fence] = [newOp(), await plan(desk)]
  await beforeAct.next()
  const killed = desk.confirm(restart, 'hung', fence, { op })
  await beforeAct.reached()
  await beforeAct.kill('gate')
  const meanwhile = await desk.plan('hung')
  expect(await desk.confirm(restart, 'hung', meanwhile, { by: 'quick' })).toBe('fence-busy')
  expect(await desk.confirm(restart, 'hung', fence, { op, by: 'quick' })).toBe('fence-busy')
  await beforeAct.release()
  await vi.waitFor(async () => expect(await log.of('hung')).toBe(1), 8000)
  expect(await killed).not.toMatch(/done|already|issued/)
  expect(await desk.fate(op)).toMatchObject({ state: 'issued' })
  const after = await plan(desk)
  expect(await desk.confirm(restart, 'hung', fence, { op })).toBe('issued')
  expect(await desk.confirm(restart, 'hung', meanwhile)).toBe('fence-stale')
  expect(await log.of('hung')).toBe(1)
  expect(await desk.confirm(restart, 'hung', after)).toBe('done')
})

test('root, whose gate is sent, acts as the account and by its rights, behind the same fence', async ({ scene }) => {
  const { box, desk, log } = scene
  const fence = await plan(desk)
  const asRoot = async (line: string) =>
    (await box.exec(`HOME=/root /bin/sh -s -- ${line} </usr/local/sbin/pilotflame-gate`)).stdout
  const op = newOp()
  expect(await asRoot(`restart ${op} hung ${fence.token}`)).toMatch(/begin 1 quick\n.*\nstate=done\n.* end 0\n$/s)
  expect(await log.of('hung')).toBe(1)
  expect(await desk.fate(op)).toMatchObject({ state: 'done', rc: 0 })
  expect(await desk.confirm(restart, 'hung', fence)).toBe('fence-stale')
  expect(await asRoot(`opstat ${newOp()} ${op}`)).toContain('\ndone restart hung ')
  expect((await box.exec('find /var/lib/pilotflame ! -user pilotflame')).stdout).toBe('')
})

const ROUNDS = 12

/** Once it is neither stopping nor stopped. */
function plan(desk: Desk) {
  return vi.waitFor(async () => {
    const fence = await desk.plan('hung')
    expect(fence.seen).toEqual({ state: 'starting' })
    return fence
  }, 8000)
}

const units: Units = {
  'hung.service': `[Unit]
StartLimitIntervalSec=0
[Service]
Type=notify
TimeoutStartSec=300
ExecStart=/bin/sleep infinity
`,
}
