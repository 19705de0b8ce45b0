import { expect, test } from 'vitest'
import { redactor } from '../src/domain/redact.ts'
import { CHANNEL, healthy, openHouse, target } from './commands/house.ts'

const THREAD = { channel: CHANNEL, thread: '1700000000.000100' }

test('a smoke opens one message, keeps it alive, and ends once with the verdict', async () => {
  const { say, store } = await openHouse()
  const heard = await say('/smoke "Say hello"')
  expect(heard.begun).toHaveLength(1)
  expect(heard.begun[0]?.actions.map((one) => one.label)).toEqual(['Stop'])
  expect(heard.ended).toHaveLength(1)
  expect(heard.answer()).toMatchObject({ status: 'healthy', tone: 'good' })
  const kept = await store.lastAttempt(THREAD, null)
  expect(kept).toMatchObject({ ok: true, value: { number: 1, target: 'qwen', by: 'U0ANNA' } })
})

test('its buttons belong to that attempt, and pressing one runs there', async () => {
  const spent = { ...healthy, finish: 'length' } as const
  const { say, store } = await openHouse({ script: async () => ({ completion: spent, failure: null }) })
  const first = await say('/smoke "Say hello"')
  const id = first.buttons.get('Retry ×2 budget') ?? ''
  const button = await store.button(id)
  expect(button).toMatchObject({ ok: true, value: { line: 'retry --target qwen --max-tokens 8192' } })
  const { line, attempt } = button.ok && button.value !== null ? button.value : { line: '', attempt: null }
  const again = await say(line, { how: 'button', place: THREAD, attempt })
  expect(again.answer()?.title).toContain('Attempt 2')
  expect(again.answer()?.json).toMatchObject({ completion: { budget: 8192 } })
})

test.each([
  ['a word that no command has', 'florble', /florble/],
  ['nothing to retry yet', 'retry', /No smoke has ended/],
  ['a flag out of range', 'smoke "x" --max-tokens 0', /max-tokens/],
  ['an unknown target', 'smoke "x" --target nobody', /nobody.*qwen/],
])('%s is answered in a sentence', async (_what, line, words) => {
  const { say } = await openHouse()
  const heard = await say(line, { how: 'mention', said: { form: 'plain', word: null, text: line } })
  expect(heard.answer()?.title).toMatch(words)
  expect(heard.begun).toHaveLength(0)
})

test('with several targets and no usual one a picker keeps the prompt', async () => {
  const { say, store } = await openHouse({ targets: [target('qwen'), target('llama')] })
  const heard = await say('/smoke "Say "hi" -- twice" --max-tokens 50')
  expect(heard.answer()?.actions.map((one) => one.label)).toEqual(['qwen', 'llama'])
  const button = await store.button(heard.buttons.get('llama') ?? '')
  const line = button.ok ? (button.value?.line ?? '') : ''
  const ran = await say(line, { how: 'button' })
  expect(ran.answer()?.lead).toContain('Say "hi" -- twice')
  expect(ran.answer()?.json).toMatchObject({ target: 'llama', completion: { budget: 50 } })
})

test('a third run on a busy target is refused, and Stop ends just its own', async () => {
  const both = Promise.withResolvers<void>()
  let running = 0
  const { say, start } = await openHouse({
    script: async (_request, _watch, signal) => {
      running += 1
      if (running === 2) both.resolve()
      await new Promise((done) => signal.addEventListener('abort', done))
      return { completion: healthy, failure: { kind: 'stopped', thing: 'x', observed: 'y', next: 'z' } }
    },
  })
  const [one, two] = [start('/smoke "one"'), start('/smoke "two"')]
  await both.promise
  const third = await say('/smoke "three"')
  expect(third.answer()).toMatchObject({
    status: 'refused',
    title: expect.stringMatching(/Not run: smoke “three”.*qwen/),
  })
  const line = one.heard.begun[0]?.actions[0]?.line ?? ''
  expect((await say(line, { how: 'button' })).answer()?.status).toBe('done')
  await one.done
  expect(one.heard.answer()?.title).toContain('stopped')
  expect(two.heard.ended).toHaveLength(0)
  expect((await say(line, { how: 'button' })).answer()?.title).toContain('nothing was stopped')
  await say(two.heard.begun[0]?.actions[0]?.line ?? '', { how: 'button' })
  await two.done
})

