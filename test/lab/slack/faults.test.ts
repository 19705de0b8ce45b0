import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Fault } from '../../../src/lab/slack/faults.ts'
import type { SlackStandIn } from '../../../src/lab/slack/index.ts'
import { startSlack } from '../../../src/lab/slack/index.ts'
import { call, listen, payloadOf } from './client.ts'

const time = { ms: 0 }
let slack: SlackStandIn

beforeEach(async () => {
  time.ms = 0
  slack = await startSlack({ port: 0, clock: { now: Date.now, monotonic: () => time.ms } })
})
afterEach(() => slack.close())

function ask(method: string, channel: string, signal: AbortSignal | null = null) {
  return fetch(`${slack.apiUrl}${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${slack.botToken}` },
    body: JSON.stringify({ channel, text: 'x' }),
    signal,
  })
}

/** The HTTP status of a post, `reset` where the connection broke. */
async function post(channel = 'C0GPU', method = 'chat.postMessage') {
  try {
    const { status, headers } = await ask(method, channel)
    return { status, after: headers.get('retry-after') }
  } catch {
    return { status: 'reset', after: null }
  }
}

const posts = (channel = 'C0GPU') => slack.messages(channel).length

describe('a fault', () => {
  test.each<[Fault, status: number | string, posted: number, isDone: boolean]>([
    [{ kind: 'rate-limited', retryAfter: 7 }, 429, 0, false],
    [{ kind: 'http', status: 503 }, 503, 0, false],
    [{ kind: 'http-after', status: 502 }, 502, 1, true],
    [{ kind: 'reset' }, 'reset', 0, false],
    [{ kind: 'lost' }, 'reset', 1, true],
  ])('%o: answered %s, %i posted, once, and told', async (fault, status, posted, isDone) => {
    slack.fault('chat.postMessage', fault)
    expect((await post()).status).toBe(status)
    expect(posts()).toBe(posted)
    expect((await post()).status).toBe(200)
    expect(slack.calls().map((one) => [one.fault, one.reply !== null])).toEqual([
      [fault.kind, isDone],
      [null, true],
    ])
  })

  test.each([
    ['hang', 0, false],
    ['hang-after', 1, true],
  ] as const)('%s is never answered, %i posted', async (kind, posted, isDone) => {
    slack.fault('chat.postMessage', { kind })
    const leave = new AbortController()
    const asked = ask('chat.postMessage', 'C0GPU', leave.signal)
    await slack.until(() => slack.calls().length === 1)
    // a call that came later has its answer
    expect((await post('C0GPU', 'auth.test')).status).toBe(200)
    expect(await Promise.race([asked, Promise.resolve('nothing')])).toBe('nothing')
    expect(slack.calls()[0]).toMatchObject({ fault: kind, reply: isDone ? { ok: true } : null })
    expect(posts()).toBe(posted)
    leave.abort()
    await expect(asked).rejects.toThrow()
  })

  test('of a channel leaves the other channels alone', async () => {
    slack.fault('chat.postMessage', { kind: 'rate-limited', retryAfter: 30 }, 2, 'C0PRIVATE')
    expect(await post('C0PRIVATE')).toEqual({ status: 429, after: '30' })
    expect((await post('C0GPU')).status).toBe(200)
    expect((await post('C0PRIVATE')).status).toBe(429)
    expect((await post('C0PRIVATE')).status).toBe(200)
  })

  test('of all methods spares the one that opens sockets, until it is healed', async () => {
    slack.fault('*', { kind: 'http', status: 500 }, 1_000)
    expect([(await post()).status, (await post('C0GPU', 'auth.test')).status]).toEqual([500, 500])
    const app = await listen(slack)
    await slack.until(() => slack.connections() === 1)
    slack.heal()
    expect((await post()).status).toBe(200)
    app.close()
  })
})

test('a fault of a response_url strikes there, is told, and is none of the Web API’s', async () => {
  const app = await listen(slack)
  await slack.until(() => slack.connections() === 1)
  await slack.slash('/smoke', 'x', 'U0ANNA')
  const url = String(payloadOf(app.heard.at(-1))['response_url'])
  const body = JSON.stringify({ text: 'an answer' })
  const use = () => fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  slack.fault('*', { kind: 'reset' })
  expect((await use()).status).toBe(200)
  slack.fault('/respond', { kind: 'http-after', status: 500 })
  expect((await use()).status).toBe(500)
  expect(posts()).toBe(2)
  const one = {
    method: '/respond',
    args: { channel: 'C0GPU', user: 'U0ANNA', text: 'an answer' },
    reply: { ok: true },
  }
  expect(slack.calls().filter(({ method }) => method === '/respond')).toMatchObject([
    { ...one, fault: null },
    { ...one, fault: 'http-after' },
  ])
  app.close()
})

