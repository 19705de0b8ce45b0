import type { ChildProcess } from 'node:child_process'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { storeFailure } from '../../src/adapters/store-failure.ts'
import type { StoreOptions } from '../../src/adapters/store-sqlite.ts'
import { openStore } from '../../src/adapters/store-sqlite.ts'
import { sentence } from '../../src/domain/failure.ts'
import { readable } from '../../src/domain/outcome.ts'
import { redactor } from '../../src/domain/redact.ts'
import { storeContract, value } from '../contract/store.ts'
import { operation } from '../contract/store-changes.ts'
import { AUDIT, attempt, BUTTON, THREAD } from '../contract/store-samples.ts'

const ROOT = mkdtempSync(join(tmpdir(), 'pilotflame-store-'))
const children: ChildProcess[] = []
afterAll(() => {
  for (const one of children) one.kill('SIGKILL')
  rmSync(ROOT, { recursive: true, force: true })
})
let made = 0
const open = (options: Omit<StoreOptions, 'redact'>) => openStore({ ...options, redact: (text) => text })
const freshPath = () => join(ROOT, `${made++}.db`)

storeContract('sqlite in memory', () => ({ durable: false, open: () => open({ path: ':memory:' }) }))
storeContract('sqlite in a file', () => {
  const path = freshPath()
  return { durable: true, open: () => open({ path }) }
})

describe('a store that cannot be opened says why', () => {
  const cases: readonly (readonly [name: string, lay: (path: string) => unknown, below: string, expected: RegExp])[] = [
    ['a folder', mkdirSync, '', /: it is a folder\. Next: name a file, such as \S+pilotflame\.db\.$/],
    ['a missing folder', () => undefined, '/x.db', /: there is no folder \S+\. Next: make it \(mkdir -p \S+\)/],
    ['a file for a folder', (path) => writeFileSync(path, ''), '/x.db', /: there is no folder \S+\d\.db\. Next:/],
    ['no database', (path) => writeFileSync(path, 'hello '.repeat(500)), '', /: the file is not a database\. Next:/],
    [
      'another program',
      (path) => sql(path, 'CREATE TABLE theirs (x)'),
      '',
      /: it is the database of another program\./,
    ],
    ['a newer schema', newer, '', /: a newer Pilotflame wrote it \(its schema is 99, this one knows \d+\)\. Next:/],
    ['damage', damage, '', /: the database is damaged\. Next: move \S+ away and start again/],
  ]
  test.each(cases)('%s', async (_name, lay, below, expected) => {
    const path = freshPath()
    lay(path)
    const opened = await open({ path: path + below })
    expect(opened.ok ? 'opened' : sentence(opened.failure)).toMatch(expected)
  })

  test('a device', async () => {
    const opened = await open({ path: '/dev/null' })
    expect(opened.ok ? 'opened' : sentence(opened.failure)).toMatch(/store \/dev\/null: it is a device, not a file\./)
  })

  test('and leaves the lock free for the next', async () => {
    const path = freshPath()
    newer(path)
    expect((await open({ path })).ok).toBe(false)
    sql(path, 'DROP TABLE schema_version')
    await value(await open({ path })).close()
  })
})

describe('one process at a time', () => {
  test('a second one is refused at once, with the pid and since when, and let in after kill -9', async () => {
    const path = freshPath()
    const holder = child('hold', path)
    await once(holder.stdout, 'data')
    const before = performance.now()
    const refused = await open({ path })
    expect(performance.now() - before).toBeLessThan(1000)
    expect(refused.ok ? 'opened' : sentence(refused.failure)).toMatch(
      new RegExp(`process ${holder.pid} has held it since 20\\d\\d-.*Z\\. Next: stop .* or try again .*75`),
    )
    await kill(holder)
    await value(await open({ path })).close()
  })

  test('a second store in the same process is refused too, and does not loosen the lock', async () => {
    const path = freshPath()
    const store = value(await open({ path, now: () => 0 }))
    const refused = await open({ path })
    expect(refused.ok ? 'opened' : refused.failure.observed).toBe(
      `process ${process.pid} has held it since 1970-01-01T00:00:00.000Z`,
    )
    const other = child('hold', path)
    const [code] = await once(other, 'exit')
    expect(code).toBe(75)
    await store.close()
    await value(await open({ path })).close()
  })
})

