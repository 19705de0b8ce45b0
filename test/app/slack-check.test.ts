import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStore } from '../../src/adapters/store-sqlite.ts'
import { slackCheck, tryOut } from '../../src/app/slack-check.ts'
import { nothingSet } from '../../src/config.ts'
import type { SlackStandIn } from '../../src/lab/slack/index.ts'
import { startSlack } from '../../src/lab/slack/index.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pilotflame-check-'))
})
afterAll(() => rm(folder, { recursive: true }))

function screen() {
  const lines: string[] = []
  return { write: (text: string) => void lines.push(text), text: () => lines.join('') }
}

interface Run {
  readonly status: number
  readonly out: string
  readonly err: string
}

async function check(
  slack: SlackStandIn,
  other: { channel?: string; json?: boolean; store?: string; waits?: number[] } = {},
): Promise<Run> {
  const [out, err] = [screen(), screen()]
  const { channel = 'C0GPU', json = false, store = ':memory:', waits = [] } = other
  const pause = async (ms: number) => void waits.push(ms)
  const settings = { botToken: slack.botToken, appToken: slack.appToken, apiUrl: slack.apiUrl }
  const config = { ...nothingSet, storePath: store, secrets: [slack.botToken] }
  const status = await tryOut({ config, settings, channel, json, out, err, pace: async () => {}, pause })
  return { status, out: out.text(), err: err.text() }
}

async function standIn(): Promise<SlackStandIn & AsyncDisposable> {
  const slack = await startSlack({ port: 0 })
  return { ...slack, [Symbol.asyncDispose]: () => slack.close() }
}

test('everything is taken: one thread, each message validated first, every rung works, status 0', async () => {
  await using slack = await standIn()
  const { status, out, err } = await check(slack)
  expect(out).toMatch(/^✓ All (\d+) messages were taken\.\n {2}@pilotflame in .* \(T0DEMO\), channel C0GPU\n/)
  const count = Number(/All (\d+)/.exec(out)?.[1])
  expect(count).toBe(21)
  expect(out).toMatch(/Answers look like +rung 0: a box\n/)
  expect(out).toMatch(/Boxes +work\n.*Tables +work\n.*Unfolded sections +work\n.*Blocks at all +work\n.*Files +work\n/s)
  expect(out).toMatch(/rung 2: a reply of words +no blocks +taken/)
  expect(err.split('\n').slice(0, 2)).toEqual([`1/${count} smoke-running`, `2/${count} smoke-healthy, 1 of 2`])
  const [parent, ...others] = slack.messages()
  expect(others).toEqual([])
  // each, and two files
  await slack.until(() => slack.messages()[0]?.replies.length === count + 2)
  expect(parent?.text).toContain(`${count} messages follow in this thread, and nothing in them is real`)
  const methods = slack.calls().map(({ method }) => method)
  expect(methods.filter((method) => method === 'blocks.validate')).toHaveLength(count - 3)
  expect(methods.indexOf('blocks.validate')).toBeLessThan(methods.lastIndexOf('chat.postMessage'))
  expect(status).toBe(0)
})

test('what is refused is named, with what Slack says and the rung that works; status 1', async () => {
  await using slack = await standIn()
  slack.refuses('container')
  slack.refuses('files')
  const { status, out } = await check(slack)
  expect(out).toMatch(/^! \d+ messages of \d+ were refused\./)
  expect(out).toMatch(/Answers look like +rung 1: a section\n/)
  expect(out).toMatch(/Boxes +refused; left out, and tried again after a day\n/)
  expect(out).toMatch(/Files +refused/)
  expect(out).toMatch(
    /rung 0: a box +unsupported type: container at \/blocks\/\d +invalid_blocks: unsupported type: container/,
  )
  expect(out).toMatch(/rung 1: a section +ok +taken/)
  expect(out).toContain('nothing has to be done')
  expect(status).toBe(1)
})

