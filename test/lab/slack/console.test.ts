import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SlackStandIn } from '../../../src/lab/slack/index.ts'
import { startSlack } from '../../../src/lab/slack/index.ts'

let slack: SlackStandIn

beforeAll(async () => {
  slack = await startSlack({ port: 0 })
})
afterAll(() => slack.close())

/** fetch() lets nobody set Host and Origin. */
function send(method: string, path: string, headers: Record<string, string>, body = '') {
  const { host } = new URL(slack.url)
  return new Promise<number>((resolve, reject) => {
    const asked = request(`${slack.url}`, { method, path, headers: { host, ...headers } }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    asked.on('error', reject)
    asked.end(body)
  })
}

const JSON_BODY = { 'content-type': 'application/json' }
const own = () => ({ ...JSON_BODY, origin: slack.url, 'sec-fetch-site': 'same-origin' })
const say = (headers: Record<string, string>) => send('POST', '/say', headers, '{"text":"hello"}')

describe('who may type', () => {
  test('our own page, and no other', async () => {
    expect(await say(own())).toBe(200)
    expect(await say({ ...own(), origin: 'https://evil.example' })).toBe(403)
    expect(await say({ ...own(), origin: 'null' })).toBe(403)
    expect(await say({ ...own(), 'sec-fetch-site': 'cross-site' })).toBe(403)
    expect(slack.messages()).toHaveLength(1)
  })

  test('a form of another page needs no preflight, so only JSON counts', async () => {
    expect(await say({ ...own(), 'content-type': 'text/plain' })).toBe(403)
    expect(await say({ ...own(), 'content-type': 'application/x-www-form-urlencoded' })).toBe(403)
  })

  test('a name that was pointed at 127.0.0.1 is refused everywhere', async () => {
    const { port } = new URL(slack.url)
    for (const host of ['evil.example', `evil.example:${port}`, '127.0.0.1:1']) {
      expect(await say({ ...own(), host, origin: `http://${host}` })).toBe(421)
      expect(await send('GET', '/live', { host })).toBe(421)
      expect(await send('POST', '/api/auth.test', { host })).toBe(421)
    }
    expect(await send('GET', '/', { host: `localhost:${port}` })).toBe(200)
  })

  test('another page cannot use the Web API, a client without a page can', async () => {
    expect(await send('POST', '/api/auth.test', { origin: 'https://evil.example' })).toBe(403)
    expect(await send('POST', '/api/auth.test', {})).toBe(200)
  })

  test('what is no JSON, or says nothing, is a bad request', async () => {
    expect(await send('POST', '/say', own(), 'x')).toBe(400)
    expect(await send('POST', '/say', own(), '{"text":" "}')).toBe(400)
    expect(await send('POST', '/press', own(), '{"ts":"1.0","action_id":"a"}')).toBe(400)
  })
})

test('the page allows scripts and styles of its own only', async () => {
  const response = await fetch(slack.url)
  const policy = response.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
  expect(policy).not.toContain('unsafe')
  expect(await response.text()).not.toMatch(/<script>|style="|onclick/)
})

test.each(['/../index.ts', '/%2e%2e/index.ts', '/..%2findex.ts', '/index.ts', '/nothing.js', '/files/F0/x'])(
  '%s is not served',
  async (path) => {
    expect(await send('GET', path, {})).toBe(404)
  },
)

test('the team does its deeds one by one, in the usual channel, and one of them says so', async () => {
  const left = ['turned it off', 'turned it on']
  const team = {
    target: 'box',
    restart: '/sglang restart box',
    proof: '/smoke --target box',
    isProved: () => false,
    isDue: () => false,
    next: () => left[0] ?? null,
    act: () => left.shift() ?? null,
  }
  const [before, other] = [slack, await startSlack({ port: 0, team })]
  slack = other
  const act = (headers: Record<string, string>) => send('POST', '/team', headers, '{}')
  expect(await act({ ...own(), origin: 'https://evil.example' })).toBe(403)
  expect([await act(own()), await act(own()), await act(own())]).toEqual([200, 200, 400])
  expect(slack.messages()).toMatchObject([
    { user: 'U0BEN', channel: 'C0GPU', text: 'turned it off' },
    { user: 'U0BEN', channel: 'C0GPU', text: 'turned it on' },
  ])
  slack = before
  expect(await act(own())).toBe(400)
  await other.close()
})

test.each<[next: string | null, isProved: boolean, proof: string | null]>([
  ['turns it on', false, null],
  [null, false, '/smoke --target box'],
  [null, true, null],
])('with %s left to the team, proved: %j, the page is told to prove it by %s', async (next, isProved, proof) => {
  const team = {
    ...{ target: 'box', restart: '/sglang restart box', proof: '/smoke --target box' },
    ...{ isProved: () => isProved, isDue: () => false, next: () => next, act: () => null },
  }
  const other = await startSlack({ port: 0, team })
  const { body } = await fetch(`${other.url}/live`)
  const first = await body?.getReader().read()
  const [, hello = '{}'] = /^event: hello\ndata: (.*)$/m.exec(new TextDecoder().decode(first?.value)) ?? []
  expect(JSON.parse(hello)).toMatchObject({ team: { target: 'box', next, restart: null, proof } })
  await other.close()
})
