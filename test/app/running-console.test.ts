import type { ChildProcess } from 'node:child_process'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { looksLikeConsole } from '../../src/app/running-console.ts'
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

const TITLE = '<!doctype html><title>Pilotflame console</title>'

/** Another program on that port: what it answers to everything. */
async function stranger(url: string, answer: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((_, response) => answer(response))
  server.listen(Number(new URL(url).port), '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

test.each<readonly [string, (url: string) => Promise<string>]>([
  ['the title of a console', async () => TITLE],
  ['what the console itself once answered', async (url) => (await fetch(`${url}/proof.json?asked=0`)).text()],
])(
  'after a console was killed, another program on its port that answers %s is none',
  async (_, overheard) => {
    const { run, open, notes } = person()
    const { child, url } = await open()
    const answer = await overheard(url)
    expect(answer).toMatch(/^(?:<!doctype|\{"proof":"[0-9a-f]{64}"\}$)/)
    child.kill('SIGKILL')
    await once(child, 'exit')
    await stranger(url, (response) => response.end(answer))
    expect(notes()).toHaveLength(1)
    expect((await run(['audit'])).said).not.toContain('demo console')
  },
  60_000,
)

test('of an answer that never ends, no more than a little is read', async () => {
  const chunk = Buffer.alloc(64 * 1024, TITLE)
  let sent = 0
  const gone = Promise.withResolvers<void>()
  const url = await stranger('http://127.0.0.1:0', (response) => {
    const more = (): void => {
      do sent += chunk.length
      while (response.write(chunk))
    }
    response.on('drain', more).on('close', gone.resolve)
    more()
  })
  expect(await looksLikeConsole(url)).toBe(false)
  await gone.promise
  console.log(`sent before nobody read on: ${sent / 1024} KiB`)
  // 64 KiB were read; the rest lies in the buffers of the two ends
  expect(sent).toBeLessThan(16 * 1024 * 1024)
})

test.each<readonly [string, (url: string, secret: string) => string]>([
  ['the address of another machine', (_, secret) => `http://192.0.2.1:7331 ${secret}`],
  ['another name of this one', (url, secret) => `${url.replace('127.0.0.1', 'localhost')} ${secret}`],
  ['a path', (url, secret) => `${url}/? ${secret}`],
  ['much more', (url, secret) => `${url} ${secret}${' '.repeat(100)}`],
  ['a secret of another console', (url) => `${url} ${'0'.repeat(32)}`],
  ['no secret', (url) => url],
  ['nothing', () => ''],
])(
  'a note that says %s leads nowhere, though a console runs',
  async (_, text) => {
    const { run, open, notes, home } = person()
    const { url } = await open()
    const [note = ''] = notes()
    const path = join(home, 'tmp', note)
    const said = readFileSync(path, 'utf8')
    const [, secret = ''] = said.split(' ')
    expect(said).toBe(`${url} ${secret}`)
    writeFileSync(path, text(url, secret))
    expect((await run(['audit'])).said).not.toContain('demo console')
  },
  60_000,
)