test('no acknowledged attempt is lost in 20 kill -9', { timeout: 60_000 }, async () => {
  const path = freshPath()
  const acknowledged: string[] = []
  for (let round = 0; round < 20; round++) {
    const writer = child('write', path)
    const lines = createInterface(writer.stdout)
    const stopAt = acknowledged.length + 1 + round * 3
    lines.on('line', (id) => {
      acknowledged.push(id)
      if (acknowledged.length === stopAt) writer.kill('SIGKILL')
    })
    await once(lines, 'close')
  }
  const store = value(await open({ path }))
  const kept = await Promise.all(acknowledged.map((id) => store.attempt(id)))
  expect(kept.map((one) => value(one)?.id)).toEqual(acknowledged)
  expect(acknowledged.length).toBeGreaterThanOrEqual(20)
  expect(value(await store.lastAttempt(THREAD, null))?.number).toBeGreaterThanOrEqual(acknowledged.length)
  await store.close()
})

describe('a full disk', () => {
  test('refuses writes, keeps reading, and writes go on once there is space', () => {
    const folder = join(ROOT, 'full')
    mkdirSync(folder)
    const fill = [process.execPath, CHILD, 'fill', join(folder, 'x.db')]
    const mounted =
      'mount -t tmpfs -o size=2m none "$0" && head -c 512k /dev/zero > "$0/ballast" && echo mounted && "$@"'
    const { stdout } = spawnSync('unshare', ['-rm', 'sh', '-c', mounted, folder, ...fill], { encoding: 'utf8' })
    if (stdout?.startsWith('mounted')) expect(stdout).toBe('mounted\nthe disk is full\nreads writes again\n')
    else console.warn('NOT PROVED: a full disk. No private mount may be made here; the words are checked below')
  })

  test('is said in words, whether SQLite or the file system saw it', () => {
    for (const code of [{ errcode: 13 }, { errcode: 13 | (1 << 8) }, { code: 'ENOSPC' }]) {
      const said = sentence(storeFailure('x.db', Object.assign(new Error('full'), code)))
      expect(said).toMatch(/^store x\.db: the disk is full\. Next: free some space/)
    }
  })
})

describe('what is written', () => {
  test('may be read by its owner only', async () => {
    const path = freshPath()
    const store = value(await open({ path }))
    await store.addAudit(AUDIT)
    expect([path, `${path}-wal`].map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600])
    await store.close()
  })

  test('leaves no byte of a pruned prompt in any file', async () => {
    const path = freshPath()
    const store = value(await open({ path }))
    const secret = 'the wedding is in June'
    const { smoke } = attempt({})
    for (let n = 0; n < 50; n++) {
      await store.addAttempt(
        attempt({ id: `${n}`, smoke: smoke && { ...smoke, request: { ...smoke.request, prompt: secret.repeat(40) } } }),
      )
    }
    expect(bytes(path)).toContain(secret)
    value(await store.prune({ prompts: 6, attempts: 0, buttons: 0, keys: 0, asks: 0, letters: 0 }))
    expect(bytes(path)).not.toContain(secret)
    expect(value(await store.attempt('7'))).toMatchObject({ smoke: null, diagnosis: null, verdict: 'broken' })
    await store.close()
  })

  test('holds no secret that a prompt or an answer carried', async () => {
    const path = freshPath()
    const token = ['xoxb', '1234567890', 'abcdefghijkl'].join('-')
    const store = value(await openStore({ path, redact: redactor(['hunter2hunter2']) }))
    const { smoke } = attempt({})
    const prompt = `is ${token} valid, or hunter2hunter2`
    await store.addAttempt(attempt({ smoke: smoke && { ...smoke, request: { ...smoke.request, prompt } } }))
    expect(bytes(path)).not.toContain(token)
    expect(bytes(path)).not.toContain('hunter2')
    expect(value(await store.attempt('a'))?.smoke?.request.prompt).toMatch(/^is \S+ valid/)
    await store.close()
  })
})

