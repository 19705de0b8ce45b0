import type { ServerResponse } from 'node:http'

import { describe, expect, onTestFinished, test, vi } from 'vitest'

import { inTurn, pacer, slots } from '../../src/adapters/limiter.ts'
import type { Outcome } from '../../src/domain/outcome.ts'
import { ok } from '../../src/domain/outcome.ts'
import { replyJson, serve } from './http-server.ts'
import { keep, never, open } from './tidy.ts'

/** Works that run until the gate opens, how many of them run, and when two do. */
function gated() {
  const gate = Promise.withResolvers<void>()
  const two = Promise.withResolvers<void>()
  const seen = { running: 0, most: 0 }
  const work = (value: number) => async () => {
    seen.running += 1
    seen.most = Math.max(seen.most, seen.running)
    if (seen.running === 2) two.resolve()
    await gate.promise
    seen.running -= 1
    return ok(value)
  }
  return { open: gate.resolve, seen, two: two.promise, work }
}

describe('slots', () => {
  test('runs so many at once, keeps so many waiting, and refuses the rest', async () => {
    const { open, seen, two, work } = gated()
    const limited = slots({ name: 'target qwen', atOnce: 2, waiting: 3 })
    const outcomes = Array.from({ length: 7 }, (_, index) => limited.run(work(index), never))
    expect(await Promise.all(outcomes.slice(5))).toMatchObject([
      {
        failure: { kind: 'busy', thing: 'target qwen', observed: '2 requests of ours at work and 3 waiting already' },
      },
      { failure: { kind: 'busy' } },
    ])
    await two
    open()
    expect(await Promise.all(outcomes.slice(0, 5))).toEqual([0, 1, 2, 3, 4].map(ok))
    expect(seen.most).toBe(2)
  })

  test('lets fewer through once it is told to, and never more again', async () => {
    const { open, two, work } = gated()
    const limited = slots({ name: 'x', atOnce: 2, waiting: 2 })
    const first = [1, 2].map((value) => limited.run(work(value), never))
    await two
    limited.shrink(1)
    limited.shrink(5)
    const later = limited.run(work(3), never)
    expect(await limited.run(work(4), never)).toMatchObject({ failure: { kind: 'busy' } })
    open()
    expect(await Promise.all([...first, later])).toEqual([1, 2, 3].map(ok))
    const gate = gated()
    const next = [4, 5].map((value) => limited.run(gate.work(value), never))
    await vi.waitFor(() => expect(gate.seen.running).toBe(1))
    gate.open()
    await Promise.all(next)
    expect(gate.seen.most).toBe(1)
  })

  test('nobody waits where none may', async () => {
    const { open, work } = gated()
    const limited = slots({ name: 'x', atOnce: 1, waiting: 0 })
    const first = limited.run(work(1), never)
    expect(await limited.run(work(2), never)).toMatchObject({ failure: { kind: 'busy' } })
    open()
    await first
    expect(await limited.run(work(3), never)).toEqual(ok(3))
  })
})

describe('slots and those who leave', () => {
  test('who is aborted in line leaves it at once and frees the place; the work is never begun', async () => {
    const { open, work } = gated()
    const limited = slots({ name: 'x', atOnce: 1, waiting: 1 })
    const first = limited.run(work(1), never)
    const stop = new AbortController()
    let begun = false
    const beginning = async () => {
      begun = true
      return ok(2)
    }
    const second = limited.run(beginning, stop.signal)
    expect(await limited.run(work(3), never)).toMatchObject({ failure: { kind: 'busy' } })
    stop.abort()
    expect(await second).toMatchObject({ failure: { kind: 'stopped', thing: 'x' } })
    const third = limited.run(work(3), never)
    open()
    expect(await Promise.all([first, third])).toEqual([ok(1), ok(3)])
    expect(await limited.run(beginning, AbortSignal.abort())).toMatchObject({ failure: { kind: 'stopped' } })
    expect(begun).toBe(false)
  })

  test('a work that runs ends itself when it is aborted', async () => {
    const limited = slots({ name: 'x', atOnce: 1, waiting: 0 })
    const stop = new AbortController()
    const begun = Promise.withResolvers<void>()
    const running = limited.run(async () => {
      begun.resolve()
      await new Promise((resolve) => stop.signal.addEventListener('abort', resolve))
      return ok('what had arrived')
    }, stop.signal)
    await begun.promise
    stop.abort()
    expect(await running).toEqual(ok('what had arrived'))
  })
})

