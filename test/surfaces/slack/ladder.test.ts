import { expect, test } from 'vitest'
import type { Report } from '../../../src/domain/report.ts'
import { report } from '../../../src/domain/report.ts'
import type { Threaded } from '../../../src/lab/slack/hands.ts'
import type { AbilityNotes } from '../../../src/surfaces/slack/abilities.ts'
import { abilities, TRIED_AGAIN_MS } from '../../../src/surfaces/slack/abilities.ts'
import type { Bot } from './harness.ts'
import { offers, recordingLog, startBot } from './harness.ts'
import { healthy } from './reports.ts'

const REASONING = 'The user wants one sentence.'
const LONG = Array.from({ length: 400 }, (_, at) => `${at + 1}. One step, and then the next one.`).join('\n')

const answer: Report = {
  ...healthy,
  tables: [
    {
      title: 'Cards',
      columns: ['Card', 'Load'],
      rows: [
        ['node7/3', '99 %'],
        ['node7/4', '7 %'],
      ],
    },
  ],
}
const long = report({
  tone: 'good',
  status: 'healthy',
  title: 'Healthy.',
  sections: [{ kind: 'content', title: 'Content', body: LONG, folded: false }],
})

/** A bot that answers every mention with this report. */
function answering(given: Report, notes?: AbilityNotes): Promise<Bot> {
  const other = notes === undefined ? {} : { abilities: notes }
  return startBot((_, talk) => talk.end(given, offers(new Map())), other)
}

/** What the bot wrote in the thread of the next mention, once there is so much. */
async function ask({ slack }: Bot, messages: number): Promise<Threaded> {
  const asked = slack.mention('smoke "Say hello"')
  return slack.until(() => slack.messages().find(({ ts, replies }) => ts === asked.ts && replies.length >= messages))
}

const refusedPosts = ({ slack }: Bot): number =>
  slack.calls().filter(({ method, reply }) => method === 'chat.postMessage' && reply?.['ok'] === false).length

const all = ({ replies }: Threaded): string => JSON.stringify(replies)
const types = ({ replies }: Threaded) => new Set(replies.flatMap(({ blocks }) => blocks.map(({ type }) => type)))

test('containers refused: sections under bold titles, folded ones left to Slack to fold; the second answer at once', async () => {
  await using bot = await answering(answer)
  bot.slack.refuses('container')
  const first = await ask(bot, 2)
  expect([...types(first)]).not.toContain('container')
  expect(all(first)).toContain(REASONING)
  const reasoning = first.replies
    .flatMap(({ blocks }) => blocks)
    .find((block) => JSON.stringify(block).includes(REASONING))
  expect(reasoning).toMatchObject({ type: 'section', expand: false })
  expect(refusedPosts(bot)).toBe(1)
  const second = await ask(bot, 2)
  expect(all(second)).toContain(REASONING)
  expect(refusedPosts(bot)).toBe(1)
})

test('tables refused: the same rows in code, aligned; the second answer at once', async () => {
  await using bot = await answering(answer)
  bot.slack.refuses('table')
  const first = await ask(bot, 2)
  expect([...types(first)]).not.toContain('table')
  expect([...types(first)]).toContain('container')
  expect(all(first)).toContain('```\\nCard     Load\\nnode7/3  99 %\\nnode7/4   7 %\\n```')
  const refused = refusedPosts(bot)
  expect(refused).toBe(1)
  await ask(bot, 2)
  expect(refusedPosts(bot)).toBe(refused)
})

test('all blocks refused: replies of words hold everything, and say what buttons would have been', async () => {
  await using bot = await answering(answer)
  bot.slack.refuses('blocks')
  const first = await ask(bot, 2)
  const words = first.replies.map(({ text }) => text).join('\n')
  expect(first.replies.flatMap(({ blocks }) => blocks)).toEqual([])
  for (const part of ['Healthy. The model answered.', REASONING, 'Hello! 👋', 'node7/4   7 %', 'Qwen/Qwen3.6-27B'])
    expect(words).toContain(part)
  expect(words).toContain('[Retry] [Retry ×2 budget] [Thinking off] [Raw]')
  expect(words).toContain('mention the bot with help')
  const refused = refusedPosts(bot)
  await ask(bot, 2)
  expect(refusedPosts(bot)).toBe(refused)
})

test('files refused: both ends of a long text stand there, and a note says what is missing and what to do', async () => {
  await using bot = await answering(long)
  bot.slack.refuses('files')
  const first = await ask(bot, 2)
  expect(all(first)).toContain('1. One step')
  expect(all(first)).toContain('400. One step')
  expect(all(first)).toContain('content.txt could not be uploaded: Slack says')
})

test('blocks and files refused: words alone, still both ends', async () => {
  await using bot = await answering(long)
  bot.slack.refuses('blocks')
  bot.slack.refuses('files')
  const words = (await ask(bot, 3)).replies.map(({ text }) => text).join('\n')
  expect(words).toContain('1. One step')
  expect(words).toContain('400. One step')
  expect(words).toContain('characters between are in content.txt')
  expect(words).toContain('content.txt could not be uploaded')
})

test('what was learnt outlives a restart', async () => {
  const kept = new Map<string, string>()
  const notes: AbilityNotes = {
    read: async (team) => kept.get(team) ?? null,
    write: async (team, value) => void kept.set(team, value),
  }
  {
    await using bot = await answering(answer, notes)
    bot.slack.refuses('container')
    await ask(bot, 2)
  }
  await using bot = await answering(answer, notes)
  bot.slack.refuses('container')
  await ask(bot, 2)
  expect(refusedPosts(bot)).toBe(0)
  expect(JSON.parse(kept.get('T0DEMO') ?? '')).toMatchObject({
    container: { state: 'refused' },
    table: { state: 'works' },
  })
})

function learning() {
  let now = 1
  const kept: string[] = []
  const notes: AbilityNotes = {
    read: async () => kept.at(-1) ?? null,
    write: async (_, value) => void kept.push(value),
  }
  const made = () => abilities({ notes, clock: { now: () => now }, log: recordingLog() })
  return { made, kept, pass: (ms: number) => (now += ms) }
}

test('a refused kind is tried again after a day', async () => {
  const { made, pass } = learning()
  const known = made()
  await known.load('T1')
  await known.refused('container')
  pass(TRIED_AGAIN_MS - 1)
  expect(known.can()).toEqual({ container: false, table: true, expand: true, blocks: true, files: true })
  pass(1)
  expect(known.can().container).toBe(true)
  await known.worked(['container'])
  expect(known.states()).toMatchObject({ container: 'works', table: 'unknown' })
})

test('what has worked is not given up for one refused message, but for two in a row', async () => {
  const { made } = learning()
  const known = made()
  await known.load('T1')
  await known.worked(['blocks', 'table'])
  await known.refused('table')
  expect(known.states().table).toBe('unknown')
  expect(known.can().table).toBe(true)
  await known.refused('table')
  expect(known.can().table).toBe(false)
})

test.each(['', 'no JSON', '[]', '{"container":{"state":"maybe","at":1},"table":{"state":"refused","at":1}}'])(
  'a note that nobody understands is no harm: %s',
  async (text) => {
    const { made, kept } = learning()
    kept.push(text)
    const known = made()
    await known.load('T1')
    expect(known.states().container).toBe('unknown')
    expect(known.states().table).toBe(text.includes('table') ? 'refused' : 'unknown')
  },
)
