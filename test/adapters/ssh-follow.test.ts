import { once } from 'node:events'
import { expect, test } from 'vitest'

import type { FollowVerb } from '../../src/domain/verb.ts'
import type { BoxEnd, BoxExec } from '../../src/lab/box-exec.ts'
import { box, frame, hostOf, poolFor, settingsFor } from './ssh-box.ts'
import { kindOf, never, valueIn } from './tidy.ts'

const tail: FollowVerb<string, string> = {
  name: 'follow',
  access: 'read',
  deadlineMs: 5_000,
  words: (alias) => [alias, 'seconds', '60'],
  readLine: (text) => (text === '' || text.startsWith('--') ? null : text),
}

const done = { how: 'exited', code: 0 } as const

async function following(exec: BoxExec) {
  const pool = poolFor([settingsFor(await box({ exec }))])
  return { host: hostOf(pool), pool }
}

/** The frame around a followed log, cut where the log grows. */
function around(command: string, rc = 0): readonly [string, string] {
  const [before = '', after = ''] = frame(command, { log: 'HERE' }, { rc }).split('HERE')
  return [before, after]
}

test('hands on each line as it comes, and none that nobody asked for', async () => {
  const told: string[] = []
  const heard = Promise.withResolvers<void>()
  async function* growing(command: string) {
    const [before, after] = around(command)
    yield `${before}one\n-- no entries --\ntw`
    yield 'o\n'
    await heard.promise
    yield `three\n${after}`
  }
  const { host } = await following((command) => ({ stdout: growing(command), end: done }))
  const ended = host.follow(tail, 'qwen', (line) => told.push(line) === 2 && heard.resolve(), never)
  expect(valueIn(await ended)).toEqual({ lines: 3, why: 'over' })
  expect(told).toEqual(['one', 'two', 'three'])
})

test('a character that is cut into two pieces stays whole', async () => {
  async function* growing(command: string) {
    const [before, after] = around(command)
    const bytes = Buffer.from(`${before}grüße €\n${after}`)
    for (const byte of bytes) yield Buffer.of(byte)
  }
  const told: string[] = []
  const { host } = await following((command) => ({ stdout: growing(command), end: done }))
  valueIn(await host.follow(tail, 'qwen', (line) => told.push(line), never))
  expect(told).toEqual(['grüße €'])
})

test('an abort ends it there as well, which is no failure', async () => {
  const begun = Promise.withResolvers<AbortSignal>()
  async function* growing(command: string, closed: AbortSignal) {
    yield `${around(command)[0]}one\n`
    begun.resolve(closed)
    await once(closed, 'abort')
  }
  const { host } = await following((command, _stdin, closed) => ({ stdout: growing(command, closed), end: done }))
  const stop = new AbortController()
  const first = Promise.withResolvers<void>()
  const ended = host.follow(tail, 'qwen', () => first.resolve(), stop.signal)
  await first.promise
  const gone = once(await begun.promise, 'abort')
  stop.abort()
  expect(valueIn(await ended)).toEqual({ lines: 1, why: 'stopped' })
  await gone
  expect(valueIn(await host.follow(tail, 'qwen', () => {}, stop.signal))).toEqual({ lines: 0, why: 'stopped' })
})

test.for<BoxEnd>([{ how: 'lost' }, { how: 'cut', reset: true }])(
  'one that ends by %o says how far it came, and is not begun anew',
  async (end) => {
    let asked = 0
    const told: string[] = []
    const { host } = await following((command) => {
      asked += 1
      return { stdout: `${around(command)[0]}one\ntwo\nth`, end }
    })
    const ended = await host.follow(tail, 'qwen', (line) => told.push(line), never)
    expect(ended).toMatchObject({ ok: false, failure: { kind: 'lost' }, partial: { lines: 2 } })
    expect([told, asked]).toEqual([['one', 'two'], 1])
  },
)

test('one that is lost before its first line is asked for once more', async () => {
  let asked = 0
  const { host } = await following((command) => {
    asked += 1
    const [before, after] = around(command)
    return asked === 1 ? { stdout: before, end: { how: 'lost' } } : { stdout: `${before}one\n${after}`, end: done }
  })
  expect(valueIn(await host.follow(tail, 'qwen', () => {}, never))).toEqual({ lines: 1, why: 'over' })
  expect(asked).toBe(2)
})

test('what the gate refuses is a failure', async () => {
  const { host } = await following((command) => ({
    stdout: frame(command, { refusal: 'no-such-unit qwen' }, { rc: 67 }),
    end: { how: 'exited', code: 67 },
  }))
  expect(kindOf(await host.follow(tail, 'qwen', () => {}, never))).toBe('no-such-unit')
  expect(kindOf(await host.follow(tail, '--all', () => {}, never))).toBe('gate-refused')
})

test('a bug of the one who follows is his own: the connection stays', async () => {
  const { host, pool } = await following((command) => ({ stdout: `${around(command)[0]}one\n`, end: { how: 'never' } }))
  const fail = () => {
    throw new RangeError('a bug')
  }
  const broken = host.follow(tail, 'qwen', fail, never)
  await expect(broken).rejects.toThrow('a bug')
  const { gone } = valueIn(await pool.connect('box', never))
  expect(await Promise.race([gone.then(() => 'gone'), Promise.resolve('there')])).toBe('there')
})
