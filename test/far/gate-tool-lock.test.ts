import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { accountFolder, by, NOBODY, openToAll, refusal, tried } from './gate-unit.ts'
import type { Answer, GateWorld, Shell } from './gate-world.ts'
import { answerIn, ask, gateWorld, newOp, skips } from './gate-world.ts'

const each = describe.skipIf(tried.some(({ reason }) => skips(reason))).each(tried)

const WELL = 'case $1 in --query-gpu=*) echo "0, GPU-1" ;; esac'
const LOCK = `.gpu-${hostname()}.lock`
const partsOf = ({ sections }: Answer) => Object.keys(sections)

each('a GPU tool that no signal ends, under $name', ({ reason, shell }) => {
  test('is waited for by nobody, 5 more calls start none beside it, and it is told once it runs longer than any may', async () => {
    const world = await stuckWorld(reason, (text) => text.replace('held_for 30', 'held_for 1'))
    const first = await ask(world, shell, 'cards')
    expect(first.sections['cards']).toEqual({ rc: 124, text: 'first\n' })
    const others = await Promise.all(Array.from({ length: 5 }, () => ask(world, shell, 'cards')))
    for (const answer of others) {
      expect([answer.rc, partsOf(answer)]).toEqual([0, ['host', 'units', 'held']])
      expect(answer.sections['held']?.text).toBe(`${world.folder}/bin/nvidia-smi\n`)
    }
    expect((await world.calls()).filter((call) => call.startsWith('nvidia-smi'))).toHaveLength(1)
    await writeFile(join(world.folder, 'free'), '')
    await expect.poll(async () => (await ask(world, shell, 'cards')).sections['cards']?.rc, { timeout: 8000 }).toBe(0)
  })

  test('in its first 30 s, and where nobody knows since when, it is in use: no verb says that it hangs', async () => {
    const world = await stuckWorld(reason)
    const lock = join(world.folder, 'state', LOCK)
    await ask(world, shell, 'cards')
    const [boot = '', began = ''] = (await readFile(lock, 'utf8')).trim().split(' ')
    const [up = ''] = (await readFile('/proc/uptime', 'utf8')).split('.')
    expect(Number(up) - Number(began)).toBeLessThan(30)
    const said: Record<string, readonly string[]> = {}
    for (const [name, text] of [
      ['its first seconds', `${boot} ${began}\n`],
      ['31 s', `${boot} ${Number(up) - 31}\n`],
      ['another boot', `${newOp()} ${Number(up) - 31}\n`],
      ['later than now', `${boot} ${Number(up) + 1000}\n`],
      ['nothing', ''],
    ] as const) {
      await writeFile(lock, text)
      const both = await Promise.all(['cards', 'host-health'].map((verb) => ask(world, shell, verb)))
      said[name] = both.flatMap((one) => partsOf(one).filter((part) => part === 'held' || part === 'in-use'))
    }
    const inUse = ['in-use', 'in-use']
    expect(said).toEqual({
      ...{ 'its first seconds': inUse, '31 s': ['held', 'held'] },
      ...{ 'another boot': inUse, 'later than now': inUse, nothing: inUse },
    })
  })
})

each('the lock of the GPU tool, under $name', ({ reason, shell }) => {
  test('3 calls at once of a tool that works wait for each other', async () => {
    const world = await gateWorld({ reason })
    await world.tool('nvidia-smi', WELL)
    const all = await Promise.all([1, 2, 3].map(() => ask(world, shell, 'cards')))
    expect(all.map(({ sections }) => sections['cards'])).toEqual(Array(3).fill({ rc: 0, text: '0, GPU-1\n' }))
  })

  test('who locks the tool itself, or the folder of the records, holds nobody up', async () => {
    const world = await gateWorld({ reason })
    await world.tool('nvidia-smi', WELL)
    for (const name of ['bin/nvidia-smi', 'state']) await locked(join(world.folder, name))
    const { sections } = await ask(world, shell, 'cards')
    expect(sections['cards']).toEqual({ rc: 0, text: '0, GPU-1\n' })
  })
})

