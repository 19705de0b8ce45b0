import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { failureOf } from '../../src/adapters/failure-error.ts'
import type { HostSettings } from '../../src/domain/target.ts'
import { listening } from '../adapters/http-server.ts'
import { closeLater, failureIn, kindOf, never, valueIn } from '../adapters/tidy.ts'
import { test } from './far-test.ts'
import { act, look } from './little-gate.ts'
import { hangingGate, killed, LEAN, over, served } from './over-sshd.ts'
import type { Sshd } from './sshd.ts'

/** So many hosts, each behind the one before; the first one is dialled. */
async function chain(
  sshd: (lines: readonly string[]) => Promise<Sshd>,
  hops: number,
): Promise<readonly HostSettings[]> {
  const all = await Promise.all(Array.from({ length: hops }, () => sshd([LEAN])))
  return all.map(({ host }, index) => ({
    ...host,
    name: `hop-${index + 1}`,
    jump: index === 0 ? null : `hop-${index}`,
  }))
}

/** Somebody who keeps the line open and says nothing. */
async function silentPort(): Promise<number> {
  const place = await listening(createServer(() => {}))
  closeLater(place)
  return place.port
}

test.for([
  [2, 1],
  [2, 2],
  [3, 1],
  [3, 2],
  [3, 3],
] as const)(
  'of %i hosts in a row the connection to host %i ends: the loss is told within 2 s',
  async ([hops, dying], { sshd }) => {
    const hosts = await chain(sshd, hops)
    const { script, calls, begun } = await hangingGate()
    const verbs = over(hosts, {}, script)
    const last = `hop-${hops}`
    const pid = await served(verbs, `hop-${dying}`)
    onTestFinished(() => void killed(pid, 'SIGKILL'))
    const running = verbs.host(last).run(act, {}, { signal: never })
    await begun()
    const tunnel = valueIn(await verbs.pool.dial(last, '127.0.0.1', await silentPort(), never))
    const ended = once(tunnel, 'error')
    const at = performance.now()
    killed(pid, 'SIGKILL')
    const failure = failureIn(await running)
    const [error] = await ended
    expect(performance.now() - at).toBeLessThan(2000)
    expect(failure).toMatchObject({ kind: 'lost', thing: expect.stringContaining(`host ${last} `) })
    expect(failure.observed).toContain('whether it did its work is not known')
    expect(failureOf(error)).toMatchObject({ kind: 'lost', thing: expect.stringContaining(`host ${last} `) })
    // all of them are there still: the way is opened anew
    expect(kindOf(await verbs.host(last).run(look, {}, { signal: never }))).toBe('ok')
    expect(await calls()).toEqual(['act', 'look'])
  },
)

test('the last of three does not listen, or the one before does not let us through', async ({ sshd }) => {
  const hosts = await chain(sshd, 2)
  const [, second] = hosts
  if (second === undefined) throw new Error('two hosts')
  const dead = over([...hosts, { ...second, name: 'hop-3', jump: 'hop-2', port: 1 }])
  const failure = failureIn(await dead.host('hop-3').run(look, {}, { signal: never }))
  expect(failure).toMatchObject({ kind: 'forward-refused', thing: expect.stringContaining('through host hop-2') })
  const closed = (await sshd([LEAN, 'AllowTcpForwarding no'])).host
  const [first] = hosts
  const shut = over([
    { ...closed, name: 'hop-1' },
    { ...second, jump: 'hop-1' },
    ...(first ? [{ ...first, name: 'hop-3', jump: 'hop-2' }] : []),
  ])
  expect(failureIn(await shut.host('hop-3').run(look, {}, { signal: never }))).toMatchObject({
    kind: 'forward-prohibited',
    thing: expect.stringContaining('through host hop-1'),
  })
})
