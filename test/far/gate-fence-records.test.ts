import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { act, acts, by, fate, NOBODY, openToAll, RUN, refusal, tried, unitWorld } from './gate-unit.ts'
import type { Answer, GateWorld, Shell } from './gate-world.ts'
import { answerIn, ask, newOp, run, skips } from './gate-world.ts'

const each = describe.skipIf(tried.some(({ reason }) => skips(reason))).each(tried)

each('records of an account, and root, under $name', ({ reason, shell }) => {
  test("root's change is recorded and done by the account, and both share the fence", async () => {
    const world = await accountWorld(reason)
    const done = await quick(world, shell, `restart OP main 0.active-${RUN}`)
    expect([done.rc, done.delivery, act(done)['state']]).toEqual([0, 'quick', 'done'])
    const systemctl = `${world.folder}/bin/systemctl --no-block restart sglang.service`
    expect((await world.calls()).filter((call) => /restart/.test(call))).toEqual([
      `sudo -n -l -- ${systemctl}`,
      `sudo -n ${systemctl}`,
    ])
    expect(await owners(join(world.folder, 'state'))).toEqual([NOBODY])
    expect((await quick(world, by(NOBODY, shell), `stop OP main 0.stopped`)).rc).toBe(76)
    expect((await quick(world, shell, 'unit OP main')).sections['fence']?.text).toBe(`1.active-${RUN}\n`)
    expect((await quick(world, shell, `opstat OP ${newOp()}`)).sections['op']?.text).toBe('never\n')
    expect(await owners(join(world.folder, 'state'))).toEqual([NOBODY])
  })

  test('a link in place of a folder leads root nowhere', async () => {
    const world = await accountWorld(reason)
    const ops = join(world.folder, 'state/ops')
    await rm(ops, { recursive: true })
    await symlink(join(world.folder, 'systemd'), ops)
    for (const line of [`restart OP main 0.active-${RUN}`, `opstat OP ${newOp()}`]) {
      const refused = await quick(world, shell, line)
      expect([refused.rc, refusal(refused)]).toEqual([73, expect.stringMatching(/^no-state /)])
    }
    expect(await readdir(join(world.folder, 'systemd'))).toEqual([])
    expect(await acts(world)).toEqual([])
  })

  test('without an installed gate that root can trust, root changes nothing', async () => {
    const world = await accountWorld(reason)
    await chmod(world.gate, 0o775)
    for (const line of [`restart OP main 0.active-${RUN}`, `opstat OP ${newOp()}`]) {
      const refused = await quick(world, shell, line)
      expect([refused.rc, refusal(refused)]).toEqual([
        73,
        `no-state ${world.folder}/state: it and its ops must be folders of this account that nobody else may write\n`,
      ])
    }
    expect(await readdir(join(world.folder, 'state'))).toEqual(['ops'])
    expect(await acts(world)).toEqual([])
  })

  test.each([0o775, 0o757])('nor in a folder of its own that others may write: %o', async (mode) => {
    const world = await unitWorld(reason)
    await chmod(join(world.folder, 'state'), mode)
    expect((await ask(world, shell, 'stop', 'main 0.stopped')).rc).toBe(73)
    expect(await readdir(join(world.folder, 'state'))).toEqual([])
  })
})

