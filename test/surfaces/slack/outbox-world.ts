import { z } from 'zod'
import type { Letter, Letters } from '../../../src/domain/letter.ts'
import { ok } from '../../../src/domain/outcome.ts'
import { mrkdwn } from '../../../src/surfaces/slack/escape.ts'
import type { Answer, Call, Fields, Method } from '../../../src/surfaces/slack/outbox/call.ts'
import { contentOf } from '../../../src/surfaces/slack/outbox/letter.ts'
import type { OutboxOptions } from '../../../src/surfaces/slack/outbox.ts'
import { outbox } from '../../../src/surfaces/slack/outbox.ts'
import type { Message } from '../../../src/surfaces/slack/pages.ts'
import type { Refusal } from '../../../src/surfaces/slack/refusal.ts'
import { recordingLog } from './harness.ts'

/** A clock that moves only when nothing else can happen. */
export function fakeTime(start = 1_700_000_000_000) {
  let now = 0
  let timers: { readonly at: number; readonly wake: () => void }[] = []
  const sleep = (ms: number, signal?: AbortSignal) =>
    new Promise<void>((wake) => {
      if (signal?.aborted === true) return wake()
      const timer = { at: now + ms, wake }
      timers.push(timer)
      signal?.addEventListener('abort', () => {
        timers = timers.filter((one) => one !== timer)
        wake()
      })
    })
  /** Lets everything go on that does not wait for time. */
  async function settle(): Promise<void> {
    for (let round = 0; round < 3; round += 1) await new Promise(setImmediate)
  }
  return {
    clock: { now: () => start + now, monotonic: () => now },
    sleep,
    /** Time goes on for so many ms, from one sleeper to the next. */
    async pass(ms: number) {
      const until = now + ms
      for (;;) {
        await settle()
        const next = timers.toSorted((a, b) => a.at - b.at)[0]
        if (next === undefined || next.at > until) break
        now = Math.max(now, next.at)
        const due = timers.filter(({ at }) => at <= now)
        timers = timers.filter(({ at }) => at > now)
        for (const { wake } of due) wake()
      }
      now = until
    },
  }
}

export type FakeTime = ReturnType<typeof fakeTime>

/** Rows in memory, which outlive an outbox. */
export function memoryLetters(): Letters & { readonly rows: Map<string, Letter> } {
  const rows = new Map<string, Letter>()
  return {
    rows,
    async addLetter(...letters) {
      for (const letter of letters) rows.set(letter.id, letter)
      return ok(null)
    },
    async markLetter(id, sentAt) {
      const row = rows.get(id)
      if (row !== undefined) rows.set(id, { ...row, sentAt })
      return ok(null)
    },
    async dropLetter(id) {
      rows.delete(id)
      return ok(null)
    },
    letters: async () => ok([...rows.values()]),
  }
}

export interface Stood {
  readonly ts: string
  readonly channel: string
  readonly thread: string | null
  text: string
  readonly blocks: unknown
  readonly metadata: unknown
  readonly files: readonly { readonly name: string; readonly size: number }[]
  /** monotonic ms at which it was posted */
  readonly at: number
}

/** What goes wrong with one call: it is not done, or done and not answered. */
export type Wrong = { readonly done: boolean; readonly refusal: Refusal; readonly afterMs?: number } | null

export const no = (kind: Refusal['kind'], code: string, waitMs = 0): Refusal => ({ kind, code, waitMs, details: [] })
export const RESET = no('unknown', 'ECONNRESET')
export const REFUSED = no('unsent', 'ECONNREFUSED')

/** Does what the methods do. */
function doing(time: FakeTime, messages: Stood[]): (method: Method, args: Fields) => Answer {
  let stamp = 0
  return (method, args) => {
    switch (method) {
      case 'chat.postMessage':
      case 'chat.postEphemeral':
      case 'files.uploadV2': {
        stamp += 1
        const ts = `${(time.clock.now() / 1000).toFixed(3)}${String(stamp).padStart(3, '0')}`
        const { thread_ts: thread, text } = args
        messages.push({
          ts,
          channel: String(args['channel']),
          thread: typeof thread === 'string' ? thread : null,
          text: String(text ?? ''),
          blocks: args['blocks'],
          metadata: args['metadata'],
          files: filesIn(args['files']),
          at: time.clock.monotonic(),
        })
        return { ok: true, body: { ok: true, ts } }
      }
      case 'chat.update': {
        const found = messages.find(({ ts, channel }) => ts === args['ts'] && channel === args['channel'])
        if (found === undefined) return { ok: false, refusal: no('no', 'message_not_found') }
        found.text = String(args['text'])
        return { ok: true, body: { ok: true, ts: found.ts } }
      }
      case 'conversations.history':
      case 'conversations.replies': {
        const within = ({ ts }: Stood) => ts >= String(args['oldest']) && ts <= String(args['latest'])
        const there = ({ channel, thread, ts }: Stood) =>
          channel === args['channel'] && (args['ts'] === undefined ? thread === null : (thread ?? ts) === args['ts'])
        return { ok: true, body: { ok: true, messages: messages.filter((one) => there(one) && within(one)) } }
      }
    }
  }
}

