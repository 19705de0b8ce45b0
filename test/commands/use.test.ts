import { describe, expect, test } from 'vitest'
import type { Ask } from '../../src/domain/ask.ts'
import { CHANNEL, openHouse, target } from './house.ts'

const OTHER = 'C0OTHER'
const POLICY = {
  roles: { admins: [], operators: ['T0:U0ANNA'], adminGroups: [], operatorGroups: [] },
  channels: [
    { id: CHANNEL, targets: [], target: 'qwen' },
    { id: OTHER, targets: ['qwen', 'looper'], target: null },
  ],
}
const TARGETS = [target('qwen'), target('looper'), target('thinker')]
const elsewhere: Partial<Ask> = { place: { channel: OTHER, thread: null } }

const open = (given: Parameters<typeof openHouse>[0] = {}) => openHouse({ targets: TARGETS, policy: POLICY, ...given })

test('a target that is set is meant there, before the one of pilotflame.yml, and everybody sees it', async () => {
  const { say } = await open()
  const set = await say('/sglang use looper')
  expect(set.answer()).toMatchObject({
    status: 'done',
    seenBy: 'channel',
    title: 'looper is meant in this channel from now on',
    lead: 'asked by Anna',
    summary: expect.stringContaining('/sglang use --clear'),
  })
  expect((await say('/smoke')).answer()?.json).toMatchObject({ target: 'looper' })
  expect((await say('/smoke --target thinker')).answer()?.json).toMatchObject({ target: 'thinker' })
})

test('it is meant in that channel alone', async () => {
  const { say } = await open()
  await say('/sglang use looper')
  expect((await say('/sglang use', elsewhere)).answer()?.title).toMatch(/^No target is meant here/)
  expect((await say('/smoke', elsewhere)).answer()).toMatchObject({ title: 'Which target?' })
})

test('without a name it shows what is meant, and changes nothing', async () => {
  const { say, store } = await open()
  const shown = await say('/sglang use')
  expect(shown.answer()).toMatchObject({
    title: 'qwen is meant here, as pilotflame.yml says',
    seenBy: 'asker',
    json: { target: 'qwen', from: 'configuration' },
  })
  expect(await store.noted(`use:${CHANNEL}`)).toEqual({ ok: true, value: null })
})

test('--clear gives the word back to pilotflame.yml', async () => {
  const { say } = await open()
  await say('/sglang use looper')
  const cleared = await say('/sglang use --clear')
  expect(cleared.answer()).toMatchObject({
    seenBy: 'channel',
    title: 'What was said in this channel is forgotten',
    summary: 'qwen is meant here, as pilotflame.yml says',
  })
  expect((await say('/smoke')).answer()?.json).toMatchObject({ target: 'qwen' })
})

test.each([
  ['one that does not exist', 'use lopper', {}, 'did you mean looper?'],
  ['one that may not be used in that channel', 'use thinker', elsewhere, 'name one of qwen, looper.'],
  ['two of them', 'use qwen looper', {}, 'at most one target is wanted'],
  ['one and --clear', 'use qwen --clear', {}, 'do not go together'],
])('%s is refused, and nothing is kept', async (_, line, how, words) => {
  const { say, store } = await open()
  const heard = await say(`/sglang ${line}`, how)
  expect(heard.answer()?.status).toBe('usage')
  expect(heard.answer()?.title).toContain(words)
  for (const channel of [CHANNEL, OTHER]) expect(await store.noted(`use:${channel}`)).toEqual({ ok: true, value: null })
})

test('whoever may only read sets nothing', async () => {
  const { say, store } = await open({ policy: { ...POLICY, roles: { ...POLICY.roles, operators: [] } } })
  expect((await say('/sglang use looper')).answer()).toMatchObject({ status: 'refused' })
  expect(await store.noted(`use:${CHANNEL}`)).toEqual({ ok: true, value: null })
})

test('one that was set and is gone is named; no other one is taken in its place', async () => {
  const { say, store } = await open()
  await store.note(`use:${OTHER}`, 'thinker')
  const title = (await say('/smoke', elsewhere)).answer()?.title
  expect(title).toBe(
    '“thinker” is meant in this channel since somebody said so, and it may not be used here any more. Next: /sglang use NAME, with one of qwen, looper',
  )
})