describe('a damaged record is a failure of its own and touches no other', () => {
  const damages = [
    `UPDATE attempts SET body = 'x'`,
    `UPDATE attempts SET body = '{}'`,
    `UPDATE attempts SET body = replace(body, '"broken"', '"sad"')`,
    `UPDATE attempts SET kept = replace(kept, '"because":["9 copies"]', '"because":[9]')`,
    `UPDATE attempts SET kept = replace(kept, '"findings":[', '"findings":[],"lost":[')`,
    `UPDATE attempts SET kept = x'00ff'`,
    `UPDATE attempts SET kept = replace(kept, '"pieces":3', '"pieces":"3"')`,
  ]
  test.each(damages)('%s', async (statement) => {
    const path = freshPath()
    const lay = value(await open({ path }))
    await lay.addAttempt(attempt({ id: 'a' }))
    await lay.addButton(BUTTON)
    await lay.close()
    sql(path, statement)
    const store = value(await open({ path }))
    for (const read of [await store.attempt('a'), await store.lastAttempt(THREAD, null)]) {
      expect(read.ok ? 'read' : sentence(read.failure)).toMatch(
        /the record of an attempt cannot be read\. Next: ask again/,
      )
    }
    expect(value(await store.button('b1'))).toEqual(BUTTON)
    expect(value(await store.addAttempt(attempt({ id: 'b' }))).number).toBe(2)
    await store.close()
  })
})

test('a list gives what can be read of it, and says that something cannot', async () => {
  const path = freshPath()
  const lay = value(await open({ path }))
  const place = { channel: 'C', thread: null }
  for (const id of ['a', 'b', 'c']) {
    await lay.addLetter({ id, place, ts: null, content: id, title: id, at: 1, sentAt: null })
    await lay.addRun({ id, ask: id, place, message: id, target: null, at: 1 })
    await lay.claim([id], 1, { id, how: 'slash', keys: [id], user: 'U', to: place, at: 1 })
    await lay.addOperation(operation({ id }))
  }
  await lay.close()
  sql(path, `UPDATE letters SET body = '{"id":"b"}' WHERE id = '"b"'`)
  sql(path, `UPDATE runs SET body = 'x' WHERE id = '"b"'`)
  sql(path, `UPDATE seen SET ask = '{}' WHERE id = '"b"'`)
  sql(path, `UPDATE operations SET body = '{}' WHERE id = '"b"'`)
  const store = value(await open({ path }))
  const lists = [await store.letters(), await store.openRuns(), await store.openAsks(), await store.openOperations()]
  expect(lists.map(({ ok }) => ok)).toEqual([false, false, false, false])
  expect(lists.map((list) => readable<{ readonly id: string }>(list).map(({ id }) => id))).toEqual([
    ['a', 'c'],
    ['a', 'c'],
    ['a', 'c'],
    ['a', 'c'],
  ])
  await store.close()
})

const CHILD = fileURLToPath(new URL('./store-child.ts', import.meta.url))

function child(deed: 'hold' | 'write', path: string) {
  const running = spawn(process.execPath, [CHILD, deed, path], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(running)
  return running
}

async function kill(running: ChildProcess): Promise<void> {
  running.kill('SIGKILL')
  await once(running, 'exit')
}

function sql(path: string, statement: string): void {
  const db = new DatabaseSync(path)
  db.exec(statement)
  db.close()
}

function newer(path: string): void {
  sql(path, 'CREATE TABLE schema_version (version BIGINT PRIMARY KEY); INSERT INTO schema_version VALUES (99)')
}

/** A database whose pages from the second on are overwritten. */
function damage(path: string): void {
  sql(path, 'CREATE TABLE schema_version (version BIGINT PRIMARY KEY); INSERT INTO schema_version VALUES (0)')
  const whole = readFileSync(path)
  writeFileSync(path, whole.fill(0xa5, 4096))
}

function bytes(path: string): string {
  return [path, `${path}-wal`, `${path}-shm`].map((file) => readFileSync(file, 'latin1')).join('')
}
