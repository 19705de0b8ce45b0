import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Seen } from './gate-unit.ts'
import {
  ACTIVE,
  act,
  acts,
  fate,
  LOOP,
  RUN,
  refusal,
  STARTING,
  STOPPED,
  STOPPING,
  shows,
  tried,
  unitWorld,
} from './gate-unit.ts'
import { ask, newOp, skips } from './gate-world.ts'

const OTHER_RUN = 'b2'.repeat(16)

const TOKENS: readonly (readonly [what: string, unit: Seen, seen: string])[] = [
  ['runs', ACTIVE, `active-${RUN}`],
  ['reloads', { ...ACTIVE, state: 'reloading' }, `active-${RUN}`],
  ['runs since a crash two minutes ago', { ...ACTIVE, restarts: 3, since: 120 }, `active-${RUN}`],
  ['runs since a crash 20 s ago', { ...ACTIVE, restarts: 3, since: 20 }, 'loop'],
  ['waits to be restarted', LOOP, 'loop'],
  ['waits to be restarted, as newer systemd says it', { ...LOOP, sub: 'auto-restart-queued' }, 'loop'],
  ['waits to be restarted and counts as failed', { ...LOOP, state: 'failed' }, 'loop'],
  ['starts again after a crash', { ...STARTING, restarts: 1, since: 3 }, 'loop'],
  ['hangs in its start', STARTING, 'starting'],
  ['hangs in its start after a crash', { ...STARTING, restarts: 1 }, 'starting'],
  ['is stopped', STOPPED, 'stopped'],
  ['has failed', { state: 'failed', sub: 'failed', run: RUN }, 'stopped'],
  ['is in the queue', { ...STOPPED, job: 412 }, 'starting'],
  ['stops', STOPPING, 'stopping'],
]

/** Each plan and each state at the time of the act. 0: it acts. */
const PLANS: readonly (readonly [planned: string, unit: Seen, restart: number])[] = [
  [`active-${RUN}`, ACTIVE, 0],
  [`active-${OTHER_RUN}`, ACTIVE, 76],
  [`active-${RUN}`, LOOP, 76],
  [`active-${RUN}`, STARTING, 76],
  [`active-${RUN}`, STOPPED, 76],
  [`active-${RUN}`, STOPPING, 78],
  ['loop', ACTIVE, 76],
  ['loop', LOOP, 0],
  ['loop', STARTING, 0],
  ['loop', STOPPED, 0],
  ['loop', STOPPING, 78],
  ['starting', ACTIVE, 76],
  ['starting', LOOP, 0],
  ['starting', STARTING, 0],
  ['starting', STOPPED, 0],
  ['starting', STOPPING, 78],
  ['stopped', ACTIVE, 76],
  ['stopped', LOOP, 76],
  ['stopped', STARTING, 76],
  ['stopped', STOPPED, 0],
  ['stopped', STOPPING, 78],
  ['stopping', STOPPING, 78],
  ['stopping', STOPPED, 76],
  ['stopping', ACTIVE, 76],
]

const each = describe.skipIf(tried.some(({ reason }) => skips(reason))).each(tried)

each('what a plan sees, under $name', ({ reason, shell }) => {
  test.each(TOKENS)('a unit that %s', async (_, unit, seen) => {
    const world = await unitWorld(reason)
    await shows(world, unit)
    const { sections } = await ask(world, shell, 'unit', 'main')
    expect(sections['fence']?.text).toBe(`0.${seen}\n`)
  })

  test.each(PLANS)('planned for %s, met as %o: restart ends with %i', async (planned, unit, rc) => {
    const world = await unitWorld(reason)
    await shows(world, unit)
    const op = newOp()
    const restart = await ask(world, shell, 'restart', `main 0.${planned}`, op)
    expect(restart.rc).toBe(rc)
    expect(await acts(world)).toEqual(rc === 0 ? ['systemctl --no-block restart sglang.service'] : [])
    expect(await fate(world, shell, op)).toMatch(rc === 0 ? /^done restart main \d+ 0\n$/ : /^never\n$/)
    if (rc !== 0)
      expect(refusal(restart)).toMatch(rc === 76 ? /^fence-stale state: the plan saw / : /^in-transition stopping\n$/)
  })
})

each('what is right in any state, under $name', ({ reason, shell }) => {
  test.each([ACTIVE, LOOP, STARTING, STOPPED, STOPPING])('stop and reset-failed of %o', async (unit) => {
    const world = await unitWorld(reason)
    await shows(world, unit)
    expect((await ask(world, shell, 'stop', 'main 0.loop')).rc).toBe(0)
    expect((await ask(world, shell, 'reset-failed', 'main 1.starting')).rc).toBe(0)
    expect(await acts(world)).toEqual([
      'systemctl --no-block stop sglang.service',
      'systemctl reset-failed sglang.service',
    ])
  })
})

