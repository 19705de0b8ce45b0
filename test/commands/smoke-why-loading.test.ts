import { expect, test } from 'vitest'
import * as stories from '../../src/lab/stories.ts'
import { chats, lab, rowsOf, there } from './lab.ts'

test('an operator may load the server, but not while requests wait', async () => {
  const { say, server } = await lab({ role: 'operator' })
  await say('/smoke "Say hello"')
  server.setStory(stories.healthy)
  server.setWaiting(3)
  const before = chats(server)
  const refused = (await say('smoke why --only eight-at-once', there)).answer()
  expect(refused?.title).toMatch(/^Not run: 3 requests wait on qwen, and eight-at-once would make them wait longer\./)
  expect(chats(server)).toBe(before)
  server.setWaiting(0)
  const told = (await say('smoke why --only eight-at-once', there)).answer()
  expect(rowsOf(told)[0]?.[2]).toMatch(/^8 of 8 are right at once/)
  const long = (await say('smoke why --only long-prompt', there)).answer()
  expect(rowsOf(long)[0]?.[2]).toMatch(/^1 of 1 found the word in a prompt of [\d,]+ tokens/)
})

test('where how many wait is not known the server is not loaded, unless its operator says so; others may not', async () => {
  const operator = await lab({ role: 'operator', engine: 'ollama' })
  await operator.say('/smoke "Say hello"')
  const before = chats(operator.server)
  const refused = (await operator.say('smoke why --only eight-at-once', there)).answer()
  expect(refused?.title).toMatch(
    /^Not run: how many wait is not known, .* smoke why --only eight-at-once --queue-unseen\.$/,
  )
  expect(chats(operator.server)).toBe(before)
  const told = (await operator.say('smoke why --only eight-at-once --queue-unseen', there)).answer()
  expect(rowsOf(told)[0]?.[1]).toMatch(/^8 of 8 requests/)
  const other = await lab({ engine: 'ollama' })
  await other.say('/smoke "Say hello"')
  expect((await other.say('smoke why --only eight-at-once --queue-unseen', there)).answer()?.title).toMatch(
    /^Eight at once loads qwen, so it takes an operator/,
  )
})

test('the flag alone is refused: without a name nothing loads the server', async () => {
  const { say, server } = await lab({ role: 'operator' })
  await say('/smoke "Say hello"')
  const before = chats(server)
  const told = (await say('smoke why --queue-unseen', there)).answer()
  expect(`${told?.title} ${told?.summary}`).toMatch(/--queue-unseen goes with --only/)
  expect(chats(server)).toBe(before)
})

test('a queue that is seen refuses the load, whatever the operator says', async () => {
  const { say, server } = await lab({ role: 'operator' })
  await say('/smoke "Say hello"')
  server.setWaiting(3)
  expect((await say('smoke why --only eight-at-once --queue-unseen', there)).answer()?.title).toMatch(
    /^Not run: 3 requests wait on qwen/,
  )
})
