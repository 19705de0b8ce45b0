import { describe, expect, it } from 'vitest'
import type { Fact } from '../../src/domain/knowledge.ts'
import { openHouse, target } from './house.ts'

/** What is answered to a line, at a day. */
async function answerTo(line: string, given: Parameters<typeof openHouse>[0] = {}) {
  const { say } = await openHouse(given)
  const report = (await say(line, { how: 'mention' })).answer()
  if (report === undefined) throw new Error('no answer')
  return report
}

const titles = (report: { readonly tables: readonly { readonly title: string }[] }) =>
  report.tables.map(({ title }) => title)

describe('knowledge check MODEL', () => {
  it('shows minimum, faults, parsers, platform and sampling of the setting that is asked for', async () => {
    const report = await answerTo('knowledge check Qwen/Qwen3.6-27B --engine sglang --version 0.5.9 --tp 2')
    expect(report).toMatchObject({ status: 'misconfigured', tone: 'bad' })
    expect(report.title).toBe('2 things speak against it: Qwen3.5/3.6/3.8 (dense) on SGLang 0.5.9')
    expect(report.summary).toContain('all-reduce')
    expect(titles(report)).toEqual([
      'Oldest SGLang that serves it: 0.5.11',
      'Known faults of SGLang with it',
      'Settings of SGLang for it',
      'What SGLang 0.5.9 runs on',
      'Sampling',
    ])
    const marked = report.tables[1]?.rows.filter(([versions]) => versions?.startsWith('→ '))
    expect(marked).toHaveLength(1)
    for (const { columns, rows } of report.tables) {
      expect(columns.slice(-2)).toEqual(['Source', 'Looked at'])
      for (const row of rows) expect(row).toHaveLength(columns.length)
    }
  })

  it('without a version it shows what is known of all engines', async () => {
    const report = await answerTo('knowledge check Qwen/Qwen3.6-27B')
    expect(report).toMatchObject({ status: 'done', title: 'What is known of Qwen3.5/3.6/3.8 (dense)' })
    expect(titles(report)).toContain('Oldest vLLM that serves it: 0.19.0')
  })

  it.each([
    ['knowledge check Qwen3.6-27B --engine sglang --version 0.5.11 --tp 2', 'done'],
    ['knowledge check Qwen3.6-27B --engine sglang --version 0.5.12', 'done'],
    ['knowledge check qwen3.5-dense --engine vllm --version 0.18.0', 'misconfigured'],
    ['knowledge check Qwen3.6-27B-FP8 --engine sglang --version 0.5.10.post1', 'misconfigured'],
    ['knowledge check Qwen3.6-27B --quantisation FP8 --engine sglang --version 0.5.10.post1', 'misconfigured'],
    ['knowledge check our-tune', 'done'],
    ['knowledge check Qwen3.6-27B --version 0.5.9', 'usage'],
    ['knowledge check --engine sglang', 'usage'],
    ['knowledge check Qwen3.6-27B --engine sglan', 'usage'],
    ['knowledge check Qwen3.6-27B --engine sglang --version main', 'usage'],
    ['knowledge check Qwen3.6-27B Qwen3-8B', 'usage'],
    ['knowledge check <@U1>', 'usage'],
  ])('%s: %s', async (line, status) => {
    expect((await answerTo(line)).status).toBe(status)
  })
})

const TAUGHT: Fact = {
  family: null,
  model: '/qwen',
  engine: 'sglang',
  versions: '>=0.5.18,<0.5.19',
  tensorParallel: null,
  quantisation: [],
  flags: [],
  code: 'model.gibberish',
  cause: 'our build adds up the experts twice',
  fixed: null,
  fix: 'start with --disable-cuda-graph',
  source: 'OPS-12',
  date: '2023-11-01',
  standing: 'stated',
}

describe('knowledge check', () => {
  it('tells of the servers that may be used here, and of those that cannot be reached', async () => {
    const report = await answerTo('knowledge check', { targets: [target('qwen'), target('spare')] })
    const [servers] = report.tables
    expect(servers?.rows).toEqual([
      ['qwen', 'SGLang 0.5.18 with /srv/models/qwen', 'nothing is known of this model'],
      ['spare', 'SGLang 0.5.18 with /srv/models/qwen', 'nothing is known of this model'],
    ])
    const down = { kind: 'refused', thing: 'target qwen', observed: 'connection refused', next: 'start it' } as const
    const dead = await answerTo('knowledge check', { unreachable: down })
    expect(dead.tables[0]?.rows[0]?.slice(0, 2)).toEqual(['qwen', 'not reached'])
  })

  it('knows what the team taught', async () => {
    const report = await answerTo('knowledge check', { taught: [TAUGHT] })
    expect(report).toMatchObject({ status: 'misconfigured', tone: 'bad' })
    expect(report.title).toContain('1 server with a known fault')
    expect(report.tables[0]?.rows[0]?.[2]).toBe('SGLang 0.5.18: our build adds up the experts twice.')
  })

  it('reaches the diagnosis of a smoke as a remark', async () => {
    const { say } = await openHouse({ taught: [TAUGHT] })
    const report = (await say('smoke "Say hello"')).answer()
    expect(report?.status).toBe('healthy')
    expect(JSON.stringify(report?.json)).toContain('our build adds up the experts twice')
  })
})