each('one change after another, under $name', ({ reason, shell }) => {
  test('an operation that comes twice is done once', async () => {
    const world = await unitWorld(reason)
    const op = newOp()
    const first = await ask(world, shell, 'restart', `main 0.active-${RUN}`, op)
    const again = await ask(world, shell, 'restart', `main 0.active-${RUN}`, op)
    expect([act(first), act(again)]).toEqual([
      { state: 'done', generation: '1', rc: '0', at: expect.stringMatching(/^\d{10}$/), said: '' },
      { ...act(first), state: 'already' },
    ])
    expect(await acts(world)).toHaveLength(1)
    // and is no other one
    expect((await ask(world, shell, 'stop', 'main 1.stopped', op)).rc).toBe(64)
    expect(await acts(world)).toHaveLength(1)
  })

  test('a plan of before the last change is stale, whatever it saw', async () => {
    const world = await unitWorld(reason)
    await ask(world, shell, 'restart', `main 0.active-${RUN}`)
    for (const verb of ['start', 'stop', 'restart', 'reset-failed']) {
      const late = await ask(world, shell, verb, `main 0.active-${RUN}`)
      expect([late.rc, refusal(late)]).toEqual([76, 'fence-stale generation: the plan saw 0, it is 1 now\n'])
    }
    expect((await ask(world, shell, 'variant', `main 0.active-${RUN} none`)).rc).toBe(76)
    expect(await acts(world)).toHaveLength(1)
  })

  test('one change at a time, and each unit for itself', async () => {
    const world = await unitWorld(reason, 'main sglang.service\nother other.service\n')
    const holder = spawn('/usr/bin/flock', [join(world.folder, 'state/main.lock'), '-c', 'echo held; read x'])
    onTestFinished(() => void holder.kill('SIGKILL'))
    await once(holder.stdout, 'data')
    const busy = await ask(world, shell, 'stop', 'main 0.stopped')
    expect([busy.rc, refusal(busy)]).toEqual([75, 'fence-busy main\n'])
    expect((await ask(world, shell, 'stop', 'other 0.stopped')).rc).toBe(0)
    holder.stdin.end()
    await once(holder, 'exit')
    expect((await ask(world, shell, 'stop', 'main 0.stopped')).rc).toBe(0)
  })
})

each('what becomes of an order, under $name', ({ reason, shell }) => {
  test('killed between the order and its end: known as issued, and never done again', async () => {
    const world = await unitWorld(reason)
    const held = join(world.folder, 'held')
    await world.tool('systemctl', `[ "$1" != show ] || exec cat ${world.folder}/show\necho $$ >${held}\nexec sleep 60`)
    const op = newOp()
    const line = `restart ${op} main 0.active-${RUN}`
    const [file, ...args] = shell.command
    const gate = spawn(file, [...args, world.gate], { env: { SSH_ORIGINAL_COMMAND: line }, stdio: 'ignore' })
    await vi.waitUntil(() => existsSync(held), { timeout: 10_000 })
    // nobody can plan for what is about to change
    expect((await ask(world, shell, 'unit', 'main')).sections['fence']?.text).toBe(`0.active-${RUN}\n`)
    gate.kill('SIGKILL')
    await once(gate, 'exit')
    expect(await fate(world, shell, op)).toMatch(/^issued restart main \d{10}\n$/)
    // as long as the order itself runs, the unit is busy
    expect((await ask(world, shell, 'restart', `main 0.active-${RUN}`, op)).rc).toBe(75)
    process.kill(Number(await readFile(held, 'utf8')), 'SIGKILL')
    const again = await vi.waitUntil(
      async () => {
        const answer = await ask(world, shell, 'restart', `main 0.active-${RUN}`, op)
        return answer.rc === 75 ? null : answer
      },
      { timeout: 10_000 },
    )
    expect([again.rc, act(again)]).toEqual([0, { ...act(again), state: 'issued', generation: '1', rc: '' }])
    expect(await fate(world, shell, op)).toMatch(/^issued /)
    expect((await ask(world, shell, 'unit', 'main')).sections['fence']?.text).toBe(`1.active-${RUN}\n`)
    expect(await acts(world)).toHaveLength(1)
  })
})

