import { setTimeout as delay, setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'

import { slots } from '../../src/adapters/limiter.ts'
import type { SshPool } from '../../src/adapters/ssh-pool.ts'
import { sessions } from '../../src/adapters/ssh-sessions.ts'
import { runFailure } from '../../src/domain/remote/failure.ts'
import type { BoxExec } from '../../src/lab/box-exec.ts'
import { serveTcp } from './http-server.ts'
import { box, poolFor, settingsFor } from './ssh-box.ts'
import { hostAt, sshd } from './ssh-server.ts'
import { keep, never, valueIn } from './tidy.ts'

/** Runs commands on the host of a pool, each when a session is free. */
function runner(pool: SshPool) {
  const inTurn = sessions(slots)
  return async (signal = never, deadlineMs = 5_000) => {
    const connection = valueIn(await pool.connect('box', never))
    return inTurn(connection, { line: 'sh', stdin: '', deadlineMs }, signal)
  }
}

type Ran = Awaited<ReturnType<ReturnType<typeof runner>>>

const kindOf = (ran: Ran) => (ran.ok ? (runFailure('x', ran.value.run)?.kind ?? 'answered') : ran.failure.kind)

async function kindsOf(running: readonly Promise<Ran>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const ran of await Promise.all(running)) counts[kindOf(ran)] = (counts[kindOf(ran)] ?? 0) + 1
  return counts
}

/** A box whose commands end when they are let go; it counts how many run. */
async function gated(options: { readonly sessions?: number } = {}) {
  const running: (() => void)[] = []
  const seen = { most: 0, begun: 0 }
  const arrivals: (() => void)[] = []
  const exec: BoxExec = async (_line, _stdin, closed) => {
    seen.begun += 1
    await new Promise<void>((resolve) => {
      closed.addEventListener('abort', () => resolve(), { once: true })
      running.push(resolve)
      seen.most = Math.max(seen.most, running.length)
      for (const arrive of arrivals.splice(0)) arrive()
    })
    return { stdout: 'done', end: { how: 'exited', code: 0 } }
  }
  const made = await box({
    exec,
    get sessions() {
      return options.sessions ?? 100
    },
  })
  const until = async (count: number) => {
    while (running.length < count) await new Promise<void>((resolve) => arrivals.push(resolve))
  }
  const letGo = () => running.splice(0).forEach((end) => void end())
  return { made, seen, until, letGo }
}

const quick: BoxExec = () => ({ stdout: 'done', end: { how: 'exited', code: 0 } })

test.for([1, 3, 10])('a host that allows %i sessions answers all of 50 reads at once', async (allowed) => {
  const run = runner(poolFor([settingsFor(await box({ sessions: allowed, exec: quick }))]))
  expect(await kindsOf(Array.from({ length: 50 }, () => run()))).toEqual({ answered: 50 })
})

test('a host that allows one session is hardly asked for a second one again', async () => {
  let [open, refused] = [0, 0]
  const overlap = Promise.withResolvers<void>()
  const far = await keep(
    sshd({
      session(accept, reject) {
        if (open === 1) {
          refused += 1
          overlap.resolve()
          return reject()
        }
        open += 1
        const session = accept()
        session.on('close', () => {
          open -= 1
        })
        session.on('exec', (take) => {
          const channel = take()
          // long enough for another to come, were it let through
          void overlap.promise
            .then(() => delay(5))
            .then(() => {
              channel.exit(0)
              channel.end()
            })
        })
      },
    }),
  )
  const run = runner(poolFor([hostAt({ port: far.port })]))
  expect(await kindsOf(Array.from({ length: 50 }, () => run()))).toEqual({ answered: 50 })
  expect(refused).toBeGreaterThan(0)
  expect(refused).toBeLessThan(8)
})

test('a host that has not yet noted that a session ended is asked again', async () => {
  const answers: string[] = []
  const far = await keep(
    sshd({
      session(accept, reject) {
        const yes = answers.length % 3 === 0
        answers.push(yes ? 'yes' : 'no')
        if (!yes) return reject()
        accept().on('exec', (take) => {
          const channel = take()
          channel.exit(0)
          channel.end()
        })
      },
    }),
  )
  const run = runner(poolFor([hostAt({ port: far.port })]))
  expect([kindOf(await run()), kindOf(await run())]).toEqual(['answered', 'answered'])
  expect(answers).toEqual(['yes', 'no', 'no', 'yes'])
})

