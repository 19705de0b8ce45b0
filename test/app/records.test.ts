import { execFile } from 'node:child_process'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { openStore } from '../../src/adapters/store-sqlite.ts'
import { folder } from '../config/folder.ts'
import { COMPILED } from '../setup/compiled.ts'

const MAIN = resolve(import.meta.dirname, '../../src/main.ts')
const FILE = 'targets:\n  qwen:\n    url: http://127.0.0.1:9\n'

function pilotflame(words: readonly string[], cwd: string): Promise<{ status: number; said: string }> {
  return new Promise((done) => {
    const env = { PATH: process.env['PATH'], HOME: cwd, NODE_COMPILE_CACHE: COMPILED }
    execFile(process.execPath, [MAIN, ...words], { cwd, env, timeout: 20_000 }, (error, out, err) => {
      done({ status: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, said: out + err })
    })
  })
}

test('locks are read where the bot keeps them: none yet, held by the bot, and then by the terminal', async () => {
  const cwd = folder({ 'pilotflame.yml': FILE })
  const path = join(cwd, 'pilotflame.db')
  expect(await pilotflame(['sglang', 'locks'], cwd)).toMatchObject({
    status: 1,
    said: expect.stringMatching(/^Nothing is kept yet: there is no .*pilotflame\.db\. Next: run this in the folder/),
  })
  const bot = await openStore({ path, redact: (text) => text })
  if (!bot.ok) throw new Error(bot.failure.observed)
  const owner = { team: 'T0', id: 'U0BEN', name: 'Ben' }
  const on = { kind: 'target', name: 'qwen' } as const
  await bot.value.takeLock({ on, owner, reason: 'measuring', channel: 'C0GPU', at: 1, operation: null })
  const held = await pilotflame(['gpu', 'locks', '--json'], cwd)
  expect(held.status).toBe(75)
  expect(JSON.parse(held.said)).toMatchObject({ status: 'failed', title: expect.stringContaining('ask it in Slack') })
  await bot.value.close()
  const read = await pilotflame(['sglang', 'locks'], cwd)
  expect(read).toMatchObject({ status: 0, said: expect.stringMatching(/1 lock[\s\S]*qwen.*Ben \(U0BEN\).*measuring/) })
})

test('doctor --json is one document with its status', async () => {
  const { status, said } = await pilotflame(['doctor', '--json'], folder({ 'pilotflame.yml': FILE }))
  expect(status).toBe(1)
  const checks = expect.arrayContaining([{ check: 'configuration', state: 'ok', saw: expect.any(String) }])
  expect(JSON.parse(said)).toMatchObject({ status: 'misconfigured', checks })
})
