import { expect, test } from 'vitest'
import type { Report } from '../../../src/domain/report.ts'
import { report } from '../../../src/domain/report.ts'
import { abilities } from '../../../src/surfaces/slack/abilities.ts'
import { ladder } from '../../../src/surfaces/slack/ladder.ts'
import type { Answer, Fields } from '../../../src/surfaces/slack/outbox/call.ts'
import { post } from '../../../src/surfaces/slack/post.ts'
import type { Refusal } from '../../../src/surfaces/slack/refusal.ts'
import { refusalIn } from '../../../src/surfaces/slack/refusal.ts'
import { whole } from '../../../src/surfaces/slack/render.ts'
import type { Respond } from '../../../src/surfaces/slack/response-url.ts'
import { whisperer } from '../../../src/surfaces/slack/whisper.ts'
import type { Bot } from './harness.ts'
import { offers, recordingLog, startBot } from './harness.ts'

const rows = Array.from({ length: 60 }, (_, at) => [
  `host-${at}`,
  `locked by Anna for a long test, which is number ${at}: ${'x'.repeat(30)}`,
])
const locks: Report = report({
  tone: 'neutral',
  status: 'done',
  title: 'Locks',
  tables: [{ title: 'Locks', columns: ['Host', 'Why'], rows }],
  actions: [{ label: 'Press', line: 'help', style: 'plain' }],
})
const BUTTONS = [{ id: 'id-1', label: 'Press', style: 'plain' } as const]

const urlRefusals = ({ log }: Bot): number =>
  log.lines.filter(({ message }) => message === 'A response_url did not take an answer').length

/** What the person who types a slash command sees. */
async function asked(bot: Bot, answers: number): Promise<string> {
  await bot.slack.slash('/pilotflame', 'locks')
  const shown = () => bot.slack.messages().filter(({ onlyFor }) => onlyFor !== null)
  await bot.slack.until(() => shown().length >= answers)
  return JSON.stringify(shown().at(-1))
}

test('a slash command where tables are refused: one rung lower by the same way, and the next one at once', async () => {
  await using bot = await startBot((_, talk) => talk.end(locks, offers(new Map())))
  bot.slack.refuses('table')
  for (const answers of [1, 2, 3]) {
    const shown = await asked(bot, answers)
    for (const part of ['host-0 ', 'host-59', '"button"', '"section"']) expect(shown).toContain(part)
    expect(urlRefusals(bot)).toBe(1)
  }
  expect(bot.slack.calls().filter(({ method }) => method === 'chat.postEphemeral')).toEqual([])
})

test('what a channel taught is known in private', async () => {
  await using bot = await startBot((_, talk) => talk.end(locks, offers(new Map())))
  bot.slack.refuses('table')
  const { ts } = bot.slack.mention('locks')
  await bot.slack.until(() => bot.slack.messages().find((one) => one.ts === ts && one.replies.length > 0))
  expect(await asked(bot, 1)).toContain('host-59')
  expect(urlRefusals(bot)).toBe(0)
})

const INVALID_TABLE = refusalIn('invalid_blocks', { errors: ['unsupported type: table [json-pointer:/blocks/2]'] })

