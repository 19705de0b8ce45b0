import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Demo } from '../../src/demo.ts'
import { startDemo } from '../../src/demo.ts'

const SILENT = { debug() {}, info() {}, warn() {}, error() {} }
let demo: Demo

beforeAll(async () => {
  const started = await startDemo({ port: 0, log: SILENT, config: null, tokensPerSecond: 400 })
  if (!started.ok) throw new Error(started.failure.observed)
  demo = started.value
})
afterAll(() => demo.close())

/** Types on the console's page. */
async function say(text: string, channel: string): Promise<number> {
  const headers = { 'content-type': 'application/json' }
  const sent = await fetch(`${demo.url}/say`, { method: 'POST', headers, body: JSON.stringify({ text, in: channel }) })
  return sent.status
}

const texts = (channel: string) =>
  demo.slack.messages(channel).map((one) => `${one.text} ${JSON.stringify(one.blocks)}`)

test('doctor finds nothing in the demo as it is shipped but the server whose first start failed', async () => {
  const before = demo.slack.messages('C0GPU').length
  await demo.slack.slash('/pilotflame', 'doctor')
  await demo.slack.until(() => texts('C0GPU').slice(before).join('').includes('checks'), 10_000)
  const said = texts('C0GPU').slice(before).join('\n')
  expect(said).toMatch(/1 of \d+ checks found a fault/)
  expect(said.match(/[✗!] target \w+/g)).toEqual(expect.arrayContaining(['✗ target field']))
  expect(said).not.toMatch(/[✗!] (?!target field)/)
})

test('/invite on the page brings the bot into a channel, which says hello; anybody else is not invited', async () => {
  expect(await say('/invite @ben', 'C0QUIET')).toBe(200)
  expect(texts('C0QUIET').at(-1)).toContain('Invite the bot: /invite @pilotflame')
  expect(await say('/invite @pilotflame', 'C0QUIET')).toBe(200)
  await demo.slack.until(() => texts('C0QUIET').some((text) => text.includes('Hello. I prove that your models work')))
  expect(demo.slack.channels.find(({ id }) => id === 'C0QUIET')?.member).toBe(true)
  expect(texts('C0QUIET').filter((text) => text.includes('has joined the channel'))).toHaveLength(1)
  await say('/invite @pilotflame', 'C0QUIET')
  expect(texts('C0QUIET').at(-1)).toContain('is in this channel already')
})

test('whoami in the console shows no line that config check would refuse', async () => {
  const before = demo.slack.messages('C0GPU').length
  await demo.slack.slash('/pilotflame', 'whoami')
  await demo.slack.until(() => texts('C0GPU').length > before)
  const said = texts('C0GPU').slice(before).join('\n')
  expect(said).toContain('made up by the console')
  expect(said).not.toContain('channels:')
})