each('what is told of an order, under $name', ({ reason, shell }) => {
  test('an order that does not return is not taken for done', async () => {
    const world = await unitWorld(reason, undefined, (script) =>
      script.replaceAll('limited 15 "$systemctl"', 'limited 1 "$systemctl"'),
    )
    await world.tool('systemctl', `[ "$1" != show ] || exec cat ${world.folder}/show\nexec sleep 60`)
    const op = newOp()
    const slow = await ask(world, shell, 'stop', 'main 0.stopped', op)
    expect([slow.rc, act(slow)['state'], refusal(slow)]).toEqual([124, 'issued', expect.stringMatching(/^timeout /)])
    expect(await fate(world, shell, op)).toMatch(/^issued stop main /)
  })

  test('an order that was killed at once is not told as one that took too long, nor taken for done', async () => {
    const world = await unitWorld(reason)
    await world.tool('systemctl', `[ "$1" != show ] || exec cat ${world.folder}/show\nkill -KILL $$`)
    const op = newOp()
    const killed = await ask(world, shell, 'stop', 'main 0.stopped', op)
    expect([killed.rc, act(killed)]).toEqual([0, expect.objectContaining({ state: 'issued', rc: '137' })])
    expect(await fate(world, shell, op)).toMatch(/^issued stop main /)
  })

  test('what systemctl says against it is told, and is done with', async () => {
    const world = await unitWorld(reason)
    const show = `[ "$1" != show ] || exec cat ${world.folder}/show`
    await world.tool('systemctl', `${show}\necho 'Failed to start: Unit is masked.' >&2\necho more >&2\nexit 5`)
    const op = newOp()
    const failed = await ask(world, shell, 'start', `main 0.active-${RUN}`, op)
    expect([failed.rc, failed.sections['act']?.rc]).toEqual([0, 5])
    expect(act(failed)).toMatchObject({ state: 'done', rc: '5', said: 'Failed to start: Unit is masked.' })
    expect(await fate(world, shell, op)).toMatch(/^done start main \d{10} 5\n$/)
    expect(act(await ask(world, shell, 'start', `main 0.active-${RUN}`, op))).toMatchObject({
      state: 'already',
      rc: '5',
    })
  })
})

each('records, under $name', ({ reason, shell }) => {
  test('the generation outlives a boot, and what cannot be read is not taken for 0', async () => {
    const world = await unitWorld(reason)
    await writeFile(join(world.folder, 'state/main.generation'), '41\n')
    expect((await ask(world, shell, 'stop', 'main 41.stopped')).rc).toBe(0)
    expect(await readFile(join(world.folder, 'state/main.generation'), 'utf8')).toBe('42\n')
    await writeFile(join(world.folder, 'state/main.generation'), '')
    const broken = await ask(world, shell, 'stop', 'main 0.stopped')
    expect([broken.rc, refusal(broken)]).toEqual([73, expect.stringMatching(/^no-state .*main\.generation/)])
    expect((await ask(world, shell, 'unit', 'main')).sections).not.toHaveProperty('fence')
  })

  test('where nothing can be recorded, nothing is done', async () => {
    const world = await unitWorld(reason)
    await writeFile(join(world.folder, 'state/ops'), 'in the way')
    const refused = await ask(world, shell, 'restart', `main 0.active-${RUN}`)
    expect([refused.rc, refusal(refused)]).toEqual([73, expect.stringMatching(/^no-state /)])
    expect(await acts(world)).toEqual([])
  })

  test('a full disk stops it before the order', async () => {
    const world = await unitWorld(reason)
    await world.tool('sync', 'exit 1')
    const op = newOp()
    const refused = await ask(world, shell, 'restart', `main 0.active-${RUN}`, op)
    expect([refused.rc, refusal(refused)]).toEqual([73, expect.stringMatching(/^no-state /)])
    // it cannot be said for good that it never came
    expect((await ask(world, shell, 'opstat', op)).rc).toBe(73)
    await world.tool('sync', 'exit 0')
    expect(await fate(world, shell, op)).toBe('never\n')
    expect(await acts(world)).toEqual([])
  })

  test('records of more than 30 days go', async () => {
    const world = await unitWorld(reason)
    const old = newOp()
    await ask(world, shell, 'stop', 'main 0.stopped', old)
    await utimes(join(world.folder, 'state/ops', old), 0, 0)
    const young = newOp()
    await ask(world, shell, 'stop', 'main 1.stopped', young)
    expect([await fate(world, shell, old), await fate(world, shell, young)]).toEqual([
      'never\n',
      expect.stringMatching(/^done /),
    ])
  })
})

each('variants, under $name', ({ reason, shell }) => {
  test('variants: only root-owned ones of this unit, and back to none', async () => {
    const world = await unitWorld(reason)
    const file = join(world.folder, 'etc/variants/main/tp1.conf')
    const dropIn = join(world.folder, 'systemd/sglang.service.d/50-pilotflame.conf')
    await writeFile(file, '[Service]\nEnvironment=TP=1\n', { mode: 0o644 })
    expect((await ask(world, shell, 'variant', 'main 0.stopped tp2')).rc).toBe(66)
    await chmod(file, 0o666)
    expect((await ask(world, shell, 'variant', 'main 0.stopped tp1')).rc).toBe(77)
    await chmod(file, 0o644)
    expect((await ask(world, shell, 'variant', 'main 0.stopped tp1')).rc).toBe(0)
    expect(await readFile(dropIn, 'utf8')).toBe('# pilotflame variant tp1\n[Service]\nEnvironment=TP=1\n')
    expect((await ask(world, shell, 'unit', 'main')).sections['variants']?.text).toBe('tp1\navailable tp1\n')
    expect((await ask(world, shell, 'variant', 'main 1.stopped none')).rc).toBe(0)
    expect(existsSync(join(world.folder, 'systemd/sglang.service.d'))).toBe(false)
    expect((await acts(world)).filter((call) => call === 'systemctl daemon-reload')).toHaveLength(2)
    expect((await ask(world, shell, 'unit', 'main')).sections['variants']?.text).toBe('none\navailable tp1\n')
  })
})
