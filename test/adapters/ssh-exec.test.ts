import { once } from 'node:events'
import { expect, test } from 'vitest'

import type { Command } from '../../src/adapters/ssh-listen.ts'
import type { SshPool } from '../../src/adapters/ssh-pool.ts'
import { runFailure } from '../../src/domain/remote/failure.ts'
import type { BoxEnd, BoxExec } from '../../src/lab/box-exec.ts'
import { box, poolFor, relayTo, settingsFor } from './ssh-box.ts'
import { hostAt, sshd } from './ssh-server.ts'
import { keep, kindOf, never, valueIn } from './tidy.ts'

const asked: Command = { line: 'sh', stdin: '', deadlineMs: 5_000 }

async function run(pool: SshPool, command: Partial<Command> = {}, signal = never) {
  const connection = valueIn(await pool.connect('box', signal))
  return connection.exec({ ...asked, ...command }, signal).executed
}

/** Runs one command on a box that does `exec`. */
async function ran(exec: BoxExec, limits = {}, command: Partial<Command> = {}) {
  return run(poolFor([settingsFor(await box({ exec }))], limits), command)
}

const kindOfRun = (executed: Awaited<ReturnType<typeof ran>>) =>
  executed.ok ? (runFailure('x', executed.value.run)?.kind ?? 'answered') : executed.failure.kind

test.for([0, 1, 3, 127, 255])('exit status %i', async (code) => {
  const end = { how: 'exited', code } as const
  const { run, broken, shellMs } = valueIn(await ran(() => ({ stdout: 'out', stderr: 'err', end })))
  expect(run).toEqual({ command: 'sh', stdout: 'out', stderr: 'err', end })
  expect(broken).toBe(false)
  expect(shellMs).toBeGreaterThan(0)
})

test.for<[BoxEnd, string, boolean]>([
  [{ how: 'signalled', signal: 'KILL' }, 'signalled', false],
  [{ how: 'signalled', signal: 'SIGTERM' }, 'signalled', false],
  [{ how: 'lost' }, 'lost', true],
  [{ how: 'cut', reset: false }, 'lost', true],
  [{ how: 'cut', reset: true }, 'lost', true],
])('an end by %o in mid output is %s', async ([end, kind, broken]) => {
  const executed = await ran(() => ({ stdout: 'half a li', end }))
  expect(kindOfRun(executed)).toBe(kind)
  expect(valueIn(executed)).toMatchObject({ broken, run: { command: 'sh' } })
})

test('a signal is named', async () => {
  const executed = await ran(() => ({ stdout: 'part', end: { how: 'signalled', signal: 'KILL' } }))
  expect(valueIn(executed).run).toMatchObject({ end: { how: 'signalled', signal: 'SIGKILL' }, stdout: 'part' })
})

test('a status is no end: the connection may break before the rest of the output', async () => {
  const far = await keep(
    sshd({
      session: (accept, _reject, client) =>
        accept().on('exec', (take) => {
          const channel = take()
          channel.write('half')
          channel.exit(0)
          client.end()
        }),
    }),
  )
  const executed = valueIn(await run(poolFor([hostAt({ port: far.port })])))
  expect(executed).toMatchObject({ broken: true, run: { end: { how: 'lost' }, stdout: 'half' } })
})

test('a command that prints nothing ends at the limit for its first byte, one that stops printing at the deadline', async () => {
  const end = { how: 'never' } as const
  const silent = valueIn(await ran(() => ({ end }), { firstByteMs: 50 }))
  expect(silent).toMatchObject({ shellMs: null, broken: false, run: { end: { how: 'timeout', afterMs: 50 } } })
  const stuck = valueIn(await ran(() => ({ stdout: 'x', end }), { firstByteMs: 50 }, { deadlineMs: 150 }))
  expect(stuck).toMatchObject({ broken: false, run: { stdout: 'x', end: { how: 'timeout', afterMs: 150 } } })
})