describe('slots and what goes wrong', () => {
  test('a work that throws frees its slot, and its error is not swallowed', async () => {
    const limited = slots({ name: 'x', atOnce: 1, waiting: 1 })
    await expect(limited.run(() => Promise.reject(new RangeError('a bug')), never)).rejects.toThrow('a bug')
    expect(await limited.run(async () => ok(1), never)).toEqual(ok(1))
  })

  test('a wall clock that is set back holds nobody up', async () => {
    const limited = slots({ name: 'x', atOnce: 1, waiting: 1 })
    await limited.run(async () => ok(1), never)
    const earlier = Date.now() - 3_600_000
    const clock = vi.spyOn(Date, 'now').mockReturnValue(earlier)
    onTestFinished(() => clock.mockRestore())
    expect(await limited.run(async () => ok(2), never)).toEqual(ok(2))
  })
})

describe('inTurn', () => {
  test('at most 8 requests of a target at once, a stream until it ends; 32 wait, the next is told that it is busy', async () => {
    const held: ServerResponse[] = []
    const full = Promise.withResolvers<void>()
    const server = await keep(
      serve((request, response) => {
        if (request.url !== '/stream') return replyJson(response, {})
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write('data: a\n\n')
        if (held.push(response) === 8) full.resolve()
        return undefined
      }),
    )
    const api = inTurn('target qwen', open(server.url))
    const call = { method: 'GET', path: '/stream', patienceMs: 5_000 } as const
    const streams = Array.from({ length: 8 }, () => api.events(call, () => true, never))
    await full.promise
    const waiting = Array.from({ length: 32 }, () => api.json({ ...call, path: '/x' }, never))
    expect(await api.json({ ...call, path: '/x' }, never)).toMatchObject({
      failure: { kind: 'busy', observed: '8 requests of ours at work and 32 waiting already' },
    })
    expect(held).toHaveLength(8)
    for (const response of held) response.end('data: [DONE]\n\n')
    const ends: readonly Outcome<unknown>[] = await Promise.all([...streams, ...waiting])
    expect(ends.every((end) => end.ok)).toBe(true)
  })
})

/** A clock that moves only when somebody sleeps. */
function still() {
  let time = 1_000
  const sleepers: { at: number; wake: () => void }[] = []
  return {
    clock: { now: () => 0, monotonic: () => time },
    sleep: (ms: number) => new Promise<void>((wake) => void sleepers.push({ at: time + ms, wake })),
    async move(ms: number) {
      time += ms
      for (const sleeper of sleepers.splice(0)) {
        if (sleeper.at <= time) sleeper.wake()
        else sleepers.push(sleeper)
      }
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

describe('pacer', () => {
  test('lets one through a second for each key, in order, whatever the wall clock does', async () => {
    const { clock, sleep, move } = still()
    const pace = pacer({ everyMs: 1_000, clock, sleep })
    const through: string[] = []
    for (const name of ['a1', 'a2', 'a3', 'b1']) void pace.pace(name.slice(0, 1)).then(() => through.push(name))
    await move(0)
    expect(through).toEqual(['a1', 'b1'])
    await move(999)
    expect(through).toEqual(['a1', 'b1'])
    await move(1)
    expect(through).toEqual(['a1', 'b1', 'a2'])
    await move(1_000)
    expect(through).toEqual(['a1', 'b1', 'a2', 'a3'])
  })

  test('who comes late does not wait, and a timer that fires early waits on', async () => {
    const { clock, sleep, move } = still()
    const pace = pacer({ everyMs: 1_000, clock, sleep: (ms) => sleep(ms / 2) })
    const through: number[] = []
    void pace.pace('a').then(() => through.push(1))
    void pace.pace('a').then(() => through.push(2))
    await move(500)
    await move(250)
    expect(through).toEqual([1])
    await move(250)
    await move(0)
    expect(through).toEqual([1, 2])
    await move(5_000)
    void pace.pace('a').then(() => through.push(3))
    await move(0)
    expect(through).toEqual([1, 2, 3])
  })
})
