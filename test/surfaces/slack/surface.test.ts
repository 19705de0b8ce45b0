import { expect, test } from 'vitest'
import type { Conversation } from '../../../src/domain/conversation.ts'
import { report } from '../../../src/domain/report.ts'
import type { Threaded } from '../../../src/lab/slack/hands.ts'
import type { Bot } from './harness.ts'
import { offers, startBot } from './harness.ts'
import { healthy, running } from './reports.ts'

const small = report({ tone: 'neutral', status: 'done', title: 'You are T0DEMO:U0ANNA' })

/** The house behind the surface: a run with a beginning and an end. */
function run(bot: () => Bot) {
  return async (_: unknown, talk: Conversation) => {
    const offer = offers(bot().buttons)
    await talk.begin(running, offer)
    await talk.end(healthy, offer)
  }
}

async function parentWithDetails({ slack }: Bot): Promise<Threaded> {
  return slack.until(() => slack.messages().find(({ replies }) => replies.some(({ blocks }) => blocks.length > 1)))
}

test('a slash command becomes one message in the channel with its details in the thread', async () => {
  await using bot = await startBot(run(() => bot))
  const ack = await bot.slack.slash('/smoke', '“Say hello”')
  expect(ack.ok).toBe(true)
  const parent = await parentWithDetails(bot)
  expect(bot.slack.messages()).toHaveLength(1)
  expect(parent.text).toContain('Healthy. The model answered.')
  const [reply] = parent.replies
  const containers = reply?.blocks.filter((block) => block['type'] === 'container')
  expect(containers?.map((block) => block['default_collapsed'])).toEqual([true, false, false])
  expect(bot.slack.buttons(reply?.ts ?? '')).toEqual(['Retry', 'Retry ×2 budget', 'Thinking off', 'Raw'])
  expect(bot.asks).toMatchObject([
    {
      how: 'slash',
      said: { form: 'plain', word: 'smoke', text: '“Say hello”' },
      person: { team: bot.slack.team, id: 'U0ANNA', name: 'anna', kind: 'member' },
      place: { channel: 'C0GPU', thread: null },
      attempt: null,
    },
  ])
})

test('a slash command is acknowledged before the house has begun to think', async () => {
  const thinking = Promise.withResolvers<void>()
  await using bot = await startBot(() => thinking.promise)
  const ack = await bot.slack.slash('/smoke', 'x')
  expect(ack).toMatchObject({ ok: true, payload: {} })
  thinking.resolve()
})

test('a small answer to a slash command is seen by one person alone', async () => {
  await using bot = await startBot((_, talk) => talk.end(small, offers(new Map())))
  await bot.slack.slash('/pilotflame', 'whoami')
  const message = await bot.slack.until(() => bot.slack.messages()[0])
  expect(message).toMatchObject({ onlyFor: 'U0ANNA', text: 'ℹ️ You are T0DEMO:U0ANNA' })
})

test('a slash word that is not ours is answered too', async () => {
  await using bot = await startBot(async () => {})
  await bot.slack.slash('/vllm', 'status')
  const message = await bot.slack.until(() => bot.slack.messages()[0])
  expect(message.text).toContain('/vllm is not one of my commands. Next: /pilotflame help')
  expect(bot.asks).toEqual([])
})

test('a mention is answered in its thread, once, though Slack delivers it twice', async () => {
  await using bot = await startBot((_, talk) => talk.end(small, offers(new Map())))
  const { ts } = bot.slack.mention('whoami')
  const parent = await bot.slack.until(() => bot.slack.messages().find(({ replies }) => replies.length > 0))
  expect(parent.ts).toBe(ts)
  expect(bot.asks).toMatchObject([{ how: 'mention', said: { form: 'encoded' }, place: { thread: null } }])
})

test('a reply without mention is heard in threads only, and silence stays silence', async () => {
  await using bot = await startBot(async () => {})
  const { ts } = bot.slack.mention('smoke hello')
  bot.slack.reply('thanks', { thread: ts })
  await bot.until(() => bot.asks.length === 2)
  expect(bot.asks[1]).toMatchObject({ how: 'thread', place: { channel: 'C0GPU', thread: ts } })
  expect(bot.slack.messages().flatMap(({ replies }) => replies)).toHaveLength(1)
})

test('our own messages and those of other bots are not heard', async () => {
  await using bot = await startBot((_, talk) => talk.end(small, offers(new Map())))
  const { ts } = bot.slack.mention('whoami')
  await bot.slack.until(() => bot.slack.messages()[0]?.replies.length === 1)
  bot.slack.reply('from slackbot', { thread: ts, as: 'U0PILOT' })
  bot.slack.reply('last', { thread: ts })
  await bot.until(() => bot.asks.length === 2)
  expect(bot.asks.map(({ person }) => person.id)).toEqual(['U0ANNA', 'U0ANNA'])
})

