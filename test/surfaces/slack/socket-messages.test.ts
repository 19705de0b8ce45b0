import { once } from 'node:events'
import type { Server } from 'node:http'
import { createServer } from 'node:http'
import { WebClient } from '@slack/web-api'
import { expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { openWire } from '../../../src/adapters/http-web-socket.ts'
import { boltLog } from '../../../src/surfaces/slack/bolt-log.ts'
import type { SocketTimes } from '../../../src/surfaces/slack/receiver.ts'
import { sockets } from '../../../src/surfaces/slack/receiver.ts'
import { recordingLog } from './harness.ts'

/** A Slack that only knows sockets: it says hello and then what the test wants. */
async function bareSlack(
  greeting: readonly unknown[],
): Promise<{ apiUrl: string; server: Server; sockets: WebSocketServer }> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ ok: true, url: `ws://127.0.0.1:${portOf(server)}/link` }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const all = new WebSocketServer({ server })
  all.on('connection', (one) => {
    for (const message of greeting) one.send(typeof message === 'string' ? message : JSON.stringify(message))
  })
  return { apiUrl: `http://127.0.0.1:${portOf(server)}/api/`, server, sockets: all }
}

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

const clock = { now: () => Date.now(), monotonic: () => performance.now() }

function socketsOn(slackApiUrl: string, log: ReturnType<typeof recordingLog>, times: Partial<SocketTimes> = {}) {
  return sockets({ client: () => new WebClient('xapp-1', { slackApiUrl }), openWire, clock, log, times })
}

test.each([
  ['link_disabled', 'it says disconnect (link_disabled) before hello', 'turn on Socket Mode'],
  ['too_many_websockets', 'it says disconnect (too_many_websockets) before hello', 'stop other programs'],
  [null, 'it says disconnect (no reason) before hello', 'check DNS'],
])('%s instead of a hello is the reason, and the host of the socket is named', async (reason, observed, next) => {
  const slack = await bareSlack([{ type: 'disconnect', reason }])
  const line = socketsOn(slack.apiUrl, recordingLog(), { startMs: -1 })
  const thing = expect.stringMatching(/^Slack \(ws:\/\/127\.0\.0\.1:\d+\)$/)
  const failure = { kind: 'lost', thing, observed, next: expect.stringContaining(next) }
  expect(await line.open()).toEqual({ ok: false, failure })
})

test.each([
  ['without a type', { envelope_id: '1' }],
  ['that is no JSON', 'oops {'],
  ['that is no object', [1, 2]],
])('a message %s does not end the process', async (_, strange) => {
  const slack = await bareSlack([{ type: 'hello' }, strange])
  const warned = Promise.withResolvers<void>()
  const log = recordingLog(() => warned.resolve())
  const line = socketsOn(slack.apiUrl, log)
  expect(await line.open()).toEqual({ ok: true, value: null })
  await warned.promise
  expect(log.lines[0]).toMatchObject({ level: 'warn', message: 'Slack sent a message that cannot be read' })
  expect(line.state().live).toBe(1)
  await line.close()
  slack.sockets.close()
  slack.server.close()
})

test('sockets that are closed while they are away stay away', async () => {
  const slack = await bareSlack([{ type: 'hello' }])
  const log = recordingLog()
  const line = socketsOn(slack.apiUrl, log)
  await line.open()
  await line.close()
  expect(line.state().live).toBe(0)
  expect(log.lines).toEqual([])
  slack.sockets.close()
  slack.server.close()
})

test('the library never logs envelopes, and secrets are redacted', () => {
  const log = recordingLog()
  const logger = boltLog(log, (text) => text.replaceAll('xoxb-1', '[redacted]'))
  logger.debug('{"text":"a prompt"}')
  logger.warn('token', new Error('xoxb-1'))
  boltLog(log, String, 'debug').error('missing required field: blocks')
  boltLog(log, String).error('a bug')
  expect(log.lines).toEqual([
    { level: 'warn', message: 'Slack library', data: { said: 'token [redacted]' } },
    { level: 'debug', message: 'Slack library', data: { said: 'missing required field: blocks' } },
    { level: 'error', message: 'Slack library', data: { said: 'a bug' } },
  ])
})
