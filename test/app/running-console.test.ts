import type { ChildProcess } from 'node:child_process'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { folder } from '../config/folder.ts'
import { COMPILED } from '../setup/compiled.ts'

const MAIN = resolve(import.meta.dirname, '../../src/main.ts')
type Env = Readonly<Record<string, string>>

/** Programs of one person, who has a folder for short-lived files that no other test knows. */
function person() {
  const home = folder({ 'tmp/.keep': '', 'other/pilotflame.yml': 'targets:\n  qwen:\n    url: http://127.0.0.1:9\n' })
  const around = {
    PATH: process.env['PATH'],
    HOME: home,
    TMPDIR: join(home, 'tmp'),
    NO_COLOR: '1',
    NODE_COMPILE_CACHE: COMPILED,
  }
  const run = (words: readonly string[], env: Env = {}): Promise<{ status: number; said: string }> =>
    new Promise((done) => {
      const options = { cwd: home, env: { ...around, ...env }, timeout: 20_000 }
      execFile(process.execPath, [MAIN, ...words], options, (error, out, err) => {
        done({ status: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, said: out + err })
      })
    })
  /** A console on a free port, with what it says until it is ready. */
  async function open(): Promise<{ readonly child: ChildProcess; readonly url: string; readonly said: string }> {
    const stdio: ['ignore', 'pipe', 'inherit'] = ['ignore', 'pipe', 'inherit']
    const child = spawn(process.execPath, [MAIN], { cwd: home, env: { ...around, PILOTFLAME_PORT: '0' }, stdio })
    onTestFinished(() => void child.kill('SIGKILL'))
    const said: string[] = []
    for await (const line of createInterface(child.stdout)) {
      said.push(line)
      if (line.startsWith('Stop with')) break
    }
    return { child, url: /http:\S+/.exec(said.join('\n'))?.[0] ?? '', said: said.join('\n') }
  }
  return {
    run,
    open,
    notes: () => readdirSync(join(home, 'tmp')).filter((name) => name.startsWith('pilotflame-')),
    home,
  }
}

test('a console that runs is named and no second one is started, but on a port that somebody names', async () => {
  const { run, open, notes } = person()
  const first = await open()
  expect(first.said).not.toContain('second console')
  const again = await run([])
  expect(again.status).toBe(0)
  expect(again.said).toBe(
    `A Pilotflame console runs already: ${first.url}\nNothing was started. Next: open that page, or start a second console on another port: PILOTFLAME_PORT=7332 npm start\n`,
  )
  expect(await run([], { PILOTFLAME_PORT: new URL(first.url).port })).toEqual(again)
  const second = await open()
  expect(second.said).toContain(`This is a second console: another one runs already at ${first.url}`)
  second.child.kill('SIGTERM')
  await once(second.child, 'exit')
  expect(notes()).toHaveLength(1)
  first.child.kill('SIGTERM')
  await once(first.child, 'exit')
  expect(notes()).toEqual([])
}, 60_000)

test('a console with something else behind it is no answer: its port is told to be taken', async () => {
  const { run, open, home } = person()
  const { url } = await open()
  const own = { PILOTFLAME_CONFIG: join(home, 'other/pilotflame.yml'), PILOTFLAME_PORT: new URL(url).port }
  const taken = await run([], own)
  expect(taken.status).toBe(75)
  expect(taken.said).toContain('another Pilotflame console runs there, with something else behind it. Next: ')
}, 60_000)

test('records of a demo are in its memory, and it is said where; one that was killed is not named', async () => {
  const { run, open, notes } = person()
  const { child, url } = await open()
  const beside = await run(['sglang', 'locks', '--json'])
  expect(beside.status).toBe(1)
  expect(JSON.parse(beside.said).title).toMatch(
    new RegExp(`demo console that runs at ${url} keeps its records in its own memory. Next: type /sglang locks there`),
  )
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(notes()).toHaveLength(1)
  const alone = await run(['audit'])
  expect(alone).toMatchObject({ status: 1, said: expect.stringMatching(/pilotflame\.db beside that file\. Next: run/) })
}, 60_000)

test.each(['http://192.0.2.1:7331', 'http://127.0.0.1:7331/upload', `http://127.0.0.1:1${' '.repeat(100)}`, ''])(
  'a note that says “%s” leads nowhere',
  async (text) => {
    const { run, open, notes, home } = person()
    const { child } = await open()
    child.kill('SIGKILL')
    await once(child, 'exit')
    for (const note of notes()) writeFileSync(join(home, 'tmp', note), text)
    expect((await run(['audit'])).said).not.toContain('demo console')
  },
  60_000,
)