test('a reply without mention sets nothing, whoever says it', async () => {
  const { say, store } = await open()
  const place = { channel: CHANNEL, thread: '1700000000.000100' }
  await store.bindThread(place, 'qwen', 0)
  const heard = await say('sglang use looper', {
    how: 'thread',
    place,
    said: { form: 'encoded', text: 'sglang use looper' },
  })
  expect(heard.answer()).toBeUndefined()
  expect(await store.noted(`use:${CHANNEL}`)).toEqual({ ok: true, value: null })
})

test('a terminal has no channel', async () => {
  const { say } = await open()
  const heard = await say('sglang use looper', {
    how: 'terminal',
    place: { channel: 'terminal', thread: null },
    person: { team: 'local', id: 'dana', name: 'dana', kind: 'local' },
  })
  expect(heard.answer()).toMatchObject({ status: 'usage', title: expect.stringContaining('terminal') })
})

test('where the store fails, looking goes on with what is configured, and nothing is changed', async () => {
  const { say, store, errors } = await open({ targets: TARGETS })
  await store.close()
  expect((await say('/smoke')).answer()?.json).toMatchObject({ target: 'qwen' })
  expect(errors.join()).toContain('not known which target is meant in the channel')
  for (const line of ['use', 'use looper', 'use --clear', 'restart'])
    expect((await say(`/sglang ${line}`)).answer()).toMatchObject({ status: 'failed' })
})

describe('whoami', () => {
  const fact = async (house: Awaited<ReturnType<typeof open>>, how: Partial<Ask> = {}) =>
    (await house.say('/pilotflame whoami', how)).answer()?.facts.find(({ label }) => label === 'Meant here')?.value

  test('tells what is meant here, and why', async () => {
    const house = await open()
    expect(await fact(house)).toBe('qwen is meant here, as pilotflame.yml says')
    await house.say('/sglang use looper')
    expect(await fact(house)).toBe('looper is meant here, as somebody said in this channel')
    expect(await fact(house, elsewhere)).toMatch(/^No target is meant here/)
    const single = await open({
      targets: [target('qwen')],
      policy: { ...POLICY, channels: [{ id: CHANNEL, targets: [], target: null }] },
    })
    expect(await fact(single)).toBe('qwen is meant here, as the only target')
  })

  test('names no target where the bot may not be asked', async () => {
    const house = await open()
    await house.store.note('use:C0STRANGE', 'thinker')
    expect(await fact(house, { place: { channel: 'C0STRANGE', thread: null } })).toMatch(/^No target is meant here/)
  })
})

test('help and the rest name the words of the workspace', async () => {
  const { say } = await open({ slash: { prefix: 'acme-', aliases: { llm: 'sglang' } } })
  const help = (await say('help', { how: 'mention' })).answer()?.sections.find(({ title }) => title === 'Where')?.body
  expect(help).toContain('/acme-smoke "Say hello"')
  expect(help).toContain('/acme-pilotflame COMMAND')
  expect(help).not.toMatch(/ \/(?:smoke|pilotflame)/)
  expect((await say('sglang use', { how: 'mention' })).answer()?.summary).toBe('Another one: /acme-sglang use NAME')
})

const WORDS = { prefix: 'acme-', aliases: { llm: 'sglang', retry: 'smoke' } }
const HERE = 'qwen is meant here, as pilotflame.yml says'

test.each([
  'sglang use',
  '/acme-sglang use',
  'llm use',
  '/llm use',
  '/acme-pilotflame sglang use',
  'acme-pilotflame llm use',
])('in a mention “%s” means the same as its slash command', async (text) => {
  const { say } = await open({ slash: WORDS })
  const said = { form: 'encoded', text } as const
  expect((await say('', { how: 'mention', said })).answer()?.title).toBe(HERE)
})

test('an alias does not take the name of another command in a line: buttons run what they say', async () => {
  const { say } = await open({ slash: WORDS })
  const heard = await say('', { how: 'button', said: { form: 'plain', word: null, text: 'retry' } })
  expect(heard.answer()?.status).not.toBe('healthy')
  expect(heard.answer()?.title).not.toContain('answered')
})