function filesIn(files: unknown): Stood['files'] {
  return z
    .array(z.object({ name: z.string(), text: z.string() }))
    .catch([])
    .parse(files)
    .map(({ name, text }) => ({ name, size: Buffer.byteLength(text) }))
}

/** A Slack of plain values that answers after `latencyMs`. `wrong` says what goes wrong with a call. */
export function fakeSlack(time: FakeTime, wrong: (method: Method, args: Fields) => Wrong = () => null) {
  const messages: Stood[] = []
  const calls: { readonly method: Method; readonly args: Fields; readonly at: number }[] = []
  const latencyMs = 100
  const done = doing(time, messages)

  const call: Call = async (method, args) => {
    calls.push({ method, args, at: time.clock.monotonic() })
    const trouble = wrong(method, args)
    if (trouble === null) {
      const answer = done(method, args)
      await time.sleep(latencyMs)
      return answer
    }
    if (trouble.done) done(method, args)
    await time.sleep(trouble.afterMs ?? latencyMs)
    return { ok: false, refusal: trouble.refusal }
  }

  return {
    call,
    calls,
    messages,
    /** A message that stood before. */
    stand(channel: string, text: string): string {
      done('chat.postMessage', { channel, text })
      return messages.at(-1)?.ts ?? ''
    },
    /** How often each text stands. */
    standing(text: string): number {
      return messages.filter((one) => one.text === text).length
    },
  }
}

export type FakeSlack = ReturnType<typeof fakeSlack>

/** An outbox over it, with a pace of one post a second by the same clock; `kill` ends it as SIGKILL would. */
export function boxOver(time: FakeTime, slack: Pick<FakeSlack, 'call'>, other: Partial<OutboxOptions> = {}) {
  let dead = false
  const free = new Map<string, number>()
  const log = recordingLog()
  const never = new Promise<never>(() => {})
  const box = outbox({
    call: async (method, args) => {
      if (dead) return never
      const answer = await slack.call(method, args)
      return dead ? never : answer
    },
    clock: time.clock,
    async pace(channel) {
      const turn = Math.max(free.get(channel) ?? 0, time.clock.monotonic())
      free.set(channel, turn + 1_000)
      await time.sleep(turn - time.clock.monotonic())
    },
    pause: time.sleep,
    log,
    ...other,
    ...(other.store ? { store: untilDead(other.store, () => dead) } : {}),
  })
  return {
    ...box,
    log,
    kill() {
      dead = true
    },
  }
}

/** Whoever is dead writes nothing any more. */
function untilDead(store: Letters, dead: () => boolean): Letters {
  const never = new Promise<never>(() => {})
  return {
    addLetter: (...letters) => (dead() ? never : store.addLetter(...letters)),
    markLetter: (id, sentAt) => (dead() ? never : store.markLetter(id, sentAt)),
    dropLetter: (id) => (dead() ? never : store.dropLetter(id)),
    letters: () => (dead() ? never : store.letters()),
  }
}

export function words(text: string): Message {
  return { text: mrkdwn`${text}`, blocks: [] }
}

/** A new message for a channel or thread. */
export function fresh(channel: string, text: string, thread: string | null = null) {
  const message = words(text)
  return { place: { channel, thread }, ts: null, content: contentOf(message), message }
}

/** The final state of a message. */
export function final(channel: string, ts: string, text: string) {
  return { ...fresh(channel, text), ts }
}

/** The most of `times` within any `spanMs`. */
export function most(times: readonly number[], spanMs: number): number {
  return Math.max(0, ...times.map((from) => times.filter((at) => at >= from && at < from + spanMs).length))
}

/** The value below which 99 of 100 are. */
export function p99(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.99) - 1] ?? Number.NaN
}