test('talk in a thread is silence, also where the thread is ours', async () => {
  const { say } = await openHouse()
  await say('/smoke "Say hello"')
  const talk = await say('I think retry will not help', { how: 'thread', place: THREAD })
  expect(talk.ended).toHaveLength(0)
  const foreign = await say('raw', { how: 'thread', place: { channel: CHANNEL, thread: '1.2' } })
  expect(foreign.ended).toHaveLength(0)
  for (const act of ['stop', 'retry', 'smoke "Say hello"']) {
    expect((await say(act, { how: 'thread', place: THREAD })).ended).toHaveLength(0)
  }
  const ours = await say('raw', { how: 'thread', place: THREAD })
  expect(ours.answer()?.title).toContain('Raw exchange of attempt 1')
})

test('whoever may not ask is told why, and the refusal is kept without the prompt', async () => {
  const { say, store } = await openHouse()
  const guest = { team: 'T0', id: 'U0GUEST', name: 'Guest', kind: 'guest' } as const
  const heard = await say('/smoke "my secret prompt"', { person: guest })
  expect(heard.answer()?.title).toContain('guests')
  const audits = await store.audits(10)
  expect(JSON.stringify(audits)).toContain('U0GUEST')
  expect(JSON.stringify(audits)).not.toContain('secret prompt')
})

test('where prompts are not kept, retry says so', async () => {
  const { say } = await openHouse({ keepPromptsMs: 0 })
  await say('/smoke "Say hello"')
  const heard = await say('retry', { how: 'mention', place: THREAD })
  expect(heard.answer()?.title).toContain('not kept')
})

test('an unreachable target is a verdict with its own words', async () => {
  const unreachable = {
    kind: 'refused',
    thing: 'target qwen',
    observed: 'connection refused',
    next: 'start the server',
  } as const
  const { say } = await openHouse({ unreachable })
  const heard = await say('/smoke "Say hello"')
  expect(heard.answer()?.status).toBe('unreachable')
  expect(JSON.stringify(heard.answer()?.sections)).toContain('Start the server')
})

test('a bug of ours is recorded and said', async () => {
  const { say, errors } = await openHouse({
    script: () => {
      throw new Error('boom')
    },
  })
  const heard = await say('/smoke "Say hello"')
  expect(heard.answer()?.title).toContain('Pilotflame itself failed')
  expect(errors.join()).toContain('boom')
})

const SECRET = ['hf', 'A1b2C3d4E5A1b2C3d4E5A1b2C3d4E5A1b2'].join('_')

test('no secret of a prompt or an answer is shown, also not the half that a cut leaves', async () => {
  const { say } = await openHouse({
    redact: redactor([]),
    script: async () => ({ completion: { ...healthy, content: `it is ${SECRET}` }, failure: null }),
  })
  for (const before of [0, 150, 180, 190, 195]) {
    const heard = await say(`/smoke "${'x '.repeat(before / 2)}${SECRET} and on it goes"`)
    expect(JSON.stringify([heard.begun, heard.updates, heard.ended])).not.toContain(SECRET.slice(0, 10))
  }
})

test('retry refuses to ask a prompt out of which a secret was taken', async () => {
  const { say } = await openHouse({ redact: redactor([]) })
  await say(`/smoke "fix this: password=${SECRET}"`)
  const heard = await say('retry', { how: 'mention', place: THREAD })
  expect(heard.answer()?.title).toContain('held a secret')
})

test('a picker keeps no prompt where prompts are not kept, and names the targets in words', async () => {
  const { say } = await openHouse({ targets: [target('qwen'), target('llama')], keepPromptsMs: 0 })
  const heard = await say('/smoke "my own words"')
  expect(heard.buttons.size).toBe(0)
  expect(heard.answer()?.sections[0]?.body).toContain('--target NAME: qwen, llama')
})

test('a button asks the target under which it stands, whatever the thread did since', async () => {
  const { say, store } = await openHouse({ targets: [target('qwen'), target('llama')] })
  const first = await say('/smoke "Say hello" --target qwen')
  await say('retry --target llama', { how: 'mention', place: THREAD })
  const button = await store.button(first.buttons.get('Retry') ?? '')
  const { line, attempt } = button.ok && button.value !== null ? button.value : { line: '', attempt: null }
  const again = await say(line, { how: 'button', place: THREAD, attempt })
  expect(again.answer()?.lead).toContain('asked qwen')
})