describe('an outage', () => {
  test('resets calls, connections and dials, and ends', async () => {
    const app = await listen(slack)
    await slack.until(() => slack.connections() === 1)
    slack.outage(true)
    await app.closed
    expect(slack.connections()).toBe(0)
    expect((await post()).status).toBe('reset')
    expect(slack.calls().at(-1)).toMatchObject({ method: 'chat.postMessage', fault: 'outage', reply: null })
    expect(await slack.slash('/smoke', 'x')).toMatchObject({ ok: false, error: 'dispatch_failed' })
    slack.mention('raw')
    expect((await fetch(slack.url)).status).toBe(200)
    slack.outage(false)
    expect((await post()).status).toBe(200)
    const again = await listen(slack)
    const heard = await slack.until(() => again.heard.some(({ type }) => type === 'events_api'))
    expect(heard).toBe(true)
    again.close()
  })

  test('breaks a call that is under way', async () => {
    slack.fault('chat.postMessage', { kind: 'hang-after' })
    const asked = fetch(`${slack.apiUrl}chat.postMessage`, {
      method: 'POST',
      headers: { authorization: `Bearer ${slack.botToken}` },
      body: new URLSearchParams({ channel: 'C0GPU', text: 'x' }),
    })
    await slack.until(() => slack.calls().length === 1)
    slack.outage(true)
    await expect(asked).rejects.toThrow()
  })

  test('refuses an address that was given before', async () => {
    const { url } = await call({ ...slack, botToken: slack.appToken }, 'apps.connections.open', {})
    slack.outage(true)
    const socket = new WebSocket(String(url))
    await new Promise((resolve) => socket.addEventListener('error', resolve, { once: true }))
    expect(slack.connections()).toBe(0)
  })
})

describe('an enforced pace', () => {
  test('three posts at once and one a second in a channel; the next channel has its own', async () => {
    slack.enforce({ postsPerSecond: 1 })
    const burst = []
    for (let n = 0; n < 4; n++) burst.push(await post())
    expect(burst.map(({ status }) => status)).toEqual([200, 200, 200, 429])
    expect(burst[3]?.after).toBe('1')
    expect((await post('C0PRIVATE')).status).toBe(200)
    time.ms = 999
    expect((await post()).status).toBe(429)
    time.ms = 1_000
    expect([(await post()).status, (await post()).status]).toEqual([200, 429])
    expect(slack.calls().filter((one) => one.fault === 'paced')).toHaveLength(3)
  })

  test('fifty updates in any minute', async () => {
    slack.enforce({ postsPerSecond: 1 })
    const { ts } = await call(slack, 'chat.postMessage', { channel: 'C0GPU', text: 'x' })
    const update = () => call(slack, 'chat.update', { channel: 'C0GPU', ts, text: 'y' })
    const first = []
    for (let n = 0; n < 51; n++) {
      time.ms = n * 1_000
      first.push((await update())['ok'])
    }
    expect(first).toEqual([...Array(50).fill(true), false])
    time.ms = 60_000
    expect(await update()).toMatchObject({ ok: true })
    expect(await update()).toMatchObject({ error: 'ratelimited' })
    slack.enforce(null)
    expect(await update()).toMatchObject({ ok: true })
  })
})

describe('a workspace that does not take', () => {
  const box = { type: 'container', title: { type: 'plain_text', text: 'x' }, child_blocks: [{ type: 'divider' }] }
  const table = { type: 'table', rows: [[{ type: 'raw_text', text: 'x' }]] }
  const send = (blocks: readonly object[]) => call(slack, 'chat.postMessage', { channel: 'C0GPU', text: 'x', blocks })

  test.each([
    ['container', [{ type: 'divider' }, box], '/blocks/1'],
    ['table', [table], '/blocks/0'],
    ['table', [{ ...box, child_blocks: [table] }], '/blocks/0/child_blocks/0'],
    ['blocks', [{ type: 'divider' }], '/blocks/0'],
  ] as const)('%s says where', async (what, blocks, pointer) => {
    slack.refuses(what)
    const reply = await send(blocks)
    expect(reply).toMatchObject({ error: 'invalid_blocks' })
    expect(JSON.stringify(reply['errors'])).toContain(`unsupported type: `)
    expect(JSON.stringify(reply['errors'])).toContain(`[json-pointer:${pointer}]`)
    expect(await call(slack, 'blocks.validate', { blocks })).toMatchObject({ error: 'invalid_blocks' })
    slack.refuses(what, false)
    expect(await send(blocks)).toMatchObject({ ok: true })
  })

  test('files and user groups', async () => {
    slack.refuses('files')
    slack.refuses('usergroups')
    const upload = { filename: 'a.txt', length: 1 }
    expect(await call(slack, 'files.getUploadURLExternal', upload)).toMatchObject({ error: 'file_uploads_disabled' })
    const group = { usergroup: 'S0OPS' }
    expect(await call(slack, 'usergroups.users.list', group)).toMatchObject({ error: 'plan_upgrade_required' })
    slack.heal()
    expect(await call(slack, 'files.getUploadURLExternal', upload)).toMatchObject({ ok: true })
    expect(await call(slack, 'usergroups.users.list', group)).toEqual({ ok: true, users: ['U0BEN'] })
  })
})
