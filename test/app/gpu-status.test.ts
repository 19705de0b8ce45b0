import { afterEach, expect, test } from 'vitest'
import { openApp } from '../../src/app.ts'
import { nothingSet } from '../../src/config.ts'
import type { Ask } from '../../src/domain/ask.ts'
import type { Conversation } from '../../src/domain/conversation.ts'
import type { Report } from '../../src/domain/report.ts'
import { startFieldStory } from '../../src/lab/field-story.ts'
import { startLab } from '../../src/lab/index.ts'

const QUIET = { debug() {}, info() {}, warn() {}, error() {} }
const PLACE = { channel: 'terminal', thread: null }

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** The demo's boxes behind the whole app, over real SSH; what the terminal is told. */
async function ask(line: string): Promise<Report> {
  const [lab, story] = await Promise.all([startLab({}), startFieldStory({})])
  closing.push(lab.close, story.close)
  const hosts = [...lab.hosts, story.host]
  const app = await openApp({ ...nothingSet, hosts, targets: [...lab.targets, story.target] }, QUIET)
  if (!app.ok) throw new Error(app.failure.observed)
  closing.push(app.value.close)
  const told: Report[] = []
  const talk: Conversation = {
    to: PLACE,
    pressed: null,
    begin: async () => ({ place: PLACE, message: null }),
    update() {},
    shown: async () => ({ files: [], above: { ok: true, value: [] } }),
    async end(report) {
      told.push(report)
      return null
    },
  }
  const said = { form: 'words', words: line.split(' ') } as const
  const person = { team: 'local', id: 'anna', name: 'anna', kind: 'local' } as const
  const asked: Ask = { id: 'ask', how: 'terminal', said, person, place: PLACE, attempt: null, at: 0 }
  await app.value.dispatcher.handle(asked, talk)
  const [report] = told
  if (report === undefined) throw new Error('no answer')
  return report
}

test('the field story’s box tells its cards over SSH, through the whole app', async () => {
  const told = await ask('gpu status field')
  expect(told).toMatchObject({ title: 'gpu-box-2 answers · 2 of 2 GPUs free', status: 'healthy', tone: 'good' })
  expect(told.lead).toBe('anna asked for the GPUs of gpu-box-2')
  const readings = ['0.0 / 48.0 GiB', '0 %', '34 °C', '22 / 300 W', 'Free', '']
  expect(told.tables).toMatchObject([
    {
      title: 'gpu-box-2: 2 GPUs · on no GPU: field',
      rows: [
        ['0', 'NVIDIA RTX A6000', ...readings],
        ['1', 'NVIDIA RTX A6000', ...readings],
      ],
    },
  ])
})

test('the demo’s first contact: every card is told, and every server stands on its cards until it is stopped', async () => {
  const told = await ask('gpu status')
  expect(told).toMatchObject({ title: '2 of 2 hosts answer · 2 of 4 GPUs free', tone: 'good' })
  const loaded = [
    '42.0 / 48.0 GiB',
    '0 %',
    '41 °C',
    '71 / 300 W',
    'Loaded, no work',
    'qwen, qwen-059, looper and 1 more',
  ]
  expect(told.tables[0]).toMatchObject({
    title: 'gpu-box-1: 2 GPUs',
    rows: [
      ['0', 'NVIDIA RTX A6000', ...loaded],
      ['1', 'NVIDIA RTX A6000', ...loaded],
    ],
  })
  expect(await ask('gpu doctor')).toMatchObject({ title: 'All 2 hosts are well', tone: 'good' })
})

test('all hosts of the configuration are asked, and a host of none is refused', async () => {
  const all = await ask('gpu status all')
  expect(all.json).toMatchObject({ total: 2, hosts: { length: 2 } })
  expect(JSON.stringify(all.json)).toContain('"host":"gpu-box-1"')
  expect(await ask('gpu status gpu-box-9')).toMatchObject({ status: 'usage' })
})
