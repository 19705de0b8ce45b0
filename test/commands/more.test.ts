import { expect, test } from 'vitest'
import type { Offer } from '../../src/domain/conversation.ts'
import { startBot } from '../surfaces/slack/harness.ts'
import { CARDS, cardRows, cardRowsIn, cards } from '../surfaces/slack/reports.ts'
import { CHANNEL, openHouse } from './house.ts'

/** what the house's clock says, in epoch ms */
const NOW = 1_700_000_000_000

const page = { title: 'Cards: 2 more rows', tables: [{ title: 'Cards', columns: ['Card'], rows: [['6'], ['7']] }] }

test('the rows of a page are shown, under its title', async () => {
  const { say, store } = await openHouse()
  await store.addPage({ id: 'p1', report: page, at: NOW, expires: NOW + 1 })
  const heard = await say('more p1', { how: 'button' })
  expect(heard.answer()).toMatchObject({ status: 'done', title: 'Cards: 2 more rows', tables: page.tables, json: page })
})

test.each([
  ['a page that was never there', 'more p2'],
  ['a page whose time is over', 'more p1'],
])('%s: said in words', async (_, line) => {
  const { say, store, wait } = await openHouse()
  await store.addPage({ id: 'p1', report: page, at: NOW, expires: NOW + 1 })
  wait(1)
  const heard = await say(line, { how: 'button' })
  expect(heard.answer()).toMatchObject({
    status: 'refused',
    title: 'Those rows are no longer kept. Next: ask the question again, which also shows how it is now.',
  })
})

test.each(['more', 'more p1 p2'])('%s: one id is wanted', async (line) => {
  const { say } = await openHouse()
  expect((await say(line, { how: 'mention' })).answer()?.title).toContain('exactly one id is wanted')
})

test('"more coffee" in a thread is talk among people', async () => {
  const { say } = await openHouse()
  expect((await say('more coffee', { how: 'thread' })).answer()).toBeUndefined()
})

/** A bot that answers with the cards, and presses by the real house. */
async function cardsBot() {
  const house = await openHouse()
  const offer: Offer = async ({ reveals }) => {
    if (reveals === undefined) return null
    const expires = Number.MAX_SAFE_INTEGER
    await house.store.addPage({ id: 'first', report: reveals, at: NOW, expires })
    const place = { channel: CHANNEL, thread: null }
    await house.store.addButton({ id: 'b', line: 'more first', attempt: null, place, at: 0, once: false, expires })
    return 'b'
  }
  return startBot((ask, talk) => (ask.how === 'button' ? house.house.handle(ask, talk) : talk.end(cards, offer)), {
    button: house.store.button,
    clock: { now: () => NOW, monotonic: () => performance.now() },
  })
}

test('what goes on from a private answer is seen by the same person alone', async () => {
  await using bot = await cardsBot()
  await bot.slack.slash('/smoke', 'x')
  const tables = () => bot.slack.messages().filter(({ blocks }) => cardRowsIn(blocks).length > 0)
  const first = await bot.slack.until(() => tables()[0])
  await bot.slack.press(first.ts, 'Show 701 more rows')
  await bot.slack.until(() => tables().length === 2)
  expect(bot.slack.messages().map(({ onlyFor }) => onlyFor)).toEqual(['U0ANNA', 'U0ANNA'])
})

test('800 rows: what fits at once, the worst first, and every other row behind a button', async () => {
  await using bot = await cardsBot()
  const { ts: asked } = bot.slack.mention('smoke x')
  const seen: string[] = []
  const labels: string[] = []
  for (let answers = 1; ; answers += 1) {
    const replies = await bot.slack.until(() => {
      const thread = bot.slack.messages().find(({ ts }) => ts === asked)?.replies ?? []
      return thread.filter(({ blocks }) => cardRowsIn(blocks).length > 0).length === answers ? thread : null
    })
    const last = replies.findLast(({ blocks }) => cardRowsIn(blocks).length > 0)
    if (last === undefined) throw new Error('no table')
    seen.push(...cardRowsIn(last.blocks))
    const button = bot.slack.buttons(last.ts).find((label) => label.startsWith('Show'))
    if (button === undefined) break
    labels.push(button)
    await bot.slack.press(last.ts, button)
  }
  // the first message says how much is behind the button
  expect(labels[0]).toBe('Show 701 more rows')
  expect(seen).toEqual(cardRows)
  console.info(`800 rows in ${labels.length + 1} messages: ${labels.join(', ')}`)
  expect(labels).toHaveLength(Math.ceil(CARDS / 99) - 1)
  const refused = bot.slack.calls().filter(({ reply }) => reply?.['ok'] === false)
  expect(refused).toEqual([])
})