each('records that root makes, under $name', ({ reason, shell }) => {
  test('are those of the host, whatever home root has', async () => {
    const world = await unitWorld(reason)
    const state = join(world.folder, 'state')
    await rm(state, { recursive: true })
    const done = await quick(world, shell, `restart OP main 0.active-${RUN}`)
    expect([done.rc, act(done)['generation']]).toEqual([0, '1'])
    const { mode, uid } = await stat(state)
    expect([mode & 0o777, uid]).toEqual([0o700, 0])
    const other = await quick(world, shell, `restart OP main 0.active-${RUN}`, { HOME: '/nowhere' })
    expect([other.rc, refusal(other)]).toEqual([76, 'fence-stale generation: the plan saw 0, it is 1 now\n'])
    expect(await readdir(world.folder)).not.toContain('.local')
  })

  test('are nobody else: an account has its own only where there are none', async () => {
    const world = await unitWorld(reason)
    await openToAll(world)
    const home = join(world.folder, 'home')
    await mkdir(home)
    await chown(home, NOBODY, NOBODY)
    const asAccount = (line: string) => quick(world, by(NOBODY, shell), line, { HOME: home })
    expect((await asAccount('stop OP main 0.stopped')).rc).toBe(73)
    await rm(join(world.folder, 'state'), { recursive: true })
    expect((await asAccount('stop OP main 0.stopped')).rc).toBe(0)
    expect(await readdir(join(home, '.local/state/pilotflame'))).toEqual(['main.generation', 'main.lock', 'ops'])
  })
})

/** What a file or folder of the records may be instead of one. */
const TRAPS: Readonly<Record<string, (path: string, target: string) => Promise<unknown>>> = {
  link: (path, target) => symlink(target, path),
  'link to nowhere': (path, target) => symlink(`${target}/nowhere`, path),
  pipe: (path) => run('/usr/bin/mkfifo', [path], {}, null),
  socket: async (path) => {
    const server = createServer().listen(path)
    onTestFinished(() => void server.close())
    await once(server, 'listening')
  },
}

const OP = 'e'.repeat(32)

const PLACES = ['main.lock', 'main.generation', `ops/${OP}`, 'ops', '.'] as const

each('traps among the records, under $name', ({ reason, shell }) => {
  test.each(PLACES.flatMap((place) => Object.keys(TRAPS).map((trap) => [place, trap] as const)))(
    '%s is a %s',
    async (place, trap) => {
      const world = await unitWorld(reason)
      const state = join(world.folder, 'state')
      await mkdir(join(state, 'ops'))
      const path = join(state, place)
      await rm(path, { recursive: true, force: true })
      const target = join(world.folder, 'systemd')
      await TRAPS[trap]?.(path, target)
      const refused = await ask(world, shell, 'restart', `main 0.active-${RUN}`, OP)
      expect([refused.rc, refusal(refused)]).toEqual([73, expect.stringMatching(/^no-state /)])
      const asked = await ask(world, shell, 'opstat', OP)
      expect(asked.rc).toBe(place.startsWith('main.') ? 0 : 73)
      // a read does not hang either
      expect((await ask(world, shell, 'unit', 'main')).rc).toBe(0)
      expect(await acts(world)).toEqual([])
      expect(await readdir(target)).toEqual([])
    },
  )

  test('a lock or a log that cannot be opened is told', async () => {
    const world = await unitWorld(reason)
    await openToAll(world)
    const log = join(world.folder, 'app.log')
    await writeFile(log, '', { mode: 0o600 })
    await writeFile(join(world.folder, 'etc/units'), `main sglang.service log=${log}\n`)
    const asAccount = by(NOBODY, shell)
    const unread = await quick(world, asAccount, 'log OP main lines 1')
    expect([unread.rc, refusal(unread)]).toEqual([77, `permission ${log} cannot be read by this account\n`])
    const state = join(world.folder, 'state')
    await mkdir(join(state, 'ops'))
    for (const folder of [state, join(state, 'ops')]) await chown(folder, NOBODY, NOBODY)
    await writeFile(join(state, 'main.lock'), '', { mode: 0o600 })
    const unlocked = await quick(world, asAccount, 'stop OP main 0.stopped')
    expect([unlocked.rc, refusal(unlocked)]).toEqual([73, `no-state ${state}/main.lock\n`])
  })
})

