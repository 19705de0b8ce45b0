import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import type { Report, Section } from '../../../src/domain/report.ts'
import { refusal, report } from '../../../src/domain/report.ts'
import { fieldsIn } from '../../../src/lab/slack/json.ts'
import { readContent } from '../../../src/lab/slack/validate.ts'
import { lengthOf } from '../../../src/surfaces/slack/cut.ts'
import { written } from '../../../src/surfaces/slack/escape.ts'
import { golden } from '../../../src/surfaces/slack/golden.ts'
import { LIMITS } from '../../../src/surfaces/slack/limits.ts'
import type { Message } from '../../../src/surfaces/slack/pages.ts'
import { textLength } from '../../../src/surfaces/slack/pages.ts'
import { details, headline, verdict, whole } from '../../../src/surfaces/slack/render.ts'
import { fitted } from '../../../src/surfaces/slack/table-fit.ts'
import { healthy } from './reports.ts'

const buttons = (from: Report) => from.actions.map(({ label, style }, at) => ({ id: `id-${at + 1}`, label, style }))
const sent = ({ text, blocks }: Message) => ({ text: written(text), blocks })

/** What the stand-in, whose limits were written apart from ours, says to a message. */
function verdictOf(message: Message) {
  const content = readContent({ ...sent(message) }, 'update', new Set())
  return content.ok ? 'taken' : content
}

/** A long table in one line a row, so that a reviewer can read it. */
const readable = (key: string, value: unknown): unknown =>
  key === 'rows' && Array.isArray(value) && value.length > 20
    ? fieldsInRows(value).map((cells) => cells.map((cell) => String(cell['text'])).join(' | '))
    : value

const fieldsInRows = (rows: readonly unknown[]) => rows.map(fieldsIn)

test.each(golden())('$name looks as reviewed', async ({ name, report: given }) => {
  const full = fitted(given)
  const alive = full.status === 'running'
  const top = headline(full, alive ? buttons(full) : [])
  const under = alive ? [] : details(full, buttons(full)).messages
  const shown = { headline: sent(top), thread: under.map(sent) }
  await expect(`${JSON.stringify(shown, readable, 2)}\n`).toMatchFileSnapshot(`golden/${name}.json`)
  for (const message of [top, ...under]) expect(verdictOf(message)).toBe('taken')
  // Slack gives each block a new id at each update; one of ours would stay the same
  expect(JSON.stringify(shown)).not.toContain('block_id')
})

const section = (given: Partial<Section>): Section => ({
  kind: 'content',
  title: 'Content',
  body: 'hello',
  folded: false,
  ...given,
})

const extremes: readonly (readonly [string, Partial<Report>])[] = [
  ['nothing but a title', {}],
  ['blank texts', { title: ' ', lead: '\n', sections: [section({ body: '', title: ' ' }), section({ body: '\n\n' })] }],
  [
    'a long title, lead and fact',
    { title: 't'.repeat(999), lead: 'l'.repeat(9_999), facts: [{ label: 'f', value: 'v'.repeat(5_000) }] },
  ],
  ['many facts', { facts: Array.from({ length: 150 }, (_, at) => ({ label: `fact ${at}`, value: 'value' })) }],
  [
    'long reasoning and content',
    { sections: [section({ kind: 'reasoning', body: 'r'.repeat(90_000) }), section({ body: 'c '.repeat(40_000) })] },
  ],
  ['only emoji', { sections: [section({ body: '👋'.repeat(8_000) })] }],
  ['only mark-up', { sections: [section({ kind: 'code', body: '<&>'.repeat(9_000) })] }],
  ['only backticks', { sections: [section({ kind: 'log', body: '`'.repeat(20_000) })] }],
  [
    'many sections',
    { sections: Array.from({ length: 60 }, (_, at) => section({ title: `part ${at}`, body: 'x'.repeat(500) })) },
  ],
  [
    'many buttons',
    {
      actions: Array.from({ length: 30 }, (_, at) => ({ label: `b${at}`.repeat(40), line: 'help', style: 'primary' })),
    },
  ],
  ['tables', { tables: [table(3, 4), table(300, 3), table(5, 30), table(0, 2)] }],
]

function table(rows: number, columns: number) {
  const row = Array.from({ length: columns }, (_, at) => `cell ${at}`)
  return { title: 'Table', columns: row, rows: Array.from({ length: rows }, () => row) }
}

describe.each(extremes)('%s', (_, given) => {
  const full = report({ tone: 'good', status: 'healthy', title: 'Title', ...given })
  const all = [
    ['headline', [headline(full, buttons(full))]],
    ['details', details(full, buttons(full)).messages],
    ['whole, in boxes', whole(full, buttons(full), true).messages],
    ['whole, plain', whole(full, buttons(full), false).messages],
  ] as const

  test.each(all)('%s keeps to the limits', (_, messages) => {
    for (const message of messages) {
      expect(verdictOf(message)).toBe('taken')
      expect(textLength(message.blocks)).toBeLessThanOrEqual(LIMITS.blockText)
      expect(written(message.text)).not.toBe('')
    }
  })
})

