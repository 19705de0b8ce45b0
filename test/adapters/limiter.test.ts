import { describe, expect, test } from 'vitest'

import { pacer, slots } from '../../src/adapters/limiter.ts'

describe('slots', () => {
  test('runs so many at once, keeps so many waiting, and refuses the rest', async () => {
    const gate = Promise.withResolvers<void>()
    let running = 0
    let most = 0
    const limited = slots({ name: 'host box', atOnce: 2, waiting: 3 })
    const outcomes = Array.from({ length: 7 }, (_, index) =>
      limited.run(async () => {
        running += 1
        most = Math.max(most, running)
        await gate.promise
        running -= 1
        return index
      }),
    )
    const refused = await Promise.all(outcomes.slice(5))
    expect(refused).toMatchObject([
      { failure: { kind: 'busy', thing: 'host box', observed: '2 at work and 3 waiting already' } },
      { failure: { kind: 'busy' } },
    ])
    gate.resolve()
    expect(await Promise.all(outcomes.slice(0, 5))).toEqual([0, 1, 2, 3, 4].map((value) => ({ ok: true, value })))
    expect(most).toBe(2)
  })

  test('nobody waits where none may', async () => {
    const gate = Promise.withResolvers<void>()
    const limited = slots({ name: 'x', atOnce: 1, waiting: 0 })
    const first = limited.run(() => gate.promise)
    expect(await limited.run(async () => 2)).toMatchObject({ failure: { kind: 'busy' } })
    gate.resolve()
    await first
    expect(await limited.run(async () => 3)).toEqual({ ok: true, value: 3 })
  })

  test('a work that throws frees its slot, and its error is not swallowed', async () => {
    const limited = slots({ name: 'x', atOnce: 1, waiting: 1 })
    await expect(limited.run(() => Promise.reject(new RangeError('a bug')))).rejects.toThrow('a bug')
    expect(await limited.run(async () => 1)).toEqual({ ok: true, value: 1 })
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
