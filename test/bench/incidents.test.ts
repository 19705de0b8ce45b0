import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { predicates } from '../../bench/incidents/predicates.ts'
import type { Incident } from '../../bench/incidents/served.ts'
import { INCIDENTS } from '../../bench/incidents/served.ts'
import type { Seen } from '../../bench/incidents/table.ts'
import { ourTally, table, tallyOf } from '../../bench/incidents/table.ts'
import { startModelServer } from '../../src/lab/model-server.ts'
import { healthy, loading } from '../../src/lab/stories.ts'
import type { Story } from '../../src/lab/story.ts'

async function called(story: Story) {
  const server = await startModelServer({ story })
  const said = await predicates(server.url, 200)
  await server.close()
  return Object.entries(said).filter(([, isFine]) => isFine)
}

test('every check calls a healthy server healthy, and none one that is loading', async () => {
  expect(await called(healthy)).toHaveLength(5)
  expect(await called(loading)).toEqual([])
})

test('a server that is gone is healthy for none', async () => {
  const server = await startModelServer({ story: healthy })
  await server.close()
  expect(Object.values(await predicates(server.url, 200))).toEqual([false, false, false, false, false])
})

test('eight incidents, one of which is none', () => {
  expect(new Set(INCIDENTS.map(({ name }) => name)).size).toBe(8)
  expect(INCIDENTS.filter(({ verdict }) => verdict === 'healthy')).toHaveLength(1)
})

test('the README shows each of them, and what is to be said of it', () => {
  const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8').split('\n')
  const shown = (name: string) =>
    readme
      .find((line) => line.startsWith(`| ${name} |`))
      ?.split(' | ')
      .at(-1)
  expect(INCIDENTS.map(({ name }) => shown(name))).toEqual(
    INCIDENTS.map(({ verdict, code }) => `${verdict}, \`${code}\` |`),
  )
})

const FINE = {
  status: true,
  ping: true,
  json: true,
  content: true,
  words: true,
  blackboxStatus: null,
  blackboxChat: true,
}

function seen(
  name: string,
  verdict: Incident['verdict'],
  said: Pick<Seen, 'verdict' | 'code'>,
  content: boolean,
): Seen {
  const incident = { name, lab: { story: healthy }, model: null, verdict, code: 'ok.answered' } as const
  return { incident, called: { ...FINE, content }, ...said }
}

test('what is wrong is counted and shown, ours as well', () => {
  const rows = [
    seen('fine', 'healthy', { verdict: 'healthy', code: 'ok.answered' }, false),
    seen('bad', 'broken', { verdict: 'broken', code: 'model.gibberish' }, false),
  ]
  expect(ourTally(rows)).toEqual({ right: 1, falseAlarms: 0 })
  expect(tallyOf('content', rows)).toEqual({ right: 1, falseAlarms: 1 })
  expect(tallyOf('status', rows)).toEqual({ right: 1, falseAlarms: 0 })
  expect(table(rows).split('\n').slice(2)).toEqual([
    '| fine | healthy | healthy | healthy | **alarm** | healthy | not here | healthy | healthy, `ok.answered` |',
    '| bad | **healthy** | **healthy** | **healthy** | alarm | **healthy** | not here | **healthy** | broken, `model.gibberish` |',
    '| right, of 2 | 1 | 1 | 1 | 1 | 1 | not here | 1 | 1 |',
    '| false alarms | 0 | 0 | 0 | 1 | 0 | not here | 0 | 0 |',
  ])
})