/** A way to one person through a Slack that refuses what is told, by response_url and by chat.postEphemeral. */
function wayThrough(refuse: {
  url: ((answer: Fields) => Refusal | null) | null
  call: (args: Fields) => Refusal | null
}) {
  const log = recordingLog()
  const known = abilities({ notes: { read: async () => null, write: async () => {} }, clock: { now: () => 0 }, log })
  const steps = ladder(known, log)
  const [uses, calls]: [Fields[], Fields[]] = [[], []]
  const call = async (_: string, args: Fields): Promise<Answer> => {
    calls.push(args)
    const refusal = refuse.call(args)
    return refusal === null ? { ok: true, body: { message_ts: '1' } } : { ok: false, refusal }
  }
  const free = { pace: async () => {}, pause: async () => {}, signal: new AbortController().signal }
  const unused = async () => ({ ok: true, ts: '' }) as const
  const outbox = {
    add: unused,
    addAll: async () => [],
    show: unused,
    open: async () => {},
    hurry() {},
    close: async () => {},
  }
  const clock = { now: () => 0, monotonic: () => 0 }
  const writing = steps.over(
    post({
      call,
      lower: steps.lower,
      outbox: { ...outbox, waiting: () => ({ count: 0, oldestMs: null, refusal: null }), waitsFor: () => false },
      clock,
      log,
      ...free,
    }),
  )
  const { url } = refuse
  const respond: Respond | null =
    url === null
      ? null
      : async (answer) => {
          uses.push({ ...answer })
          return url({ ...answer })
        }
  const show = whisperer({ to: { channel: 'C', thread: null }, user: 'U', respond, post: writing, log })
  return { show, uses, calls, known, log }
}

const has = (kind: string) => (args: Fields) => JSON.stringify(args['blocks'] ?? []).includes(`"${kind}"`)
const unexplained: Refusal = { kind: 'blocks', code: 'HTTP 400', waitMs: 0, details: [] }
const { messages } = whole(locks, BUTTONS, false)

test('chat.postEphemeral refuses the table: all rows and the button stand there, and it is learnt', async () => {
  const { show, calls, known } = wayThrough({ url: null, call: (args) => (has('table')(args) ? INVALID_TABLE : null) })
  expect(await show(messages)).toBe(true)
  const taken = calls.slice(1)
  for (const part of ['host-0 ', 'host-59', '"button"']) expect(JSON.stringify(taken)).toContain(part)
  expect(taken.some(has('table'))).toBe(false)
  expect(known.states().table).toBe('refused')
})

test('a response_url that gives no reason: one rung after the other, nothing learnt, and its uses are counted', async () => {
  const { show, uses, calls, known } = wayThrough({
    url: (answer) => ('blocks' in answer ? unexplained : null),
    call: () => null,
  })
  expect(await show(messages)).toBe(true)
  const tried = uses.map((one) =>
    ['table', 'expand', 'blocks'].find((kind) => JSON.stringify(one).includes(`"${kind}"`)),
  )
  expect(tried.slice(0, 4)).toEqual(['table', 'expand', 'blocks', undefined])
  expect(uses).toHaveLength(5)
  const taken = [...uses.filter((one) => !('blocks' in one)), ...calls]
  for (const part of ['host-0 ', 'host-59', 'Press']) expect(JSON.stringify(taken)).toContain(part)
  expect(known.can()).toEqual({ container: true, table: true, expand: true, blocks: true, files: true })
})

test('a spent response_url: chat.postEphemeral shows the same, whole', async () => {
  const used: Refusal = { kind: 'no', code: 'used_url', waitMs: 0, details: [] }
  const { show, uses, calls } = wayThrough({ url: () => used, call: () => null })
  expect(await show(messages)).toBe(true)
  expect([uses.length, calls.length]).toEqual([1, 1])
  expect(calls[0]?.['blocks']).toEqual(uses[0]?.['blocks'])
})

test('the beginning stands and the rest is refused: it counts as shown, is not begun again, and is logged', async () => {
  const long = { kind: 'no', code: 'cannot', waitMs: 0, details: [] } as const
  let taken = 0
  const { show, log, known } = wayThrough({
    url: null,
    call() {
      taken += 1
      return taken === 1 ? null : long
    },
  })
  await known.refused('blocks')
  expect(messages.flatMap((one) => one.again?.(['blocks']) ?? []).length).toBeGreaterThan(1)
  expect(await show(messages)).toBe(true)
  expect(taken).toBe(2)
  expect(log.lines.find(({ level }) => level === 'error')).toMatchObject({
    message: 'Slack took only the beginning of a private answer',
    data: { code: 'cannot' },
  })
})
