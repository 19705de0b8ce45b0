import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { LookupAddress } from 'node:dns'
import type { Socket } from 'node:net'

import { beforeEach, expect, onTestFinished, test } from 'vitest'

import { openApi } from '../../src/adapters/http.ts'
import type { Resolve } from '../../src/adapters/http-url.ts'
import { replyJson, serve, silent } from './http-server.ts'
import { failureIn, keep, never, open } from './tidy.ts'

const GET = { method: 'GET', path: '/x', patienceMs: 2_000 } as const

/** The addresses that this process tried to connect to. */
const tried: string[] = []

beforeEach(() => {
  tried.length = 0
  const opened = (message: unknown) => {
    if (!hasSocket(message)) return
    message.socket.on('connectionAttempt', (address: string) => tried.push(address))
  }
  subscribe('net.client.socket', opened)
  onTestFinished(() => void unsubscribe('net.client.socket', opened))
})

function hasSocket(message: unknown): message is { readonly socket: Socket } {
  return typeof message === 'object' && message !== null && 'socket' in message
}

const SPELLINGS = [
  '169.254.169.254',
  '169.254.169.254.',
  '169.254.43518',
  '169.16689662',
  '2852039166',
  '0xa9fea9fe',
  '0XA9FEA9FE',
  '0xa9.0xfe.0xa9.0xfe',
  '0xa9.254.0251.254',
  '0251.0376.0251.0376',
  '025177524776',
  '0000000251.000376.0251.0376',
  '169%2e254%2e169%2e254',
  '%31%36%39.254.169.254',
  '１６９.２５４.１６９.２５４',
  '169。254。169。254',
  '①⑥⑨.②⑤④.①⑥⑨.②⑤④',
  '169.254.0.0',
  '169.254.170.2',
  '169.254.255.255',
  '[::ffff:169.254.169.254]',
  '[::FFFF:A9FE:A9FE]',
  '[0:0:0:0:0:ffff:a9fe:a9fe]',
  '[::169.254.169.254]',
  '[::a9fe:a9fe]',
  '[::ffff:0:169.254.169.254]',
  '[64:ff9b::169.254.169.254]',
  '[0064:ff9b:0000::a9fe:a9fe]',
  '[64:ff9b:1::a9fe:a9fe]',
  '[2002:a9fe:a9fe::]',
  '[fe80::1]',
  '[FE80:0:0:0:0:0:0:1]',
  '[fe80::a9fe:a9fe]',
  '[febf:ffff::1]',
  '[fd00:ec2::254]',
  '[fd00:0ec2:0000:0000:0000:0000:0000:0254]',
  '[fd20:ce::254]',
  '100.100.100.200',
  '1684301000',
  '[::ffff:100.100.100.200]',
  '168.63.129.16',
  '192.0.0.192',
  'metadata',
  'METADATA.google.internal',
  'metadata.google.internal.',
  'metadata.goog',
  'instance-data',
]

test('at least 40 spellings, none twice', () => {
  expect(new Set(SPELLINGS).size).toBe(SPELLINGS.length)
  expect(SPELLINGS.length).toBeGreaterThanOrEqual(40)
})

test.for(SPELLINGS)('%s is never called', (host) => {
  for (const scheme of ['http', 'https']) {
    const made = openApi({ name: 'target qwen', url: `${scheme}://${host}:80/`, apiKey: null, dial: null, log: silent })
    expect(failureIn(made)).toMatchObject({
      kind: 'url',
      observed: expect.stringMatching(/link-local|metadata/),
      next: expect.stringContaining('never called'),
    })
  }
})

/** A name service that gives these answers one after another, the last for ever. */
function answering(...answers: readonly (readonly string[])[]): Resolve {
  const left = [...answers]
  return (_name, _options, callback) => {
    const now = (left.length > 1 ? left.shift() : left[0]) ?? []
    const addresses: LookupAddress[] = now.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    callback(null, addresses)
  }
}

test.for([
  [['169.254.169.254']],
  [['127.0.0.1', '169.254.169.254']],
  [['169.254.169.254', '127.0.0.1']],
  [['::ffff:169.254.169.254']],
  [['::ffff:a9fe:a9fe']],
  [['64:ff9b::a9fe:a9fe']],
  [['2002:a9fe:a9fe::1']],
  [['fe80::1%lo']],
  [['fd00:ec2::254']],
  [['fd20:ce::254']],
  [['100.100.100.200']],
  [['168.63.129.16']],
  [['10.0.0.5', '192.0.0.192']],
] as const)('a name that means %j is not called', async ([addresses]) => {
  for (const scheme of ['http', 'https']) {
    const api = open(`${scheme}://gpu-box.example`, { resolve: answering(addresses) })
    expect(failureIn(await api.json(GET, never))).toMatchObject({
      kind: 'url',
      thing: 'URL of target qwen',
      observed: expect.stringMatching(/^found gpu-box\.example, which is the (?:link-local|metadata) address /),
      next: expect.stringContaining('never called'),
    })
  }
  expect(tried).toEqual([])
})

test('a name that changes its meaning is called no more', async () => {
  let calls = 0
  const server = await keep(
    serve((_, response) => {
      calls += 1
      response.setHeader('connection', 'close')
      replyJson(response, {})
    }),
  )
  const resolve = answering(['127.0.0.1'], ['127.0.0.1'], ['169.254.169.254'])
  const api = open(`http://gpu-box.example:${server.port}`, { resolve })
  const ends = []
  for (let round = 0; round < 4; round += 1) ends.push(await api.json(GET, never))
  expect(ends.map((end) => (end.ok ? 'ok' : end.failure.kind))).toEqual(['ok', 'ok', 'url', 'url'])
  expect(calls).toBe(2)
  expect(tried).toEqual(['127.0.0.1', '127.0.0.1'])
})