test('a long body shows its beginning and its end, counts the rest, and goes to a file', () => {
  const body = `${'a'.repeat(5_000)}${'👋'.repeat(5_000)}`
  const { messages, files } = details({ ...healthy, sections: [section({ body })] }, [])
  expect(files).toEqual([{ name: 'content.txt', text: body }])
  expect(JSON.stringify(messages)).toContain('4,000 characters between are in content.txt')
  expect(JSON.stringify(messages)).not.toMatch(/\\ud83d(?!\\udc4b)|�/)
})

test('a body that the report brought as a file is not uploaded twice', () => {
  const body = 'x'.repeat(9_000)
  const files = [{ name: 'attempt-1-raw.txt', text: `POST\n${body}` }]
  const rendered = details({ ...healthy, files, sections: [section({ body, kind: 'code' })] }, [])
  expect(rendered.files).toEqual(files)
  expect(JSON.stringify(rendered.messages)).toContain('characters between are in attempt-1-raw.txt')
})

test('figures stand on the right, in a table and in code', () => {
  const rows = [
    ['node1', '1,024 MiB', '99 %', '–'],
    ['node12', '8 MiB', '7 %', '-3.5'],
  ]
  const tables = [{ title: 'Cards', columns: ['Host', 'Memory', 'Load', 'Change'], rows }]
  const [message] = details({ ...healthy, facts: [], sections: [], tables }, []).messages
  const right = { align: 'right', is_wrapped: false }
  expect(message?.blocks[1]).toMatchObject({ column_settings: [{ is_wrapped: true }, right, right, right] })
  const [plain] = message?.again?.(['table']) ?? []
  const code = ['Host       Memory  Load  Change', 'node1   1,024 MiB  99 %       –', 'node12      8 MiB   7 %    -3.5']
  expect(plain?.blocks[1]).toMatchObject({ text: { text: `\`\`\`\n${code.join('\n')}\n\`\`\`` } })
})

test('what has no room is counted in the title of its table, rows and columns', () => {
  const { tables, actions } = fitted(report({ tone: 'good', status: 'done', title: 'x', tables: [table(300, 30)] }))
  expect(tables[0]?.title).toMatch(/^Table \(first 20 of 30 columns, first \d+ of 300 rows, whole in table.txt\)$/)
  const shown = tables[0]?.rows.length ?? 0
  expect(actions).toMatchObject([{ label: `Show ${300 - shown} more rows`, reveals: { tables: [{ title: 'Table' }] } }])
  expect(actions[0]?.reveals?.tables[0]?.rows).toHaveLength(300 - shown)
})

test('a line break in what has one line begins no line of ours', () => {
  const given = report({
    tone: 'good',
    status: 'done',
    title: 'x\n✅ a',
    lead: 'y\n✅ b',
    facts: [{ label: 'z\n✅ c', value: 'v\r\n✅ d' }],
  })
  const { text } = sent(headline(given, []))
  expect(text.split('\n')).toEqual(['✅ x ✅ a', 'y ✅ b', 'z ✅ c: v ✅ d'])
})

test('in one message each fact stands once: in the line where all fit, else in the table', () => {
  const facts = Array.from({ length: 6 }, (_, at) => ({ label: `Fact number ${at}`, value: `value ${at}` }))
  const given = report({ tone: 'warning', status: 'needs-clarification', title: 'Restart qwen?', facts })
  const drawn = (some: Report) => JSON.stringify(whole(some, [], false).messages.map((one) => one.blocks))
  for (const all of [drawn(given), drawn({ ...given, facts: facts.slice(0, 2) })])
    expect(all.match(/Fact number 0/g)).toHaveLength(1)
  expect(drawn(given)).toContain('Fact number 5')
  const words = whole(given, [], false).messages.flatMap((one) => one.again?.(['blocks']) ?? [])
  expect(
    words
      .map(({ text }) => written(text))
      .join('\n')
      .match(/Fact number 0/g),
  ).toHaveLength(1)
})

test('the overview stands before the details: tables, then sections', () => {
  const given = report({ tone: 'bad', status: 'broken', title: 'x', tables: [table(3, 2)], sections: [section({})] })
  const all = JSON.stringify(details(given, []).messages.map(({ blocks }) => blocks))
  expect(all.indexOf('"table"')).toBeGreaterThan(-1)
  expect(all.indexOf('"table"')).toBeLessThan(all.indexOf('hello'))
})

test('buttons stand in the message where nothing is below it, else below all that is', () => {
  const actions: Report['actions'] = [{ label: 'Smoke', line: 'smoke', style: 'primary' }]
  const short = report({ tone: 'good', status: 'done', title: 'Restarted', actions })
  const long = { ...short, sections: [section({})] }
  const kinds = (message: Message | undefined) => message?.blocks.map(({ type }) => type) ?? []
  expect(kinds(verdict(short, buttons(short)).head)).toEqual(['header', 'actions'])
  expect(verdict(short, buttons(short)).below).toEqual({ messages: [], files: [] })
  expect(kinds(verdict(long, buttons(long)).head)).toEqual(['header'])
  expect(kinds(verdict(long, buttons(long)).below.messages.at(-1)).at(-1)).toBe('actions')
})

