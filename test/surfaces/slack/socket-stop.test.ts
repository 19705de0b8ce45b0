import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openWire } from '../../../src/adapters/http-web-socket.ts'
import type { OpenWire } from '../../../src/domain/ports.ts'
import type { Bot } from './harness.ts'
import { SHORT, startPair } from './pair.ts'

/** How long a stop may take, in ms. */
const SOON = 1_000

async function stopTakes({ surface }: Bot): Promise<number> {
  const from = performance.now()
  await surface.stop()
  return performance.now() - from
}

/** `openWire`, with the addresses that were opened and the number of greetings. */
function watched() {
  const seen = { opened: 0, greeted: 0 }
  const open: OpenWire = (request) => {
    seen.opened += 1
    return openWire({
      ...request,
      onText(text) {
        if (text.includes('"hello"')) seen.greeted += 1
        request.onText(text)
      },
    })
  }
  return { seen, open }
}

test.concurrent('a stop while apps.connections.open is slow ends it, and nothing is opened afterwards', async () => {
  const { seen, open } = watched()
  await using bot = await startPair({ openWire: open })
  const asked = () => bot.slack.calls().filter(({ method }) => method === 'apps.connections.open').length
  const before = asked()
  bot.slack.fault('apps.connections.open', { kind: 'slow', ms: 400 })
  bot.slack.disconnect('drop', 0)
  await bot.slack.until(() => asked() > before)
  expect(await stopTakes(bot)).toBeLessThan(SOON)
  await sleep(600)
  expect(seen).toEqual({ opened: 2, greeted: 2 })
})

test.concurrent('a stop while the hello is late ends that connection, and it is never greeted', async () => {
  const { seen, open } = watched()
  await using bot = await startPair({ openWire: open, times: { ...SHORT, helloMs: 60_000 } })
  bot.slack.trouble({ kind: 'late-hello', ms: 1_500 })
  bot.slack.disconnect('drop', 0)
  while (seen.opened < 3) await sleep(5)
  // by then Slack has it, and does not greet it yet
  await sleep(100)
  expect(await stopTakes(bot)).toBeLessThan(SOON)
  await sleep(1_700)
  expect(seen.greeted).toBe(2)
  expect(bot.slack.connections()).toBe(0)
})

test.concurrent('a stop does not wait for a connection that never ends', async () => {
  await using bot = await startPair({ openWire: (request) => openWire({ ...request, onEnd() {} }) })
  expect(await stopTakes(bot)).toBeLessThan(2_500)
})

test.concurrent('an address that is none is a failed try, and a stop does not wait for it', async () => {
  let bad = false
  await using bot = await startPair({
    openWire: (request) => openWire({ ...request, url: bad ? 'wss://[secret' : request.url }),
  })
  bad = true
  bot.slack.disconnect('drop', 0)
  const failed = () => bot.log.lines.filter(({ message }) => message === 'The Slack socket cannot be opened')
  await bot.until(() => failed().length > 1)
  bad = false
  await bot.slack.until(() => bot.slack.connections() === 2)
  expect(failed()[0]?.data?.['said']).toContain('the connection ended before hello (lost)')
  expect(await stopTakes(bot)).toBeLessThan(SOON)
})
