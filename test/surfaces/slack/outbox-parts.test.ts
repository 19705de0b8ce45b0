import { expect, test } from 'vitest'
import { written } from '../../../src/surfaces/slack/escape.ts'
import { contentOf } from '../../../src/surfaces/slack/outbox/letter.ts'
import { piecesOfMarkup, wordsOf } from '../../../src/surfaces/slack/outbox/parts.ts'
import type { Message } from '../../../src/surfaces/slack/pages.ts'
import { details, headline, whole } from '../../../src/surfaces/slack/render.ts'
import { boxOver, fakeSlack, fakeTime, memoryLetters, no, words } from './outbox-world.ts'
import { healthy } from './reports.ts'

/** A Slack that takes at most so many characters of blocks and of text at once. */
function narrow(most: number) {
  const time = fakeTime()
  const slack = fakeSlack(time, (method, args) => {
    const length = JSON.stringify(args['blocks'] ?? args['text'] ?? '').length
    return method.startsWith('chat.') && length > most ? { done: false, refusal: no('long', 'msg_too_long') } : null
  })
  return { time, slack }
}

const section = (text: string) => ({ type: 'section', text: { type: 'plain_text', text, emoji: false } }) as const

function long(count: number): Message {
  return {
    ...words('all of it'),
    blocks: Array.from({ length: count }, (_, at) => section(`part ${at} ${'x'.repeat(300)}`)),
  }
}

test('what is too long goes in parts, in order, the later ones in the thread of the first', async () => {
  const { time, slack } = narrow(1_000)
  const store = memoryLetters()
  const box = boxOver(time, slack, { store })
  const message = long(7)
  const sent = box.add({ place: { channel: 'C', thread: null }, ts: null, content: contentOf(message), message })
  await time.pass(60_000)
  const [first] = slack.messages
  expect(await sent).toEqual({ ok: true, ts: first?.ts })
  expect(slack.messages.flatMap(({ blocks }) => blocks)).toEqual(message.blocks)
  expect(slack.messages.slice(1).map(({ thread }) => thread)).toEqual(Array(slack.messages.length - 1).fill(first?.ts))
  expect(store.rows.size).toBe(0)
})

test('a change that is too long keeps its first part, the others go below', async () => {
  const { time, slack } = narrow(1_000)
  const ts = slack.stand('C', 'begun')
  const message = long(4)
  const sent = boxOver(time, slack).add({
    place: { channel: 'C', thread: null },
    ts,
    content: contentOf(message),
    message,
  })
  await time.pass(60_000)
  expect(await sent).toEqual({ ok: true, ts })
  expect(slack.messages[0]?.text).toContain('part 0')
  expect(slack.messages.slice(1).map(({ thread }) => thread)).toEqual(Array(slack.messages.length - 1).fill(ts))
  expect(slack.messages.map(({ text }) => text).join('\n')).toContain('part 3')
})

test('one block that is too long becomes words in pieces; nothing is lost', async () => {
  const { time, slack } = narrow(900)
  const text = Array.from({ length: 200 }, (_, at) => `line ${at} <b> & more`).join('\n')
  const message: Message = { ...words('short'), blocks: [section(text)] }
  void boxOver(time, slack).add({
    place: { channel: 'C', thread: '1.1' },
    ts: null,
    content: contentOf(message),
    message,
  })
  await time.pass(120_000)
  expect(slack.messages.map((one) => one.text).join('\n')).toBe(written(words(text).text))
})

test('a Slack that takes no length at all gives a refusal in the end, not silence', async () => {
  const { time, slack } = narrow(10)
  const message = long(3)
  const sent = boxOver(time, slack).add({
    place: { channel: 'C', thread: null },
    ts: null,
    content: contentOf(message),
    message,
  })
  await time.pass(600_000)
  expect(await sent).toEqual({ ok: false, refusal: no('long', 'msg_too_long') })
})

test('blocks that are refused go as words; after a restart the words are those of the blocks', async () => {
  const time = fakeTime()
  const slack = fakeSlack(time, (_, args) =>
    args['blocks'] === undefined ? null : { done: false, refusal: no('blocks', 'invalid_blocks') },
  )
  const store = memoryLetters()
  const box = boxOver(time, slack, { store })
  const message = long(1)
  void box.add({ place: { channel: 'C', thread: null }, ts: null, content: contentOf(message), message })
  await time.pass(5_000)
  expect(slack.messages.map(({ text }) => text)).toEqual(['all of it'])
  const content = JSON.stringify(contentOf(message))
  const row = { place: { channel: 'C', thread: null }, ts: null, title: '', at: time.clock.now(), sentAt: null }
  await store.addLetter({ ...row, id: 'left', content })
  const next = boxOver(time, slack, { store })
  await next.open()
  await time.pass(5_000)
  expect(slack.messages[1]?.text).toMatch(/^part 0 x+$/)
})

test('a lower rung goes first, and its own lower one after it', async () => {
  const time = fakeTime()
  const slack = fakeSlack(time, (_, args) =>
    JSON.stringify(args['blocks']) === JSON.stringify([section('plain')]) || args['blocks'] === undefined
      ? null
      : { done: false, refusal: no('blocks', 'invalid_blocks') },
  )
  const rungs: readonly Message[][] = [[long(1), long(2)], [{ ...words('plain'), blocks: [section('plain')] }]]
  let asked = 0
  const lower = () => {
    asked += 1
    return rungs[Math.min(asked, 2) - 1] ?? null
  }
  const box = boxOver(time, slack, { lower })
  const message = long(3)
  void box.add({ place: { channel: 'C', thread: '1.1' }, ts: null, content: contentOf(message), message })
  await time.pass(30_000)
  expect(slack.messages.map(({ text }) => text)).toEqual(['plain', 'plain'])
})

test('words of real blocks hold what the report says, escaped', () => {
  const body = 'The user wants <b>one</b> sentence.\nI should say hello & be brief.'
  const report = { ...healthy, sections: healthy.sections.map((one, at) => (at === 0 ? { ...one, body } : one)) }
  for (const message of [headline(report, []), ...details(report, []).messages, ...whole(report, [], false).messages]) {
    const said = wordsOf(message.blocks)
    expect(said).not.toMatch(/<(?!\S*\|)|&(?!amp;|lt;|gt;)/)
    expect(said.length).toBeGreaterThan(10)
  }
  const said = details(report, [])
    .messages.map(({ blocks }) => wordsOf(blocks))
    .join('\n')
  expect(said).toContain('&lt;b&gt;one&lt;/b&gt; sentence.\nI should say hello &amp; be brief.')
  expect(said).toContain('Hello! 👋 How can I help you today?')
})

test('pieces hold everything, none is too long, and a fence goes on in the next', () => {
  const code = Array.from({ length: 50 }, (_, at) => `code ${at} &amp;`).join('\n')
  const text = `before\n\`\`\`\n${code}\n\`\`\`\nafter ${'y'.repeat(500)}`
  const cut = piecesOfMarkup(text, 120)
  expect(cut.every((piece) => [...piece].length <= 120)).toBe(true)
  expect(cut.every((piece) => piece.split('```').length % 2 === 1)).toBe(true)
  expect(cut.join('\n').match(/code \d+ &amp;/g)).toHaveLength(50)
  expect(cut.join('').match(/y/g)).toHaveLength(500)
})
