import type { Socket } from 'node:net'
import { expect, test } from 'vitest'

import { dials } from '../../src/adapters/ssh-dials.ts'
import type { FailureKind } from '../../src/domain/failure.ts'
import type { Outcome } from '../../src/domain/outcome.ts'
import { failed, ok } from '../../src/domain/outcome.ts'
import { poolFor, relayTo } from './ssh-box.ts'
import { hostAt, sshd } from './ssh-server.ts'
import { keep, kindOf, never, valueIn } from './tidy.ts'

const host = hostAt({ port: 22 })

function failing(kind: FailureKind): Outcome<never> {
  return failed({ kind, thing: 'host box', observed: 'x', next: 'y' })
}

/** Dials that end when they are let go. */
function gated() {
  const seen = { inside: 0, most: 0 }
  const waiting: (() => void)[] = []
  const dial = async () => {
    seen.inside += 1
    seen.most = Math.max(seen.most, seen.inside)
    await new Promise<void>((resolve) => waiting.push(resolve))
    seen.inside -= 1
    return ok(1)
  }
  return { seen, dial, letGo: () => waiting.shift()?.() }
}

test('two logins at once to one sshd, whatever the hosts are called; other places do not wait', async () => {
  const { seen, dial, letGo } = gated()
  const inTurn = dials(1)
  const here = ['a', 'b', 'c', 'd', 'e'].map((name) => inTurn(hostAt({ name, port: 22 }), never, dial))
  const elsewhere = [hostAt({ port: 23 }), hostAt({ port: 22, address: '127.0.0.2' }), hostAt({ port: 22, jump: 'a' })]
  expect(await Promise.all(elsewhere.map((other) => inTurn(other, never, async () => ok(2))))).toEqual(
    Array(3).fill(ok(2)),
  )
  for (const login of here) {
    expect(seen.inside).toBeGreaterThan(0)
    letGo()
    await login
    await Promise.resolve()
  }
  expect(seen.most).toBe(2)
})

test.for<[string, readonly (FailureKind | 'ok')[], string, number]>([
  ['one that was cut off before the greeting is tried once more', ['banned', 'ok'], 'ok', 2],
  ['but only once', ['banned', 'banned', 'ok'], 'banned', 2],
  ['a refused key never', ['ssh-auth', 'ok'], 'ssh-auth', 1],
  ['nor one that is cut off later', ['reset', 'ok'], 'reset', 1],
  ['nor a closed port', ['refused', 'ok'], 'refused', 1],
  ['nor a host that does not answer', ['connect-timeout', 'ok'], 'connect-timeout', 1],
  ['a refused key at the second try ends it', ['banned', 'ssh-auth', 'ok'], 'ssh-auth', 2],
])('%s', async ([, script, end, calls]) => {
  let made = 0
  const outcome = await dials(1)(host, never, async () => {
    const kind = script[made++] ?? 'ok'
    return kind === 'ok' ? ok(1) : failing(kind)
  })
  expect([kindOf(outcome), made]).toEqual([end, calls])
})

test('the pause before the second try ends at an abort, and those in line are not begun', async () => {
  const stop = new AbortController()
  const inTurn = dials(60_000)
  let made = 0
  const dial = async () => {
    made += 1
    return failing('banned')
  }
  const logins = [1, 2, 3].map(() => inTurn(host, stop.signal, dial))
  await Promise.resolve()
  stop.abort()
  expect((await Promise.all(logins)).map(kindOf)).toEqual(['banned', 'banned', 'stopped'])
  expect(made).toBe(2)
})

test('a dial that throws gives its turn on', async () => {
  const inTurn = dials(1)
  const broken = [1, 2].map(() => inTurn(host, never, () => Promise.reject(new RangeError('a bug'))))
  for (const login of broken) await expect(login).rejects.toThrow('a bug')
  expect(await inTurn(host, never, async () => ok(1))).toEqual(ok(1))
})

test('sshd that drops the first connection is reached by the second, with one login', async () => {
  const far = await keep(sshd())
  let seen = 0
  const place = await relayTo(far.port, (near: Socket, on: Socket) => {
    seen += 1
    if (seen === 1) near.destroy()
    else near.pipe(on).pipe(near)
  })
  valueIn(await poolFor([hostAt({ port: place.port })]).check('box', never))
  expect([seen, far.logins]).toEqual([2, 1])
})

test('a refused key is offered once', async () => {
  const far = await keep(sshd({ authorized: [] }))
  expect(kindOf(await poolFor([hostAt({ port: far.port })]).check('box', never))).toBe('ssh-auth')
  expect(far.connections).toHaveLength(1)
})
