import { once } from 'node:events'
import type { Server } from 'node:http'
import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { boltLog } from '../../../src/surfaces/slack/bolt-log.ts'
import { socket } from '../../../src/surfaces/slack/socket.ts'
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
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (one) => {
    for (const message of greeting) one.send(JSON.stringify(message))
  })
  return { apiUrl: `http://127.0.0.1:${portOf(server)}/api/`, server, sockets }
}

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

test('a message without inner event, such as app_rate_limited, does not end the process', async () => {
  const strange = { type: 'events_api', envelope_id: '1', payload: { type: 'app_rate_limited' } }
  const { apiUrl, server, sockets } = await bareSlack([{ type: 'hello' }, strange])
  const warned = Promise.withResolvers<void>()
  const log = recordingLog(() => warned.resolve())
  const line = socket({ appToken: 'xapp-1', apiUrl, logger: boltLog(log, String), log, sleep: async () => {} })
  expect(await line.open()).toEqual({ ok: true, value: null })
  await warned.promise
  expect(log.lines[0]).toMatchObject({ level: 'warn', message: 'Slack sent a message that its library cannot read' })
  expect(line.isOpen()).toBe(true)
  await line.close()
  sockets.close()
  server.close()
})

test('a socket that is closed while it is away stays away', async () => {
  const { apiUrl, server, sockets } = await bareSlack([{ type: 'hello' }])
  const log = recordingLog()
  const line = socket({ appToken: 'xapp-1', apiUrl, logger: boltLog(log, String), log, sleep: async () => {} })
  await line.open()
  await line.close()
  expect(line.isOpen()).toBe(false)
  expect(log.lines.filter(({ message }) => message.includes('open again'))).toEqual([])
  sockets.close()
  server.close()
})

test('the library never logs envelopes, and secrets are redacted', () => {
  const log = recordingLog()
  const logger = boltLog(log, (text) => text.replaceAll('xoxb-1', '[redacted]'))
  logger.debug('{"text":"a prompt"}')
  logger.warn('token', new Error('xoxb-1'))
  expect(log.lines).toEqual([{ level: 'warn', message: 'Slack library', data: { said: 'token [redacted]' } }])
})