test('what was learnt is in the store, for the bot', async () => {
  await using slack = await standIn()
  const store = join(folder, 'free.db')
  slack.refuses('table')
  const { out } = await check(slack, { store })
  expect(out).toContain(`in ${store}, for the bot`)
  const opened = await openStore({ path: store, redact: String })
  if (!opened.ok) throw new Error(opened.failure.observed)
  const noted = await opened.value.noted('slack:T0DEMO')
  await opened.value.close()
  expect(noted.ok && JSON.parse(noted.value ?? '')).toMatchObject({
    container: { state: 'works' },
    table: { state: 'refused' },
  })
})

test('where a running bot holds the store, it says so and tries all the same', async () => {
  await using slack = await standIn()
  const store = join(folder, 'held.db')
  const held = await openStore({ path: store, redact: String })
  const { status, out } = await check(slack, { store })
  if (held.ok) await held.value.close()
  expect(out).toContain('a running bot holds the store. It learns the same by itself')
  expect(status).toBe(0)
})

test('--json prints one document', async () => {
  await using slack = await standIn()
  const { out } = await check(slack, { json: true })
  const read: unknown = JSON.parse(out)
  expect(read).toMatchObject({
    status: 'done',
    team: 'T0DEMO',
    channel: 'C0GPU',
    states: { container: 'works', table: 'works', expand: 'works', blocks: 'works', files: 'works' },
  })
  expect(out.trimEnd().split('\n')).toHaveLength(1)
})

test('a server without blocks.validate is no fault', async () => {
  await using slack = await standIn()
  slack.fault('blocks.validate', { kind: 'error', error: 'unknown_method' }, 100)
  const { status, out } = await check(slack)
  expect(out).toMatch(/rung 0: a box +not offered +taken/)
  expect(status).toBe(0)
})

test('a channel without the bot: the invitation to type', async () => {
  await using slack = await standIn()
  const { status, err } = await check(slack, { channel: 'C0QUIET' })
  expect(err).toContain('channel C0QUIET: Slack says not_in_channel. Next: in that channel: /invite @pilotflame')
  expect(status).toBe(1)
})

test('a refused token is named, and not printed', async () => {
  await using slack = await standIn()
  const { status, out, err } = await check({ ...slack, botToken: 'xoxb-wrong-0123456789' })
  expect(err).toContain('bot token (SLACK_BOT_TOKEN): Slack says invalid_auth')
  expect(`${out}${err}`).not.toContain('xoxb-wrong')
  expect(status).toBe(1)
})

test('Slack that breaks off in the middle: it could not be reached, status 1', async () => {
  await using slack = await standIn()
  slack.fault('chat.postMessage', { kind: 'slow', ms: 1 }, 4)
  slack.fault('chat.postMessage', { kind: 'reset' })
  const { status, out, err } = await check(slack)
  expect(err).toContain('try again in a minute')
  expect(out).toBe('')
  expect(status).toBe(1)
})

test('too fast: it waits as long as Slack says and goes on; more than a minute is left to the person', async () => {
  await using slack = await standIn()
  const waits: number[] = []
  slack.fault('chat.postMessage', { kind: 'rate-limited', retryAfter: 7 })
  expect((await check(slack, { waits })).status).toBe(0)
  slack.fault('chat.postMessage', { kind: 'rate-limited', retryAfter: 61 })
  expect((await check(slack, { waits })).status).toBe(1)
  expect(waits).toEqual([7_000])
})

test.each([
  [[], 'slack: "" is not known. Usage: pilotflame slack check --channel ID'],
  [['chek'], 'slack: "chek" is not known'],
  [['check'], 'slack check: name one channel. Usage:'],
  [['check', '--channel'], 'slack check: name one channel'],
  [['check', '--channel', 'C0GPU', 'more'], 'slack check: name one channel'],
  [
    ['check', '--channel', '#gpu'],
    'slack check: "#gpu" is no id of a channel. Next: in Slack, click the channel’s name',
  ],
  [['check', '--channel=general'], '"general" is no id of a channel'],
])('wrong use: slack %j', async (words, says) => {
  const err = screen()
  expect(await slackCheck(words, screen(), err)).toBe(2)
  expect(err.text()).toContain(says)
})
