import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Disk } from '../../src/adapters/disk.ts'
import { diskOf } from '../../src/adapters/disk.ts'
import { openStore } from '../../src/adapters/store-sqlite.ts'
import { storeChecks } from '../../src/app/store-check.ts'
import { failed, ok } from '../../src/domain/outcome.ts'
import type { Notes } from '../../src/domain/store.ts'
import { never, valueIn } from '../adapters/tidy.ts'

const FOLDER = mkdtempSync(join(tmpdir(), 'pilotflame-check-'))
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }))

const PATH = join(FOLDER, 'x.db')
const GIB = 2 ** 30
const FULL = { kind: 'store', thing: 'store x', observed: 'the disk is full', next: 'free some space' } as const
const written: Notes = { note: async () => ok(null), noted: async () => ok(null) }
const refused: Notes = { ...written, note: async () => failed(FULL) }

async function checked(disk: Partial<Disk>, notes: Notes | null = written, path = PATH) {
  const [check] = storeChecks(path, notes === null ? null : { notes, now: () => 0 }, () => ({
    obstacle: null,
    free: 12.34 * GIB,
    ...disk,
  }))
  return check?.run(never)
}

test('a store that can be written says how much space is left, and keeps nothing of it', async () => {
  const store = valueIn(await openStore({ path: PATH, redact: (text) => text }))
  expect(await checked({}, store)).toEqual({ state: 'ok', saw: 'can be written, 12.3 GiB left' })
  expect(valueIn(await store.noted('doctor'))).toBeNull()
  await store.close()
  expect(await checked({ free: null })).toMatchObject({ saw: 'can be written, how much space is left is not known' })
})

test('what loses records is a fault: a refused write, no space, a disk for reading, no right, no folder', async () => {
  expect(await checked({}, refused)).toMatchObject({ state: 'fault', saw: 'the disk is full', next: 'free some space' })
  expect(await checked({ free: 0 })).toMatchObject({ state: 'fault', saw: 'the disk is full: 0 MiB left' })
  expect(await checked({ obstacle: 'read-only' })).toMatchObject({
    state: 'fault',
    saw: 'its file system may only be read',
  })
  expect(await checked({ obstacle: 'rights' })).toMatchObject({
    state: 'fault',
    saw: `this user may not write ${FOLDER}`,
  })
  expect(await checked({}, written, join(FOLDER, 'none', 'x.db'))).toMatchObject({
    state: 'fault',
    next: `make it: mkdir -p ${join(FOLDER, 'none')}`,
  })
})

test.each([
  [199, 'warning'],
  [201, 'ok'],
])('%d MiB left: %s', async (mib, state) => {
  expect(await checked({ free: mib * 2 ** 20 })).toMatchObject({ state })
})

test('a terminal writes nothing: the store is the bot’s', async () => {
  expect(await checked({}, null)).toEqual({ state: 'ok', saw: 'may be written, 12.3 GiB left' })
  expect(await checked({ obstacle: 'rights' }, null)).toMatchObject({ state: 'warning' })
  expect(storeChecks(':memory:', null)).toEqual([])
})

test.each(['', '-wal', '-shm'])(
  'a terminal looks at the file%s too: one of another user is not to be relied on',
  async (side) => {
    const look = (path: string): Disk => ({ obstacle: path === PATH + side ? 'rights' : null, free: GIB })
    expect(await storeChecks(PATH, null, look)[0]?.run(never)).toEqual({
      state: 'warning',
      saw: `you may not write ${PATH}${side}; the bot has to`,
      next: `give the user that runs Pilotflame the right to write ${PATH}${side}`,
    })
    const writing = { notes: written, now: () => 0 }
    expect(await storeChecks(PATH, writing, look)[0]?.run(never)).toMatchObject({ state: 'ok' })
  },
)

test('a file system that counts no blocks does not tell its space, and is no full disk', () => {
  expect(diskOf('/proc').free).toBeNull()
})

test('the space is that which df tells', () => {
  const { stdout } = spawnSync('df', ['-P', '-k', FOLDER], { encoding: 'utf8' })
  const kib = Number(stdout.trim().split('\n').at(-1)?.split(/\s+/)[3])
  const free = diskOf(FOLDER).free ?? 0
  expect(Math.abs(free / (kib * 1024) - 1)).toBeLessThan(0.1)
})

test('a real folder is looked at', () => {
  const { obstacle, free } = diskOf(FOLDER)
  expect(obstacle).toBeNull()
  expect(free).toBeGreaterThan(0)
  expect(diskOf(join(FOLDER, 'none'))).toEqual({ obstacle: null, free: null })
})