test('a press runs the stored line in the thread, as the person who presses', async () => {
  await using bot = await startBot(run(() => bot))
  await bot.slack.slash('/smoke', 'hello')
  const parent = await parentWithDetails(bot)
  await bot.slack.press(parent.replies[0]?.ts ?? '', 'Retry ×2 budget', 'U0BEN')
  await bot.until(() => bot.asks.length === 2)
  expect(bot.asks[1]).toMatchObject({
    how: 'button',
    said: { form: 'plain', word: null, text: 'retry --max-tokens 8192' },
    person: { id: 'U0BEN', kind: 'member' },
    place: { channel: 'C0GPU', thread: parent.ts },
    attempt: 'attempt-1',
  })
  await bot.slack.until(() => bot.slack.messages()[0]?.replies.length === 3)
  expect(bot.slack.messages()).toHaveLength(1)
})

test('a double click runs once and says so, and keeps nobody else from pressing', async () => {
  await using bot = await startBot(run(() => bot))
  await bot.slack.slash('/smoke', 'hello')
  const parent = await parentWithDetails(bot)
  const details = parent.replies[0]?.ts ?? ''
  await Promise.all([bot.slack.press(details, 'Retry ×2 budget'), bot.slack.press(details, 'Retry ×2 budget')])
  const told = await bot.slack.until(() => bot.slack.messages()[0]?.replies.find(({ onlyFor }) => onlyFor !== null))
  expect(told.text).toContain('it runs once')
  expect(bot.asks).toHaveLength(2)
  await bot.slack.press(details, 'Retry ×2 budget', 'U0BEN')
  await bot.until(() => bot.asks.length === 3)
  expect(bot.asks[2]?.person.id).toBe('U0BEN')
})

test('a press on a question tells the house which one, so that it is answered once', async () => {
  await using bot = await startBot(run(() => bot))
  await bot.slack.slash('/smoke', 'hello')
  const parent = await parentWithDetails(bot)
  for (const [id, button] of bot.buttons) bot.buttons.set(id, { ...button, once: true })
  await bot.slack.press(parent.replies[0]?.ts ?? '', 'Retry')
  await bot.until(() => bot.asks.length === 2)
  expect(bot.buttons.has(bot.asks[1]?.once ?? '')).toBe(true)
})

test.each([
  ['unknown', (bot: Bot) => bot.buttons.clear()],
  [
    'expired',
    (bot: Bot) => {
      for (const [id, button] of bot.buttons) bot.buttons.set(id, { ...button, expires: 1 })
    },
  ],
])('a button that is %s says so and runs nothing', async (_, spoil) => {
  await using bot = await startBot(run(() => bot))
  await bot.slack.slash('/smoke', 'hello')
  const parent = await parentWithDetails(bot)
  spoil(bot)
  await bot.slack.press(parent.replies[0]?.ts ?? '', 'Retry')
  const told = await bot.slack.until(() => bot.slack.messages()[0]?.replies.find(({ onlyFor }) => onlyFor !== null))
  expect(told.text).toContain('That button has expired; nothing was run.')
  expect(bot.asks).toHaveLength(1)
})

test('a guest is told apart', async () => {
  await using bot = await startBot((_, talk) => talk.end(small, offers(new Map())))
  await bot.slack.slash('/smoke', 'hello', 'U0GUEST')
  await bot.slack.until(() => bot.slack.messages().length === 1)
  expect(bot.asks[0]?.person.kind).toBe('guest')
})

test('where people cannot be looked up nobody is a member', async () => {
  await using bot = await startBot((_, talk) => talk.end(small, offers(new Map())))
  bot.slack.fault('users.info', { kind: 'error', error: 'missing_scope' })
  await bot.slack.slash('/smoke', 'hello')
  await bot.slack.until(() => bot.slack.messages().length === 1)
  expect(bot.asks[0]?.person).toMatchObject({ kind: 'unknown', name: 'anna' })
})

test('an exception of the house is logged and answered', async () => {
  await using bot = await startBot(async () => {
    throw new Error('the store says hunter2')
  })
  await bot.slack.slash('/smoke', 'hello')
  const message = await bot.slack.until(() => bot.slack.messages()[0])
  expect(message.text).toContain('That failed inside the bot: the store says [redacted].')
  expect(bot.log.lines).toContainEqual(
    expect.objectContaining({ level: 'error', message: 'An ask failed inside the bot' }),
  )
})

test('where the bot is no member the person learns it at once and still gets the answer', async () => {
  await using bot = await startBot(run(() => bot))
  bot.slack.fault('chat.postMessage', { kind: 'error', error: 'not_in_channel' }, 2)
  await bot.slack.slash('/smoke', 'hello')
  const messages = await bot.slack.until(() => bot.slack.messages().length === 2 && bot.slack.messages())
  expect(messages.map(({ onlyFor }) => onlyFor)).toEqual(['U0ANNA', 'U0ANNA'])
  expect(messages[0]?.text).toContain('/invite @pilotflame')
  expect(messages[1]?.text).toContain('Healthy. The model answered.')
  expect(messages[1]?.text).toContain('Hello! 👋 How can I help you today?')
})