test('what login scripts print is no beginning of an answer that opens with a text', async () => {
  const end = { how: 'never' } as const
  const asked = [{ firstByteMs: 50 }, { opening: 'GATE ', deadlineMs: 150 }] as const
  const noisy = valueIn(await ran(() => ({ stdout: 'Welcome\nGAT', stderr: 'a warning', end }), ...asked))
  expect(noisy).toMatchObject({ shellMs: null, run: { end: { how: 'timeout', afterMs: 50 } } })
  async function* pieces() {
    for (const piece of ['Welcome\n\nGA', 'T', 'E 0']) yield Buffer.from(piece)
  }
  const begun = valueIn(await ran(() => ({ stdout: pieces(), end }), ...asked))
  expect(begun).toMatchObject({ run: { stdout: 'Welcome\n\nGATE 0', end: { how: 'timeout', afterMs: 150 } } })
  expect(begun.shellMs).toBeGreaterThan(0)
})

test('30,000 characters of three bytes come whole, however they are cut into pieces', async () => {
  const text = '€'.repeat(30_000)
  async function* pieces() {
    const bytes = Buffer.from(text)
    for (let from = 0; from < bytes.length; from += 1_000) yield bytes.subarray(from, from + 1_000)
  }
  const { run } = valueIn(await ran(() => ({ stdout: pieces(), end: { how: 'exited', code: 0 } })))
  expect(run.stdout === text).toBe(true)
})

test('endless output is cut at the limit, in bounded memory, and the host stops sending it', async () => {
  const piece = Buffer.alloc(64 * 1024, 'y\n')
  let sent = 0
  const stopped = Promise.withResolvers<void>()
  async function* yes() {
    try {
      for (; sent < 200e6; sent += piece.length) yield piece
    } finally {
      stopped.resolve()
    }
  }
  const before = process.memoryUsage().rss
  const executed = await ran(() => ({ stdout: yes(), end: { how: 'exited', code: 0 } }))
  await stopped.promise
  expect(valueIn(executed).run.end).toEqual({ how: 'cut', bytes: 2 * 1024 * 1024 })
  expect(valueIn(executed).run.stdout).toHaveLength(2 * 1024 * 1024)
  expect(kindOfRun(executed)).toBe('output-cut')
  expect(sent).toBeLessThan(20e6)
  expect(process.memoryUsage().rss - before).toBeLessThan(64e6)
})

test('endless errors are cut as well', async () => {
  const executed = await ran(() => ({ stderr: 'x'.repeat(100_000), end: { how: 'never' } }))
  expect(valueIn(executed).run).toMatchObject({ stdout: '', end: { how: 'cut', bytes: 65_536 } })
})

test('output that is handed on is never cut, and its head is kept', async () => {
  let taken = 0
  const onOutput = (piece: Buffer) => {
    taken += piece.length
  }
  const exec: BoxExec = () => ({ stdout: 'y\n'.repeat(25_000), end: { how: 'exited', code: 0 } })
  const { run } = valueIn(await ran(exec, { stdoutBytes: 1_000 }, { onOutput }))
  expect(taken).toBe(50_000)
  expect(run).toMatchObject({ end: { how: 'exited', code: 0 }, stdout: 'y\n'.repeat(500) })
})

test('standard input comes whole and ends', async () => {
  const stdin = `${'# ünï\n'.repeat(20_000)}exit`
  const { run } = valueIn(
    await ran((line, got) => ({ stdout: `${line} ${got === stdin}`, end: { how: 'exited', code: 0 } }), {}, { stdin }),
  )
  expect(run.stdout).toBe('sh true')
})

test('an abort closes the channel at once; what was aborted before is never begun', async () => {
  const stop = new AbortController()
  let seen = 0
  const begun = Promise.withResolvers<AbortSignal>()
  const made = await box({
    exec(_line, _stdin, closed) {
      seen += 1
      begun.resolve(closed)
      return { end: { how: 'never' } }
    },
  })
  const pool = poolFor([settingsFor(made)])
  const running = run(pool, {}, stop.signal)
  const closed = await begun.promise
  const gone = once(closed, 'abort')
  stop.abort()
  expect(kindOf(await running)).toBe('stopped')
  await gone
  const connection = valueIn(await pool.connect('box', never))
  const late = connection.exec(asked, stop.signal)
  expect(kindOf(await late.executed)).toBe('stopped')
  await late.freed
  expect(seen).toBe(1)
})