each('where the lock of the GPU tool stands, under $name', ({ reason, shell }) => {
  test('an account without the records of setup has it in its home, for itself alone', async () => {
    const world = await homeless(reason)
    const home = join(world.folder, 'home')
    await mkdir(home)
    await chown(home, NOBODY, NOBODY)
    expect((await asAccount(world, shell, { HOME: home })).sections['cards']?.rc).toBe(0)
    const { mode, uid } = await stat(join(home, '.local/state/pilotflame', LOCK))
    expect([mode & 0o777, uid]).toEqual([0o600, NOBODY])
  })

  test('without a home it has it where the system gives it a place; one that others may open or write is not taken', async () => {
    const world = await homeless(reason)
    const folder = await accountFolder(world)
    const none = { HOME: '/nowhere' }
    expect((await asAccount(world, shell, none)).sections['cards']?.rc).toBe(0)
    expect(await readdir(folder)).toEqual([LOCK])
    for (const [path, mode] of [
      [join(folder, LOCK), 0o644],
      [folder, 0o777],
    ] as const) {
      await chmod(path, mode)
      const refused = await asAccount(world, shell, none)
      expect([refused.rc, refusal(refused)]).toEqual([
        77,
        expect.stringMatching(/^permission .*could lock its GPU tool$/m),
      ])
      await rm(join(folder, LOCK), { force: true })
    }
  })

  test('root without records makes none for a look', async () => {
    const world = await gateWorld({ reason })
    await rm(join(world.folder, 'state'), { recursive: true })
    const op = newOp()
    expect(answerIn(await world.quick(shell, ['cards', op]), op).sections['cards']?.rc).toBe(0)
    expect(await readdir(join(world.folder, 'run'))).toEqual([LOCK])
    expect(await readdir(world.folder)).not.toContain('state')
  })
})

each('a place that does not do for the lock of the GPU tool, under $name', ({ reason, shell }) => {
  test('the place of the system goes before a home, which may be of a network; what locks nothing is passed over', async () => {
    const world = await homeless(reason)
    const folder = await accountFolder(world)
    const home = join(world.folder, 'home')
    await mkdir(home)
    await chown(home, NOBODY, NOBODY)
    await asAccount(world, shell, { HOME: home })
    expect([await readdir(folder), await readdir(home)]).toEqual([[LOCK], []])
    await world.tool('flock', lacking(`*/run/user/*`))
    expect((await asAccount(world, shell, { HOME: home })).sections['cards']?.rc).toBe(0)
    expect(await readdir(join(home, '.local/state/pilotflame'))).toEqual([LOCK])
  })

  test.each([65, 71, 127])(
    'flock that fails by %i everywhere is no other call: it is told, and not "in use"',
    async (rc) => {
      const world = await gateWorld({ reason })
      await world.tool('flock', `echo 'flock: 9: No locks available' >&2; exit ${rc}`)
      const refused = await ask(world, shell, 'cards')
      expect([refused.rc, refusal(refused)]).toEqual([77, expect.stringMatching(/could lock its GPU tool$/m)])
      const health = await ask(world, shell, 'host-health')
      expect([health.rc, health.sections['unlocked']?.rc, 'in-use' in health.sections]).toEqual([0, 77, false])
      expect((await world.calls()).filter((call) => call.startsWith('nvidia-smi'))).toEqual([])
    },
  )
})

/** The cards as such an account sees them. */
async function asAccount(world: GateWorld, shell: Shell, env: Readonly<Record<string, string>>): Promise<Answer> {
  const op = newOp()
  return answerIn(await world.quick(by(NOBODY, shell), ['cards', op], env), op)
}

/** A world for other accounts, which has no records of setup. */
async function homeless(reason: string | null): Promise<GateWorld> {
  const world = await gateWorld({ reason })
  await openToAll(world)
  await rm(join(world.folder, 'state'), { recursive: true })
  return world
}

/** Holds the lock of a file or folder until the test ends. */
async function locked(path: string): Promise<void> {
  const holder = spawn('/bin/sh', ['-c', 'exec 9<"$0" && flock 9 && echo held && read -r end', path])
  onTestFinished(() => void holder.stdin.end())
  await once(holder.stdout, 'data')
}

/** A `flock` that locks nothing in such folders, as of a network. */
function lacking(folders: string): string {
  return `case $(readlink /proc/$$/fd/9) in ${folders}) echo 'flock: 9: No locks available' >&2; exit 71 ;; esac
exec /usr/bin/flock "$@"`
}

/** A tool that waits in the kernel cannot be made: here `timeout` leaves it alone, and so it goes on for 60 s or until freed. */
async function stuckWorld(
  reason: string | null,
  edit: (script: string) => string = (text) => text,
): Promise<GateWorld> {
  const world = await gateWorld({ reason, edit: (text) => edit(text.replace('asked 5 "', 'asked 1 "')) })
  const free = join(world.folder, 'free')
  await world.tool('timeout', `case $* in *nvidia-smi*) shift 3; exec "$@" ;; *) exec /usr/bin/timeout "$@" ;; esac`)
  await world.tool(
    'nvidia-smi',
    `echo first; i=0; while [ ! -e ${free} ] && [ $i -lt 600 ]; do sleep 0.1; i=$((i + 1)); done`,
  )
  onTestFinished(() => writeFile(free, '').catch(() => {}))
  return world
}
