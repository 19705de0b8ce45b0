import { expect, test } from 'vitest'
import { failed } from '../../../src/domain/outcome.ts'
import { contentOf, NOTHING } from '../../../src/surfaces/slack/outbox/letter.ts'
import { boxOver, fakeSlack, fakeTime, fresh, memoryLetters, no, REFUSED, RESET, words } from './outbox-world.ts'

test('what is said under a kept verdict finds its thread, also in the next process', async () => {
  const time = fakeTime()
  const store = memoryLetters()
  let down = true
  const slack = fakeSlack(time, () => (down ? { done: false, refusal: RESET } : null))
  const before = boxOver(time, slack, { store })
  const verdict = before.add(fresh('C', 'verdict'))
  await time.pass(40_000)
  const sent = await verdict
  const under = sent.ok ? null : (sent.kept ?? null)
  for (const text of ['details 1', 'details 2']) {
    const message = words(text)
    void before.add({
      place: { channel: 'C', thread: null },
      ts: null,
      content: contentOf(message, { under }),
      message,
    })
  }
  await time.pass(1_000)
  before.kill()
  down = false
  let box = boxOver(time, slack, { store })
  await box.open()
  await time.pass(1_500)
  box.kill()
  expect(slack.messages.map(({ text }) => text)).toContain('verdict')
  expect(slack.messages.map(({ text }) => text)).not.toContain('details 2')
  box = boxOver(time, slack, { store })
  await box.open()
  await time.pass(60_000)
  const [parent] = slack.messages.filter(({ text }) => text === 'verdict')
  const details = slack.messages.filter(({ text }) => text.startsWith('details'))
  expect(details.map(({ text, thread }) => [text, thread])).toEqual([
    ['details 1', parent?.ts],
    ['details 2', parent?.ts],
  ])
  expect(store.rows.size).toBe(0)
})

test('a store that fails holds up nothing, and the log says so', async () => {
  const time = fakeTime()
  const broken = failed<never>({ kind: 'store', thing: 'the store', observed: 'disk full', next: 'free some' })
  const store = {
    addLetter: async () => broken,
    markLetter: async () => broken,
    dropLetter: async () => broken,
    letters: async () => broken,
  }
  const slack = fakeSlack(time)
  const box = boxOver(time, slack, { store })
  await box.open()
  const sent = box.add(fresh('C', 'answer'))
  await time.pass(1_000)
  expect((await sent).ok).toBe(true)
  expect(box.log.lines.map(({ message }) => message)).toEqual([
    'Messages that waited are not read',
    'A message is not kept on disk; it goes out all the same',
  ])
})

test('a row that nobody can read is given up, one that was cut in parts is not sent whole again', async () => {
  const time = fakeTime()
  const store = memoryLetters()
  const row = { place: { channel: 'C', thread: null }, ts: null, title: '', at: time.clock.now(), sentAt: null }
  const content = (text: string) => JSON.stringify({ ...NOTHING, text })
  await store.addLetter({ ...row, id: 'bad', content: '{' })
  await store.addLetter({ ...row, id: 'whole', content: content('whole') })
  await store.addLetter({ ...row, id: 'whole.1', content: content('part 1') })
  await store.addLetter({ ...row, id: 'whole.2', content: content('part 2') })
  const slack = fakeSlack(time)
  const box = boxOver(time, slack, { store })
  await box.open()
  await time.pass(10_000)
  expect(slack.messages.map(({ text }) => text)).toEqual(['part 1', 'part 2'])
  expect(store.rows.size).toBe(0)
})

test('at a stop what can be sent is sent, the rest is left to the next process', async () => {
  const time = fakeTime()
  const store = memoryLetters()
  const slack = fakeSlack(time, (_, args) => (args['channel'] === 'A' ? { done: false, refusal: REFUSED } : null))
  const box = boxOver(time, slack, { store })
  const answers = [box.add(fresh('A', 'a')), box.add(fresh('B', 'b1')), box.add(fresh('B', 'b2'))]
  await time.pass(50)
  const closed = box.close(5_000)
  await time.pass(10_000)
  await closed
  expect(await Promise.all(answers)).toMatchObject([{ kept: expect.any(String) }, { ok: true }, { ok: true }])
  expect([...store.rows.values()].map(({ title }) => title)).toEqual(['a'])
  expect(box.log.lines.at(-1)?.data).toEqual({ waiting: 1, lost: 0 })
})

test('a refused token: whoever waits is told, what was kept waits on', async () => {
  const time = fakeTime()
  let token = true
  const slack = fakeSlack(time, () => (token ? null : { done: false, refusal: no('no', 'token_revoked') }))
  const store = memoryLetters()
  const box = boxOver(time, slack, { store })
  token = false
  const asked = box.add(fresh('C', 'asked'))
  await time.pass(1_000)
  expect(await asked).toEqual({ ok: false, refusal: no('no', 'token_revoked') })
  const row = { place: { channel: 'C', thread: null }, ts: null, title: 'kept', at: time.clock.now(), sentAt: null }
  await store.addLetter({ ...row, id: 'kept', content: JSON.stringify({ ...NOTHING, text: 'kept' }) })
  const next = boxOver(time, slack, { store })
  await next.open()
  await time.pass(30_000)
  token = true
  await time.pass(60_000)
  expect(slack.standing('kept')).toBe(1)
  expect(slack.standing('asked')).toBe(0)
})

test('files follow in their place, once, also where the answer was lost', async () => {
  const time = fakeTime()
  let uploads = 0
  const slack = fakeSlack(time, (method) => {
    if (method !== 'files.uploadV2') return null
    uploads += 1
    return uploads === 1 ? { done: false, refusal: REFUSED } : null
  })
  const box = boxOver(time, slack, { store: memoryLetters() })
  void box.add(fresh('C', 'text', '1.1'))
  const files = [{ name: 'content.txt', text: 'the whole' }]
  const sent = box.add({
    place: { channel: 'C', thread: '1.1' },
    ts: null,
    content: { ...NOTHING, files },
    message: null,
  })
  await time.pass(30_000)
  expect((await sent).ok).toBe(true)
  expect(slack.calls.map(({ method }) => method)).toEqual(['chat.postMessage', 'files.uploadV2', 'files.uploadV2'])
  expect(slack.calls.at(-1)?.args).toEqual({ channel: 'C', thread_ts: '1.1', files })
})

test('first signs that were given up leave no trouble behind: the next one is tried', async () => {
  const time = fakeTime()
  let down = true
  const slack = fakeSlack(time, () => (down ? { done: false, refusal: REFUSED } : null))
  const box = boxOver(time, slack)
  const first = box.add({ ...fresh('C', 'thinking'), passing: true })
  await time.pass(10_000)
  expect(await first).toEqual({ ok: false, refusal: REFUSED })
  down = false
  const second = box.add({ ...fresh('C', 'thinking again'), passing: true })
  await time.pass(5_000)
  expect((await second).ok).toBe(true)
})
