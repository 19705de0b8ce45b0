import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '../../src/adapters/store-sqlite.ts'
import { value } from '../contract/store.ts'
import { readChanges, writeChanges } from '../contract/store-changes.ts'
import { AUDIT, attempt, BUTTON, THREAD } from '../contract/store-samples.ts'

test.each([1, 2])('a store of schema %i opens, holds all that it held, and can take up what is new', async (schema) => {
  const folder = mkdtempSync(join(tmpdir(), 'pilotflame-schema-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'pilotflame.db')
  const old = new DatabaseSync(path)
  old.exec(readFileSync(new URL(`store-schema-${schema}.sql`, import.meta.url), 'utf8'))
  old.close()
  // the second opening is as after a crash: what is not settled is forgotten
  for (const round of ['first', 'second']) {
    const store = value(await openStore({ path, redact: String }))
    expect(value(await store.threadTarget(THREAD))).toBe('qwen')
    expect(value(await store.attempt('a'))).toMatchObject({ ...attempt({}), number: 1 })
    expect(value(await store.button('b1'))).toEqual(BUTTON)
    expect(value(await store.openRuns())).toMatchObject([{ id: 'r1', message: '3.3' }])
    expect(value(await store.audits(9))).toEqual([AUDIT])
    expect(value(await store.claim(['slash:1', round], 9))).toBe(false)
    expect(value(await store.firstTime('event:C1:2.2', 9))).toBe(false)
    expect(value(await store.claim(['new to both'], 9))).toBe(true)
    // of schema 2, which knew of it: asked, and never answered
    expect(value(await store.claim(['slash:open'], 9))).toBe(true)
    await writeChanges(store, round)
    await readChanges(store, round)
    value(await store.endOperation(round, 'done'))
    await store.close()
  }
})
