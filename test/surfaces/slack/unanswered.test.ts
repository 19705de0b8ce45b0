import { expect, test } from 'vitest'
import type { Place } from '../../../src/domain/ask.ts'
import type { OpenAsk } from '../../../src/domain/open-ask.ts'
import { written } from '../../../src/surfaces/slack/escape.ts'
import type { Message } from '../../../src/surfaces/slack/pages.ts'
import type { Sent } from '../../../src/surfaces/slack/post.ts'
import type { Refusal } from '../../../src/surfaces/slack/refusal.ts'
import { tellLost, tellRestarted } from '../../../src/surfaces/slack/unanswered.ts'
import { recordingLog } from './harness.ts'

const ask: OpenAsk = {
  id: 'a',
  how: 'slash',
  at: 0,
  keys: ['a'],
  user: 'U0ANNA',
  to: { channel: 'C0GPU', thread: '1.2' },
}
const no: Refusal = { kind: 'no', code: 'user_not_in_channel', waitMs: 0, details: [] }
const down: Refusal = { kind: 'unknown', code: 'HTTP 503', waitMs: 0, details: [] }
const refusedFor = (refusal: Refusal): Sent => ({ ok: false, refusal })
const taken: Sent = { ok: true, ts: '1' }

/** A Slack that answers so in private, then to each message in turn; and what was said by name. */
function slackWith(inPrivate: Sent, ...messages: readonly Sent[]) {
  const said: { readonly to: string; readonly text: string }[] = []
  const post = {
    privately: async () => inPrivate,
    async message(to: Place, { text, blocks }: Message) {
      said.push({ to: `${to.channel} ${to.thread}`, text: blocks.length === 0 ? written(text) : 'blocks' })
      return messages[said.length - 1] ?? refusedFor(no)
    },
  }
  return { said, needs: { post, log: recordingLog(), clock: { now: () => 60_000 } } }
}

const WORDS = 'may not have answered you. Nothing goes on. Next: where you see no answer, ask again.'
const LOST = `<@U0ANNA> Slack refused an answer, and Pilotflame ${WORDS}`

test.each([
  ['in private', taken, [], 'told', []],
  ['later where Slack is not reached', refusedFor(down), [], 'later', []],
  ['by name in the thread', refusedFor(no), [taken], 'told', ['C0GPU 1.2']],
  [
    'directly where the channel is closed too',
    refusedFor(no),
    [refusedFor(no), taken],
    'told',
    ['C0GPU 1.2', 'U0ANNA null'],
  ],
  ['by nobody after these two', refusedFor(no), [], 'no', ['C0GPU 1.2', 'U0ANNA null']],
] as const)('whoever got no answer is told %s', async (_, inPrivate, messages, told, places) => {
  const { said, needs } = slackWith(inPrivate, ...messages)
  expect(await tellLost(ask, { isRefused: true, respond: null }, needs)).toBe(told)
  expect(said).toEqual(places.map((to) => ({ to, text: LOST })))
  const restarted = slackWith(inPrivate, ...messages)
  expect(await tellRestarted(ask, restarted.needs)).toBe(told)
  expect(restarted.said).toEqual(places.map((to) => ({ to, text: `<@U0ANNA> Pilotflame was restarted and ${WORDS}` })))
})

test.each([
  ['takes it', null, 60_000, 'told', 0],
  ['may take it another time', down, 60_000, 'later', 0],
  ['is over after 30 min', down, 30 * 60_000, 'told', 1],
  ['is used up', { ...no, code: 'used_url' }, 60_000, 'told', 1],
] as const)('the response_url goes before a line by name: it %s', async (_, refusal, now, told, lines) => {
  const { said, needs } = slackWith(refusedFor(no), taken)
  const lost = { isRefused: false, respond: async () => refusal }
  expect(await tellLost(ask, lost, { ...needs, clock: { now: () => now } })).toBe(told)
  expect(said.length).toBe(lines)
})
