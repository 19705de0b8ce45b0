import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { sshPool } from '../../src/adapters/ssh.ts'
import { systemClock } from '../../src/app/clock.ts'
import { eventOf } from '../../src/app/diagnose/remote-document.ts'
import type { RemoteEnd, RemoteRun } from '../../src/domain/remote.ts'
import type { HostSettings } from '../../src/domain/target.ts'
import { MEANING } from '../../src/judge/meaning.ts'
import { readRemote } from '../../src/judge/remote.ts'
import type { BoxOptions } from '../../src/lab/box.ts'
import { startBox } from '../../src/lab/box.ts'
import type { BoxEnd } from '../../src/lab/box-exec.ts'
import { listen } from '../../src/lab/listen.ts'
import { silent } from '../adapters/http-server.ts'
import { closeLater, failureIn, keep, never, valueIn } from '../adapters/tidy.ts'

/** The labelled runs once more, but over the wire: the lab's box says the same bytes, and our adapter hears them. */
const CASES = join(import.meta.dirname, '../fixtures/cases')
const Case = z.object({ id: z.string(), slug: z.string(), input: z.unknown(), truth: z.object({ code: z.string() }) })
const cases = readdirSync(CASES)
  .filter((file) => file.startsWith('D-'))
  .map((file) => Case.parse(JSON.parse(readFileSync(join(CASES, file), 'utf8'))))
  .map((one) => ({ ...one, run: valueIn(runOf(one.input)) }))

/** Shorter than the hours and megabytes of the cases; the sentence names them, so both sides get ours. */
const LIMITS = { afterMs: 300, bytes: 64 * 1024 }

const commands = cases.filter(({ run }) => run.command !== null)
test('there are 15 commands and 6 logins', () => expect([commands.length, cases.length]).toEqual([15, 21]))

test.each(commands)('$id $slug', async ({ run, truth }) => {
  const heard = await replayed(run)
  const said = readRemote(ofOurSize({ ...run, stdout: heard.end.how === 'cut' ? heard.stdout : run.stdout }))
  expect(readRemote({ ...run, ...heard })).toEqual(said)
  expect(familyOf(said.code)).toBe(familyOf(truth.code))
})

test.each([
  ['D-02', async () => ({ host: await boxHost({}, 'nobody') })],
  ['D-09', async () => ({ host: await portOf(() => {}) })],
  ['D-10', async () => ({ host: await portOf((end) => end()) })],
  ['D-11', async () => ({ host: await closedPort() })],
] as const)('%s: no login', async (id, place) => {
  const one = cases.find((labelled) => labelled.id === id)
  const pool = poolOf((await place()).host)
  const failure = failureIn(await pool.connect('box', never))
  expect(MEANING[failure.kind]?.code).toBe(one?.truth.code)
})

async function replayed(run: RemoteRun): Promise<Pick<RemoteRun, 'command' | 'stdout' | 'stderr' | 'end'>> {
  const { command, stdout, stderr, end, banner } = run
  const flood = end.how === 'cut' ? stdout.repeat(Math.ceil((2 * LIMITS.bytes) / stdout.length)) : stdout
  const exec = () => ({ stdout: flood, stderr, end: boxEnd(end) })
  const pool = poolOf(await boxHost({ exec, ...(banner === undefined ? {} : { banner }) }))
  const connection = valueIn(await pool.connect('box', never))
  const deadlineMs = end.how === 'timeout' ? LIMITS.afterMs : 5_000
  const { run: heard } = valueIn(await connection.exec({ line: command ?? '', stdin: '', deadlineMs }, never).executed)
  return heard
}

function boxEnd(end: RemoteEnd): BoxEnd {
  switch (end.how) {
    case 'exited':
    case 'signalled':
    case 'lost':
      return end
    case 'untold':
      return { how: 'lost' }
    case 'error':
      return { how: 'cut', reset: end.code === 'ECONNRESET' }
    case 'timeout':
    case 'cut':
      return { how: 'never' }
  }
}

function ofOurSize(run: RemoteRun): RemoteRun {
  const { end } = run
  if (end.how === 'timeout') return { ...run, end: { ...end, afterMs: LIMITS.afterMs } }
  return end.how === 'cut' ? { ...run, end: { ...end, bytes: LIMITS.bytes } } : run
}

function poolOf(host: HostSettings) {
  const limits = { dialMs: 400, retryMs: 1, stdoutBytes: LIMITS.bytes }
  const pool = sshPool([host], { clock: systemClock, log: silent, limits })
  closeLater(pool)
  return pool
}

async function boxHost(options: BoxOptions, user?: string): Promise<HostSettings> {
  const box = await keep(startBox(options).then((made) => ({ ...made, url: '' })))
  return settings(box.port, user ?? box.user, box.privateKey, box.hostKeyLine)
}

/** A port that does this with whoever comes. */
async function portOf(greet: (end: () => void) => void): Promise<HostSettings> {
  const box = await boxHost({})
  const server = createServer((socket) => {
    socket.resume()
    greet(() => socket.destroy())
  })
  closeLater({ close: () => new Promise((resolve) => server.close(resolve)) })
  return { ...box, port: await listen(server, 0) }
}

async function closedPort(): Promise<HostSettings> {
  const box = await boxHost({})
  const server = createServer()
  const port = await listen(server, 0)
  await new Promise((resolve) => server.close(resolve))
  return { ...box, port }
}

function settings(port: number, user: string, key: string, hostKey: string): HostSettings {
  return {
    name: 'box',
    address: '127.0.0.1',
    port,
    user,
    key: { from: 'text', text: key, passphrase: null },
    trust: { from: 'pinned', keys: [hostKey] },
    jump: null,
    gate: null,
  }
}

function runOf(input: unknown) {
  const read = eventOf(input)
  if (!read.ok) throw new Error(read.problem)
  return { ok: true, value: read.run } as const
}

function familyOf(code: string): string {
  return code.split('.')[0] ?? ''
}
