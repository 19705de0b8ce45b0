import { expect, test } from 'vitest'
import type { Report } from '../../../src/domain/report.ts'
import { conversation } from '../../../src/surfaces/slack/conversation.ts'
import { written } from '../../../src/surfaces/slack/escape.ts'
import { turns } from '../../../src/surfaces/slack/latest.ts'
import type { Message } from '../../../src/surfaces/slack/pages.ts'
import type { Post, Sent } from '../../../src/surfaces/slack/post.ts'
import { recordingLog } from './harness.ts'
import { healthy, running } from './reports.ts'

const at = (title: string): Report => ({ ...running, title })
const firstLine = ({ text }: Message) => written(text).split('\n')[0]

/** A Slack of plain values, and a clock that moves only when something sleeps until then. */
function stage(answers: Partial<Record<keyof Post, Sent>> = {}) {
  const said: string[] = []
  const sleepers: { readonly until: number; readonly wake: () => void }[] = []
  let now = 0
  const record = (method: keyof Post) => async (where: unknown, what: unknown) => {
    const message = JSON.stringify(where).includes('thread":"1.1') ? 'in thread' : ''
    said.push(
      [`${now}`, method, message, isMessage(what) ? firstLine(what) : ''].filter((word) => word !== '').join(' '),
    )
    return answers[method] ?? ({ ok: true, ts: '1.1' } as const)
  }
  const post: Post = {
    message: record('message'),
    progress: record('progress'),
    change: record('change'),
    files: record('files'),
    privately: async () => ({ ok: true, ts: '' }),
    async answer({ to, at, first, rest, files }, kept) {
      const head = at === null ? await post.message(to, first) : await post.change(at, first)
      if (!head.ok) return { first: head, rest: rest.map(() => head), files: null }
      await kept()
      const thread = { ...to, thread: to.thread ?? head.ts }
      const below = []
      for (const message of rest) below.push(await post.message(thread, message))
      return { first: head, rest: below, files: files.length === 0 ? null : await post.files(thread, files) }
    },
  }
  const sleep = (ms: number) =>
    new Promise<void>((wake) => {
      sleepers.push({ until: now + ms, wake })
    })
  const clock = { now: () => now, monotonic: () => now }
  const whispered: string[] = []
  const labels: unknown[] = []
  const desk = { post, log: recordingLog(), botName: 'pilotflame', clean: String, turn: turns(clock, 3_000), sleep }
  const line = {
    ask: null,
    how: 'slash',
    to: { channel: 'C', thread: null },
    pressed: null,
    whisper: async (messages: readonly Message[], why?: Message) => {
      const all = why === undefined ? messages : [why, ...messages]
      whispered.push(...all.map((message) => firstLine(message) ?? ''))
      labels.push(...messages.flatMap(buttonsIn))
      return true
    },
  } as const
  return {
    said,
    whispered,
    labels,
    talk: () => conversation(line, desk),
    /** Lets time pass, waking whoever slept until then. */
    async pass(ms: number) {
      now += ms
      for (const { until, wake } of sleepers) if (until <= now) wake()
      await new Promise(setImmediate)
    },
  }
}

function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && 'blocks' in value
}

const offer = async () => 'id'

test('updates: the first after a second, then one in three, the latest wins, none after the end', async () => {
  const { talk, said, pass } = stage()
  const one = talk()
  expect(await one.begin(at('begun'), offer)).toEqual({ place: { channel: 'C', thread: '1.1' }, message: '1.1' })
  for (const title of ['a', 'b', 'c']) one.update(at(title))
  await pass(999)
  expect(said).toEqual(['0 message ⏳ begun'])
  await pass(1)
  one.update(at('d'))
  await pass(1_000)
  one.update(at('e'))
  await pass(2_000)
  one.update(at('never'))
  await one.end({ ...healthy, sections: [], facts: [], actions: [] }, offer)
  await pass(10_000)
  one.update(at('never'))
  await pass(10_000)
  expect(said).toEqual([
    '0 message ⏳ begun',
    '1000 progress ⏳ c',
    '4000 progress ⏳ e',
    '4000 change ✅ Healthy. The model answered.',
  ])
})

test('all runs together keep to one update in three seconds', async () => {
  const { talk, said, pass } = stage()
  const all = [talk(), talk(), talk()]
  for (const one of all) await one.begin(at('begun'), offer)
  for (const [number, one] of all.entries()) one.update(at(`run ${number}`))
  for (let second = 0; second < 9; second += 1) await pass(1_000)
  expect(said.slice(3)).toEqual(['1000 progress ⏳ run 0', '4000 progress ⏳ run 1', '7000 progress ⏳ run 2'])
})

test('where Slack takes no message at all, the person still gets everything', async () => {
  const down = { kind: 'unknown', code: 'HTTP 503', waitMs: 0, details: [] } as const
  const { talk, whispered } = stage({ message: { ok: false, refusal: down }, change: { ok: false, refusal: down } })
  const one = talk()
  expect(await one.begin(running, offer)).toEqual({ place: { channel: 'C', thread: null }, message: null })
  await one.end(healthy, offer)
  expect(whispered).toEqual([
    '⚠️ Slack did not take the answer here (HTTP 503), so only you see it. Next: ask again, or see the bot’s log.',
    '✅ Healthy. The model answered.',
  ])
})

test('an answer is given once', async () => {
  const { talk, whispered } = stage()
  const one = talk()
  await one.end({ ...healthy, sections: [], actions: [] }, offer)
  await one.end({ ...healthy, title: 'again' }, offer)
  expect(whispered).toEqual(['✅ Healthy. The model answered.'])
})

test('an action that could not be stored has no button', async () => {
  const { talk, labels } = stage()
  await talk().end({ ...healthy, sections: [] }, async ({ line }) => (line === 'raw' ? 'id' : null))
  expect(labels).toEqual([['pf:id', 'Raw']])
})

function buttonsIn({ blocks }: Message): readonly unknown[] {
  const elements = blocks.flatMap((block) => (block.type === 'actions' ? block.elements : []))
  return elements.flatMap((one) => (one.type === 'button' ? [[one.action_id, one.text.text]] : []))
}
