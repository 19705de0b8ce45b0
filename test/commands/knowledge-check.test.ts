import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Fact } from '../../src/domain/knowledge.ts'
import { failed, ok } from '../../src/domain/outcome.ts'
import { answersWell, INFO, openHouse, scripted, target } from './house.ts'

/** What is answered to a line, at a day. */
async function answerTo(line: string, given: Parameters<typeof openHouse>[0] = {}) {
  const { say } = await openHouse(given)
  const report = (await say(line, { how: 'mention' })).answer()
  if (report === undefined) throw new Error('no answer')
  return report
}

/** What --json prints of each fact. */
const KNOWN = z.object({
  known: z.array(
    z.object({
      holds: z.boolean(),
      about: z.string(),
      known: z.string(),
      take: z.string(),
      source: z.string().min(1),
      date: z.iso.date(),
    }),
  ),
})

/** Rows of a table that says once what several sources say alike. */
function alike(known: z.infer<typeof KNOWN>['known']): number {
  return new Set(known.map(({ about, take, known: words }) => `${about}\n${words}\n${take}`)).size
}

const AT_THE_MACHINE = {
  person: { team: 'local', id: 'me', name: 'me', kind: 'local' },
  place: { channel: 'terminal', thread: null },
} as const

const titles = (report: { readonly tables: readonly { readonly title: string }[] }) =>
  report.tables.map(({ title }) => title)

describe('knowledge check MODEL', () => {
  it('shows minimum, faults, parsers, platform and sampling of the setting that is asked for', async () => {
    const report = await answerTo('knowledge check Qwen/Qwen3.6-27B --engine sglang --version 0.5.9 --tp 2')
    expect(report).toMatchObject({ status: 'misconfigured', tone: 'bad' })
    expect(report.title).toBe('2 things speak against it: Qwen3.5/3.6/3.8 (dense) on SGLang 0.5.9, tensor parallel 2')
    expect(report.summary).toContain('all-reduce')
    const { known } = KNOWN.parse(report.json)
    expect(known.map(({ holds }) => holds)).toEqual(known.map((_, at) => at < 2))
    const about = known.map((one) => `${one.about}: ${one.take}`).join('\n')
    for (const words of [
      '--reasoning-parser qwen3',
      'GPU driver: driver 525',
      'sampling, thinking: max_tokens 81920',
    ]) {
      expect(about).toContain(words)
    }
  })

  it('of a model that nobody knows it cannot tell, and says what to name instead', async () => {
    const report = await answerTo('knowledge check nosuch/model')
    expect(report).toMatchObject({ status: 'inconclusive', title: 'Nothing is known of “nosuch/model”.' })
    expect(report.sections[0]?.body).toMatch(/^Give the name that its maker gives it, or a family: \S+, /)
  })

  it('without a version it shows what is known of all engines', async () => {
    const report = await answerTo('knowledge check Qwen/Qwen3.6-27B')
    expect(report).toMatchObject({ status: 'done', title: 'What is known of Qwen3.5/3.6/3.8 (dense)' })
    expect(KNOWN.parse(report.json).known).toContainEqual(
      expect.objectContaining({ about: 'vLLM 0.19.0', take: '0.19.0 or newer' }),
    )
  })

  it.each([
    ['knowledge check Qwen3.6-27B --engine sglang --version 0.5.11 --tp 2', 'done'],
    ['knowledge check Qwen3.6-27B --engine sglang --version 0.5.12', 'done'],
    ['knowledge check qwen3.5-dense --engine vllm --version 0.18.0', 'misconfigured'],
    ['knowledge check Qwen3.6-27B-FP8 --engine sglang --version 0.5.10.post1', 'misconfigured'],
    ['knowledge check Qwen3.6-27B --quantisation FP8 --engine sglang --version 0.5.10.post1', 'misconfigured'],
    ['knowledge check our-tune', 'inconclusive'],
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

describe('what was asked and what was not', () => {
  it.each([
    ['knowledge check Qwen3.6-27B', /cannot be told without a version\. Next: add --engine KIND --version V\.$/],
    ['knowledge check Qwen3.6-27B --engine vllm --tp 2', /cannot be told without a version\. Next: add --version V\.$/],
  ])('%s says that it cannot tell', async (line, words) => {
    const report = await answerTo(line)
    expect(report.summary).toMatch(words)
    expect(JSON.stringify(report)).not.toContain('speaks against it')
  })

  it('what was asked for stands in the headline', async () => {
    const report = await answerTo('knowledge check Qwen3.6-27B --engine sglang --tp 2 --quantisation FP8')
    expect(report.title).toBe('What is known of Qwen3.5/3.6/3.8 (dense) on SGLang, tensor parallel 2, fp8')
  })
})

describe('how it is shown', () => {
  it('is one table in a chat, the faults that hold first; the rest and the sources stand behind buttons', async () => {
    const report = await answerTo('knowledge check Qwen/Qwen3.6-27B --engine sglang --version 0.5.9 --tp 2')
    const { known } = KNOWN.parse(report.json)
    const rows = alike(known)
    expect(titles(report)).toEqual([`Known, worst first (first 8 of ${rows} rows)`])
    expect(report.tables[0]?.rows.map(([about]) => about?.startsWith('→ '))).toEqual([
      true,
      true,
      ...Array(6).fill(false),
    ])
    expect(report.actions.map(({ label }) => label)).toEqual([`Show ${rows - 8} more rows`, 'Show sources'])
    const [rest, sources] = report.actions.map(({ reveals }) => reveals?.tables[0])
    expect(rest?.rows).toHaveLength(rows - 8)
    expect(sources?.columns).toEqual(['Source', 'Looked at', 'Says'])
    expect(new Set(sources?.rows.map(([source, day]) => `${source} ${day}`))).toEqual(
      new Set(known.map(({ source, date }) => `${source} ${date}`)),
    )
  })

  it('in a terminal, which has no buttons, it shows every row', async () => {
    const { say } = await openHouse()
    const words = ['knowledge', 'check', 'Qwen/Qwen3.6-27B', '--engine', 'sglang', '--version', '0.5.9']
    const report = (await say('', { how: 'terminal', said: { form: 'words', words }, ...AT_THE_MACHINE })).answer()
    expect(report?.tables[0]?.rows).toHaveLength(alike(KNOWN.parse(report?.json).known))
    expect(report?.actions).toEqual([])
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

  it('cannot tell of a server that does not say its version', async () => {
    const engine = { ...scripted(answersWell), info: async () => ok({ ...INFO, version: null }) }
    const never = async () => failed<never>({ kind: 'bug', thing: 'test', observed: 'called', next: 'script it' })
    const api = { url: 'http://x', json: never, text: never, events: never }
    const report = await answerTo('knowledge check', { reach: async () => ok({ engine, api, info: {} }) })
    expect(report.tables[0]?.rows[0]?.[2]).toMatch(/^cannot tell: the server does not say its version/)
    expect(JSON.stringify(report)).not.toContain('no known fault')
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