test.each([
  ['invalid_blocks', 'Slack refused a message; it goes out in a plainer form'],
  ['msg_blocks_too_long', 'Slack refused the blocks of a message; its words go alone'],
])('blocks that Slack refuses (%s) go in another form, and the log says what it disliked', async (error, logged) => {
  await using bot = await startBot(run(() => bot))
  await bot.slack.slash('/smoke', 'hello')
  await parentWithDetails(bot)
  bot.slack.fault('chat.postMessage', { kind: 'error', error })
  await bot.slack.slash('/smoke', 'again')
  const second = await bot.slack.until(() => bot.slack.messages()[1]?.replies[0] && bot.slack.messages()[1])
  expect(second.replies[0]?.text).toContain('Hello! 👋 How can I help you today?')
  expect(bot.log.lines).toContainEqual(
    expect.objectContaining({ message: logged, data: expect.objectContaining({ code: error }) }),
  )
})

test('the verdict waits for Retry-After and is never lost', async () => {
  await using bot = await startBot(run(() => bot))
  bot.slack.fault('chat.update', { kind: 'rate-limited', retryAfter: 1 })
  await bot.slack.slash('/smoke', 'hello')
  const parent = await parentWithDetails(bot)
  expect(parent.text).toContain('Healthy. The model answered.')
})

test('a post whose answer was lost is not posted twice', async () => {
  await using bot = await startBot((_, talk) => talk.end(small, offers(new Map())), { times: { lookAfterMs: 0 } })
  bot.slack.fault('chat.postMessage', { kind: 'lost' })
  bot.slack.mention('whoami')
  await bot.slack.until(() => bot.slack.calls().some(({ method }) => method === 'conversations.replies'))
  await bot.surface.stop()
  expect(bot.slack.messages()[0]?.replies.map(({ onlyFor }) => onlyFor)).toEqual([null])
})

test('a long text goes to a file in the thread', async () => {
  const long = report({
    ...healthy,
    sections: [{ kind: 'content', title: 'Content (9,000 tokens)', body: 'word '.repeat(9_000), folded: false }],
  })
  await using bot = await startBot(async (_, talk) => {
    await talk.begin(running, offers(bot.buttons))
    await talk.end(long, offers(bot.buttons))
  })
  await bot.slack.slash('/smoke', 'hello')
  const file = await bot.slack.until(() => bot.slack.messages()[0]?.replies.flatMap(({ files }) => files)[0])
  expect(file).toMatchObject({ name: 'content.txt' })
  expect(file.bytes).toHaveLength(45_000)
})

test('a file that cannot be uploaded is said in words', async () => {
  await using bot = await startBot(async (_, talk) => {
    await talk.begin(running, offers(bot.buttons))
    await talk.end({ ...healthy, files: [{ name: 'raw.txt', text: 'raw' }] }, offers(bot.buttons))
  })
  bot.slack.fault('files.getUploadURLExternal', { kind: 'error', error: 'file_uploads_disabled' })
  await bot.slack.slash('/smoke', 'hello')
  const note = await bot.slack.until(() =>
    bot.slack.messages()[0]?.replies.find(({ text }) => text.includes('raw.txt')),
  )
  expect(note.text).toContain('raw.txt could not be uploaded: Slack says file_uploads_disabled.')
})

test.each(['warning', 'refresh_requested'] as const)(
  'the socket comes back after a disconnect (%s)',
  async (reason) => {
    await using bot = await startBot((_, talk) => talk.end(small, offers(new Map())))
    bot.slack.disconnect(reason)
    await bot.slack.until(() => bot.slack.connections() === 0)
    await bot.slack.until(() => bot.slack.connections() === 1)
    await bot.slack.slash('/pilotflame', 'whoami')
    await bot.slack.until(() => bot.slack.messages().length === 1)
  },
)

test('a token that is refused while running does not end the process: it is logged and tried again', async () => {
  await using bot = await startBot((_, talk) => talk.end(small, offers(new Map())))
  bot.slack.fault('apps.connections.open', { kind: 'error', error: 'invalid_auth' })
  bot.slack.disconnect('warning')
  await bot.until(() => bot.log.lines.some(({ message }) => message === 'The Slack socket cannot be opened'))
  await bot.until(() => bot.log.lines.some(({ message }) => message === 'The Slack socket is open again'))
  const said = bot.log.lines.find(({ message }) => message === 'The Slack socket cannot be opened')?.data?.['said']
  expect(said).toContain('app token (SLACK_APP_TOKEN): Slack says invalid_auth. Next: make one with connections:write')
})

test('stop waits for what is being answered', async () => {
  let done = false
  const waiting = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const bot = await startBot(async () => {
    begun.resolve()
    await waiting.promise
    done = true
  })
  await bot.slack.slash('/smoke', 'hello')
  await begun.promise
  const stopped = bot.surface.stop()
  waiting.resolve()
  await stopped
  expect(done).toBe(true)
  await bot.slack.until(() => bot.slack.connections() === 0)
  await bot.slack.close()
})