test('at most 8 run at once, 64 wait, and the next is told that we are busy', async () => {
  const { made, seen, until, letGo } = await gated()
  const run = runner(poolFor([settingsFor(made)]))
  const running = Array.from({ length: 72 }, () => run())
  await until(8)
  expect(kindOf(await run())).toBe('busy')
  while (seen.begun < 72) {
    letGo()
    await setImmediate()
  }
  letGo()
  expect(await kindsOf(running)).toEqual({ answered: 72 })
  expect(seen.most).toBe(8)
})

test('a host that allows none fails at once, for everybody', async () => {
  const run = runner(poolFor([settingsFor(await box({ sessions: 0, exec: quick }))]))
  expect(await kindsOf(Array.from({ length: 20 }, () => run()))).toEqual({ 'max-sessions': 20 })
})

test('a prohibition is no matter of waiting', async () => {
  const far = await keep(sshd())
  const run = runner(poolFor([hostAt({ port: far.port })]))
  const ran = await Promise.all([run(), run()])
  for (const one of ran) expect(valueIn(one).run.end).toMatchObject({ how: 'error', reason: 1 })
})

test.for([
  ['in line', {}, 8],
  ['because the host refused it', { sessions: 1 }, 1],
] as const)('who waits %s leaves at an abort, and is never begun', async ([, options, full]) => {
  const { made, seen, until, letGo } = await gated(options)
  const run = runner(poolFor([settingsFor(made)]))
  const running = Array.from({ length: full }, () => run())
  await until(full)
  const stop = new AbortController()
  const waiting = run(stop.signal)
  const behind = run()
  stop.abort()
  expect(kindOf(await waiting)).toBe('stopped')
  letGo()
  await Promise.all(running)
  await until(1)
  letGo()
  expect(kindOf(await behind)).toBe('answered')
  expect(seen.begun).toBe(full + 1)
})

test.for([
  ['in line', {}, 8],
  ['because the host refused it', { sessions: 1 }, 1],
] as const)('who waits %s as long as its own deadline is told so', async ([, options, full]) => {
  const { made, seen, until } = await gated(options)
  const run = runner(poolFor([settingsFor(made)]))
  const running = Array.from({ length: full }, () => run())
  await until(full)
  expect(await run(never, 60)).toMatchObject({
    failure: { kind: 'busy', observed: expect.stringContaining('no session came free within 0.06 s') },
  })
  expect(seen.begun).toBe(full)
  made.drop()
  expect(await kindsOf(running)).toEqual({ lost: full })
})

test('a new connection begins with the full number', async () => {
  const policy = { sessions: 1 }
  const { made, seen, until, letGo } = await gated(policy)
  const pool = poolFor([settingsFor(made)])
  const run = runner(pool)
  const few = [run(), run()]
  for (const _ of few) {
    await until(1)
    letGo()
  }
  expect(await kindsOf(few)).toEqual({ answered: 2 })
  expect(seen.most).toBe(1)
  const { closed } = valueIn(await pool.connect('box', never))
  policy.sessions = 10
  made.drop()
  await closed
  const many = Array.from({ length: 8 }, () => run())
  await until(8)
  letGo()
  expect(await kindsOf(many)).toEqual({ answered: 8 })
})

test('forwards do not count', async () => {
  const echo = await keep(serveTcp((socket) => socket.pipe(socket)))
  const { made, until, letGo } = await gated()
  const pool = poolFor([settingsFor(made)])
  const run = runner(pool)
  const running = Array.from({ length: 8 }, () => run())
  await until(8)
  const streams = await Promise.all(Array.from({ length: 30 }, () => pool.dial('box', '127.0.0.1', echo.port, never)))
  expect(streams.every((stream) => stream.ok)).toBe(true)
  letGo()
  expect(await kindsOf(running)).toEqual({ answered: 8 })
})
