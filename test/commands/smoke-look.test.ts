import { expect, test } from 'vitest'
import type { Target } from '../../src/domain/target.ts'
import { fakeHost, GOOD } from '../gather/fake-host.ts'
import type { Script } from './house.ts'
import { healthy, openHouse, target } from './house.ts'

const qwen: Target = { ...target('qwen'), host: 'box', unit: 'main' }
const empty: Script = async () => ({
  completion: { ...healthy, reasoning: null, content: null, pieces: 0, tokens: { ...healthy.tokens, completion: 1 } },
  failure: null,
})

async function houseOn(script: Script | null, more: Parameters<typeof openHouse>[0] = {}) {
  const asked: string[] = []
  const host = (name: string) => (name === 'box' ? fakeHost(GOOD, asked) : null)
  const house = await openHouse({ targets: [qwen], host, ...(script === null ? {} : { script }), ...more })
  return { ...house, asked }
}

test('a healthy smoke asks the host nothing, and says nothing of it', async () => {
  const { say, asked } = await houseOn(null)
  const answer = (await say('/smoke "Hi"')).answer()
  expect(answer?.status).toBe('healthy')
  expect(asked).toEqual([])
  expect(answer?.sections.filter(({ title }) => title.startsWith('Looked at'))).toEqual([])
})

test('one that is not looks at the host first, shows how far it is, and says folded what was looked at', async () => {
  const { say, asked } = await houseOn(empty)
  const heard = await say('/smoke "Hi"')
  expect(asked).toHaveLength(10)
  expect(heard.updates.map(({ title }) => title)).toContain('Looking at the host: 9 of 9 things done')
  const answer = heard.answer()
  expect(answer).toMatchObject({ status: 'broken', tone: 'bad' })
  const looked = answer?.sections.at(-1)
  expect(looked).toMatchObject({ title: 'Looked at for this diagnosis: 10 things', folded: true })
  expect(looked?.body).toContain('log (2 lines of this run)')
})

test('what the host does not tell is named, and the diagnosis stays', async () => {
  const host = () => fakeHost({ unit: GOOD['unit'] ?? 'never' })
  const { say } = await houseOn(empty, { host })
  const answer = (await say('/smoke "Hi"')).answer()
  expect(answer?.status).toBe('broken')
  expect(answer?.sections.at(-1)?.body).toContain('Not known: log, process, versions')
})

test('a smoke that somebody stopped is not looked into', async () => {
  const stopped: Script = async () => ({
    completion: healthy,
    failure: { kind: 'stopped', thing: 'stream', observed: 'stopped', next: 'ask again' },
  })
  const { say, asked } = await houseOn(stopped)
  await say('/smoke "Hi"')
  expect(asked).toEqual([])
})

test('the diagnosis of an attempt that was looked into is kept, and read again', async () => {
  const { say, store } = await houseOn(empty)
  const answer = (await say('/smoke "Hi"')).answer()
  const kept = await store.lastAttempt({ channel: 'C0GPU', thread: '1700000000.000100' }, null)
  expect(kept).toMatchObject({ ok: true, value: { verdict: answer?.status, diagnosis: { verdict: answer?.status } } })
})

test('on several targets each that is not healthy is looked into', async () => {
  const other = { ...qwen, name: 'llama' }
  const { say, asked } = await houseOn(empty, { targets: [qwen, other] })
  const answer = (await say('/smoke "Hi" on all')).answer()
  expect(answer?.title).toBe('0 of 2 healthy')
  expect(asked.filter((one) => one === 'unit main')).toHaveLength(2)
})