test('a surface that cannot open its message is a bug that is said, and nothing is left running', async () => {
  const { start, say } = await openHouse()
  const { heard, done } = start('/smoke "Say hello"', {}, async () => {
    throw new Error('no message')
  })
  await done
  expect(heard.answer()?.title).toContain('Pilotflame itself failed')
  expect((await say('/smoke "Say hello"')).answer()?.status).toBe('healthy')
})

test('a stop that comes after the end changes no verdict', async () => {
  const { say, start } = await openHouse({
    script: async (_request, _watch, signal) => {
      await new Promise((done) => signal.addEventListener('abort', done))
      return { completion: healthy, failure: null }
    },
  })
  const { heard, done } = start('/smoke "Say hello"')
  await expect.poll(() => heard.begun.length).toBe(1)
  await say(heard.begun[0]?.actions[0]?.line ?? '', { how: 'button' })
  await done
  expect(heard.answer()?.status).toBe('healthy')
})

test('a store that fails is said, and keeps nobody from the verdict', async () => {
  const { say, store, errors } = await openHouse()
  await store.close()
  const heard = await say('/smoke "Say hello"')
  expect(heard.answer()).toMatchObject({ status: 'healthy', actions: [] })
  expect(heard.answer()?.facts.find((fact) => fact.label === 'Not kept')?.value).toContain('the store is closed')
  expect(errors.join()).toContain('thread not bound')
  const lost = await say('retry', { how: 'mention', place: THREAD })
  expect(lost.answer()).toMatchObject({ status: 'failed', title: expect.stringContaining('the store is closed') })
})

test('every ask leaves audit lines: what began, how it ended, what was refused, and never what was typed', async () => {
  const { say, store } = await openHouse()
  await say('/smoke "typed words"')
  await say('/smoke "typed words" --target nobody')
  await say('/smoke "typed words" --max-tokens 0')
  const audits = await store.audits(10)
  const lines = audits.ok ? audits.value.map((one) => `${one.command} ${one.decision} ${one.result}`) : []
  expect(lines.toReversed()).toEqual([
    'smoke allowed started',
    'smoke allowed healthy',
    'smoke refused usage',
    'smoke refused usage',
  ])
  expect(JSON.stringify(audits)).not.toContain('typed words')
})

test('a stop of Pilotflame ends what runs with a word, and begins nothing new', async () => {
  const { say, start, house, store } = await openHouse({
    script: async (_request, _watch, signal) => {
      await new Promise((done) => signal.addEventListener('abort', done))
      return { completion: healthy, failure: { kind: 'stopped', thing: 'x', observed: 'y', next: 'z' } }
    },
  })
  const { heard, done } = start('/smoke "Say hello"')
  await expect.poll(async () => store.openRuns()).toMatchObject({ value: [{ target: 'qwen', message: THREAD.thread }] })
  await Promise.all([house.drain(5000), done])
  expect(JSON.stringify(heard.answer())).toContain('a stop of Pilotflame itself')
  expect(await store.openRuns()).toMatchObject({ value: [] })
  expect((await say('/smoke "more"')).answer()?.title).toContain('is being stopped')
})

test('stop in a thread stops what runs there, and says when nothing does', async () => {
  const { say, start } = await openHouse({
    script: async (_request, _watch, signal) => {
      await new Promise((done) => signal.addEventListener('abort', done))
      return { completion: healthy, failure: { kind: 'stopped', thing: 'x', observed: 'y', next: 'z' } }
    },
  })
  const { heard, done } = start('/smoke "Say hello"')
  await expect.poll(() => heard.begun.length).toBe(1)
  const elsewhere = await say('stop', { how: 'mention', place: { channel: CHANNEL, thread: '9.9' } })
  expect(elsewhere.answer()?.title).toBe('Nothing runs in this thread.')
  expect((await say('stop', { how: 'mention', place: THREAD })).answer()?.status).toBe('done')
  await done
  expect(heard.answer()?.title).toContain('stopped')
})

test('a target is free again as soon as its server has answered, however slow the chat is', async () => {
  const { say, start } = await openHouse()
  const slow = Promise.withResolvers<never>()
  const stuck = [1, 2].map((n) => start(`/smoke "${n}"`, {}, () => slow.promise))
  await expect.poll(async () => (await say('/smoke "three"')).answer()?.status).toBe('healthy')
  slow.reject(new Error('given up'))
  await Promise.all(stuck.map(({ done }) => done))
})