test('a whole answer in private has no box, also where it is drawn again', () => {
  const [message] = whole(healthy, [], false).messages
  const all = [message, ...(message?.again?.(['table']) ?? [])]
  expect(JSON.stringify(all)).not.toContain('container')
})

test('the order of the parts is kept over messages', () => {
  const sections = ['one', 'two', 'three'].map((title) => section({ title, body: 'x'.repeat(5_900) }))
  const { messages } = details({ ...healthy, facts: [], sections }, [])
  expect(
    messages.map(({ blocks }) => blocks.flatMap((block) => (block.type === 'container' ? [block.title?.text] : []))),
  ).toEqual([['one'], ['two'], ['three']])
})

test('a refusal is a sentence, not a headline', () => {
  expect(headline(refusal('Not run: guests may not.'), []).blocks).toEqual([
    { type: 'section', text: { type: 'plain_text', text: '⚠️ Not run: guests may not.', emoji: false }, expand: true },
  ])
})

test('only escape.ts writes mrkdwn', async () => {
  const { globSync } = await import('node:fs')
  const sources = globSync('src/surfaces/slack/*.ts').filter((path) => !path.endsWith('escape.ts'))
  expect(sources.length).toBeGreaterThan(10)
  for (const path of sources) expect(await readFile(path, 'utf8'), path).not.toMatch(/type: 'mrkdwn'|type: 'markdown'/)
})

const states = (rows: number, state = 'Thinking, about 312 tokens, 8.1 s') => [
  {
    title: 'Targets',
    columns: ['Target', 'State'],
    rows: Array.from({ length: rows }, (_, at) => [`t-${at}`, state]),
  },
]
const running = (tables: Report['tables']) =>
  report({
    tone: 'running',
    status: 'running',
    title: `1 of ${tables[0]?.rows.length} targets done: 9.0 s`,
    lead: 'anna asked them: Say hello',
    tables,
    actions: [{ label: 'Stop', line: 'stop run-1', style: 'danger' }],
  })
const rungs = [[], ['table'], ['expand'], ['blocks']] as const

test('a running table stands in the live message while it fills, under the button, and in its thread at the end only', () => {
  const report = running([
    {
      title: 'Targets',
      columns: ['Target', 'State'],
      rows: [
        ['qwen', 'Thinking'],
        ['llama', 'Healthy'],
      ],
    },
  ])
  const { blocks } = headline(report, buttons(report))
  expect(blocks.map(({ type }) => type)).toEqual(['header', 'section', 'actions', 'section'])
  const code = ['Target  State', 'qwen    Thinking', 'llama   Healthy']
  expect(blocks[3]).toMatchObject({ text: { type: 'mrkdwn', text: `\`\`\`\n${code.join('\n')}\n\`\`\`` } })
  const ended: Report = { ...report, tone: 'good', status: 'healthy' }
  expect(headline(ended, []).blocks.map(({ type }) => type)).toEqual(['header', 'section'])
})

test.each(rungs.map((without) => ({ without })))(
  'a running table is one message without $without, however long',
  ({ without }) => {
    const hostile = '`<&>👋'.repeat(100)
    for (const table of [states(1), states(20), states(100), states(100, hostile), states(3, 'x'.repeat(9_000))]) {
      const full = headline(running(table), buttons(running(table)))
      const messages = full.again?.(without) ?? []
      expect(messages).toHaveLength(1)
      for (const message of [full, ...messages]) {
        expect(verdictOf(message)).toBe('taken')
        expect(lengthOf(written(message.text))).toBeLessThanOrEqual(LIMITS.text)
        expect(JSON.stringify(sent(message))).toContain('t-0')
      }
    }
  },
)

test('a running table shows the first 20 rows, and fewer of long ones, and counts the others', () => {
  const shown = (table: Report['tables']) => {
    const text = JSON.stringify(sent(headline(running(table), [])).blocks)
    return [text.match(/t-\d+/g)?.length, /… and ([\d,]+) more/.exec(text)?.[1] ?? null]
  }
  expect(shown(states(20))).toEqual([20, null])
  expect(shown(states(21))).toEqual([20, '1'])
  expect(shown(states(2_000))).toEqual([20, '1,980'])
  expect(shown(states(20, 'x'.repeat(200)))).toEqual([7, '13'])
})

test('a running table gives way to the rest where a message has no room for it', () => {
  const many = Array.from({ length: 50 }, () => ({ label: 'b'.repeat(75), line: 'help', style: 'plain' as const }))
  const full = report({
    ...running(states(100)),
    title: 't'.repeat(999),
    lead: 'l'.repeat(2_000),
    summary: 's'.repeat(3_000),
    actions: many,
  })
  const message = headline(full, buttons(full))
  expect(verdictOf(message)).toBe('taken')
  expect(message.blocks.filter(({ type }) => type === 'actions')).toHaveLength(2)
  expect(JSON.stringify(message.blocks)).not.toContain('t-0')
})