test('a host that freezes in mid command is found by keepalive', async () => {
  const made = await box({ exec: () => ({ stdout: 'half', end: { how: 'never' } }) })
  const relay = await relayTo(made.port)
  const pool = poolFor([settingsFor(made, { port: relay.port })], { keepaliveMs: 40 })
  const executed = await run(pool, { onOutput: () => relay.freeze() })
  expect(kindOfRun(executed)).toBe('keepalive')
  expect(valueIn(executed)).toMatchObject({
    broken: true,
    run: { stdout: 'half', end: { how: 'error', level: 'client-timeout' } },
  })
})

test.for([
  ['a session that is never opened', () => {}],
  [
    'a command that is never taken',
    (accept: () => { on(event: 'exec', take: () => void): void }) => accept().on('exec', () => {}),
  ],
] as const)('%s has a limit of its own, and the next command gets a fresh connection', async ([, session]) => {
  const far = await keep(sshd({ session }))
  const pool = poolFor([hostAt({ port: far.port })], { openMs: 60 })
  const { closed } = valueIn(await pool.connect('box', never))
  expect(await run(pool)).toMatchObject({ failure: { kind: 'lost', observed: expect.stringContaining('0.06 s') } })
  await closed
  await run(pool)
  expect(far.connections).toHaveLength(2)
})

test('a command that is refused leaves a channel behind, so the next one gets a fresh connection', async () => {
  const far = await keep(sshd({ session: (accept) => accept().on('exec', (_take, reject) => reject()) }))
  const pool = poolFor([hostAt({ port: far.port })])
  const { closed } = valueIn(await pool.connect('box', never))
  expect(kindOfRun(await run(pool))).toBe('exec-refused')
  await closed
  await run(pool)
  expect(far.connections).toHaveLength(2)
})

test('a connection that died unnoticed says that the command was never begun', async () => {
  const far = await keep(sshd())
  const pool = poolFor([hostAt({ port: far.port })])
  const connection = valueIn(await pool.connect('box', never))
  far.connections[0]?.end()
  const first = connection.exec(asked, never).executed
  await connection.closed
  const second = connection.exec(asked, never).executed
  for (const executed of [await first, await second]) {
    expect(valueIn(executed)).toMatchObject({ broken: true, run: { command: null } })
  }
})

test('asks for no terminal, no environment and no agent, and keeps what the host shows before the login', async () => {
  const wanted: string[] = []
  const far = await keep(
    sshd({
      session: (accept) => {
        const session = accept()
        for (const event of ['pty', 'env', 'auth-agent', 'x11', 'shell']) session.on(event, () => wanted.push(event))
        session.on('exec', (take) => {
          const channel = take()
          channel.exit(0)
          channel.end()
        })
      },
    }),
  )
  expect(valueIn(await run(poolFor([hostAt({ port: far.port })]))).run.end).toEqual({ how: 'exited', code: 0 })
  expect(wanted).toEqual([])
  const made = await box({ banner: 'Authorised use only\n', exec: () => ({ end: { how: 'exited', code: 0 } }) })
  expect(valueIn(await run(poolFor([settingsFor(made)]))).run.banner).toContain('Authorised use only')
})

test('new keys in mid output change nothing', async () => {
  const text = 'z'.repeat(1_500_000)
  let rekeyed = false
  const far = await keep(
    sshd({
      session: (accept, _reject, client) =>
        accept().on('exec', (take) => {
          const channel = take()
          channel.write(text.slice(0, 100_000), () => {
            client.rekey(() => {
              rekeyed = true
            })
            channel.write(text.slice(100_000), () => {
              channel.exit(0)
              channel.end()
            })
          })
        }),
    }),
  )
  const { run: got } = valueIn(await run(poolFor([hostAt({ port: far.port })])))
  expect(got.end).toEqual({ how: 'exited', code: 0 })
  expect(got.stdout === text).toBe(true)
  expect(rekeyed).toBe(true)
})