each('what never came, under $name', ({ reason, shell }) => {
  test('cannot come any more', async () => {
    const world = await unitWorld(reason)
    const op = newOp()
    expect([await fate(world, shell, op), await fate(world, shell, op)]).toEqual(['never\n', 'never\n'])
    for (const line of [`restart`, `stop`, `restart`]) {
      const late = await ask(world, shell, line, `main 0.active-${RUN}`, op)
      expect([late.rc, refusal(late)]).toEqual([76, expect.stringMatching(/^fence-stale op: /)])
    }
    expect(await fate(world, shell, op)).toBe('never\n')
    expect(await acts(world)).toEqual([])
    expect((await ask(world, shell, 'restart', `main 0.active-${RUN}`)).rc).toBe(0)
  })

  test('not even when it was on its way', async () => {
    const world = await unitWorld(reason)
    const [held, go] = [join(world.folder, 'held'), join(world.folder, 'go')]
    const show = `: >${held}\nwhile [ ! -e ${go} ]; do sleep 0.05; done\nexec cat ${world.folder}/show`
    await world.tool('systemctl', `[ "$1" = show ] || exit 0\n${show}`)
    const op = newOp()
    const slow = ask(world, shell, 'restart', `main 0.active-${RUN}`, op)
    await vi.waitUntil(() => existsSync(held), { timeout: 10_000 })
    expect(await fate(world, shell, op)).toBe('never\n')
    await writeFile(go, '')
    const late = await slow
    expect([late.rc, refusal(late)]).toEqual([76, expect.stringMatching(/^fence-stale op: /)])
    expect(await acts(world)).toEqual([])
    expect(await readFile(join(world.folder, 'state/ops', op), 'utf8')).toMatch(/^void \d{10}\n$/)
  })

  test('what is said of an operation at the moment when it comes holds', async () => {
    const world = await unitWorld(reason)
    const said = new Set<string>()
    for (let round = 0; round < ROUNDS; round += 1) {
      const op = newOp()
      const generation = (await acts(world)).length
      const change = ask(world, shell, 'restart', `main ${generation}.active-${RUN}`, op)
      await later(round * 4)
      const told = (await fate(world, shell, op))?.split(' ')[0]?.trim()
      said.add(`${(await change).rc} ${told === 'done' ? 'issued' : told}`)
    }
    expect([...said].filter((one) => one !== '0 issued' && one !== '76 never')).toEqual([])
  })

  test('is not said where it cannot be made sure', async () => {
    const world = await unitWorld(reason)
    await rm(join(world.folder, 'state'), { recursive: true })
    const nowhere = await ask(world, shell, 'opstat', newOp())
    expect([nowhere.rc, refusal(nowhere)]).toEqual([73, expect.stringMatching(/^no-state /)])
    await mkdir(join(world.folder, 'state'))
    await world.tool('ln', 'exit 1')
    expect((await ask(world, shell, 'opstat', newOp())).rc).toBe(73)
    expect(await readdir(join(world.folder, 'state/ops'))).toEqual([])
  })
})

const ROUNDS = 24

function later(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** A host as `setup` leaves it: the records are an account's. */
async function accountWorld(reason: string | null): Promise<GateWorld> {
  const world = await unitWorld(reason)
  await openToAll(world)
  const state = join(world.folder, 'state')
  await mkdir(join(state, 'ops'), { mode: 0o700 })
  for (const folder of [state, join(state, 'ops')]) await chown(folder, NOBODY, NOBODY)
  return world
}

/** Sends the script; OP stands for an operation id. */
async function quick(
  world: GateWorld,
  shell: Shell,
  line: string,
  env?: Readonly<Record<string, string>>,
): Promise<Answer> {
  const op = newOp()
  return answerIn(await world.quick(shell, line.replace('OP', op).split(' '), env), op)
}

/** Whose all that is in a folder is. */
async function owners(folder: string): Promise<readonly number[]> {
  const names = await readdir(folder, { recursive: true })
  expect(names).toContain('ops')
  const facts = await Promise.all(names.map((name) => stat(join(folder, name))))
  return [...new Set(facts.map(({ uid }) => uid))]
}
