import { expect, test } from 'vitest'
import { report } from '../../../src/domain/report.ts'
import type { Bot } from './harness.ts'
import { startBot } from './harness.ts'

const HELLO = report({
  tone: 'neutral',
  status: 'done',
  title: 'Hello. I prove that your models work.',
  sections: [{ kind: 'code', title: 'In pilotflame.yml', body: 'slack:\n  channels:\n    C0GPU: {}', folded: false }],
})

async function greeting(asked: string[] = []): Promise<Bot> {
  const welcome = async (channel: string) => {
    asked.push(channel)
    return HELLO
  }
  return startBot(async () => {}, { welcome })
}

let events = 0

/** Somebody came into a channel, as Slack tells it. */
function joined({ slack }: Bot, user: string, given: { readonly id?: string; readonly stamp?: string } = {}) {
  events += 1
  const { id = `Ev${events}`, stamp = `1700000000.${String(events).padStart(6, '0')}` } = given
  const event = { type: 'member_joined_channel', user, channel: 'C0GPU', channel_type: 'C', team: slack.team }
  return slack.raw({
    type: 'event_callback',
    team_id: slack.team,
    api_app_id: 'A0PILOT',
    event_id: id,
    event_time: 1_700_000_000,
    authorizations: [{ team_id: slack.team, user_id: slack.botUser, is_bot: true, is_enterprise_install: false }],
    event: { ...event, inviter: 'U0ANNA', event_ts: stamp },
  })
}

const posted = ({ slack }: Bot) => slack.calls().filter(({ method }) => method === 'chat.postMessage')

test('invited to a channel it says hello there, in one message with what to do', async () => {
  const asked: string[] = []
  await using bot = await greeting(asked)
  await joined(bot, bot.slack.botUser)
  const message = await bot.slack.until(() => bot.slack.messages()[0])
  expect(asked).toEqual(['C0GPU'])
  expect(message).toMatchObject({ channel: 'C0GPU', thread: null, onlyFor: null, replies: [] })
  expect(message.text).toContain('Hello. I prove that your models work.')
  expect(JSON.stringify(message.blocks)).toContain('C0GPU: {}')
})

test('one invitation that is delivered twice gets one hello, another one another', async () => {
  await using bot = await greeting()
  const same = { id: 'Ev0SAME', stamp: '1700000001.000100' }
  await joined(bot, bot.slack.botUser, same)
  await joined(bot, bot.slack.botUser, same)
  // by another connection: another event id, the same moment
  await joined(bot, bot.slack.botUser, { ...same, id: 'Ev0OTHER' })
  await joined(bot, bot.slack.botUser)
  await bot.slack.until(() => bot.slack.messages().length === 2)
  expect(posted(bot)).toHaveLength(2)
})

test('people who come into the channel are not greeted', async () => {
  const asked: string[] = []
  await using bot = await greeting(asked)
  await joined(bot, 'U0ANNA')
  await joined(bot, bot.slack.botUser)
  await bot.slack.until(() => bot.slack.messages()[0])
  expect({ asked, posts: posted(bot).length }).toEqual({ asked: ['C0GPU'], posts: 1 })
})

test('a hello that cannot be made or posted is logged, and the bot goes on', async () => {
  await using bot = await startBot(async () => {}, {
    welcome: async () => {
      throw new Error('the store is gone')
    },
  })
  await joined(bot, bot.slack.botUser)
  await bot.until(() => bot.log.lines.some(({ message }) => message === 'The hello in a channel failed'))
  await bot.slack.slash('/smoke', 'hi')
  await bot.until(() => bot.asks.length === 1)
  expect(posted(bot)).toHaveLength(0)
})
