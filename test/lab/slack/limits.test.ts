import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SlackStandIn } from '../../../src/lab/slack/index.ts'
import { startSlack } from '../../../src/lab/slack/index.ts'
import { call } from './client.ts'

let slack: SlackStandIn

beforeAll(async () => {
  slack = await startSlack({ port: 0 })
})
afterAll(() => slack.close())

const a = (length: number) => 'a'.repeat(length)
const plain = (text: string) => ({ type: 'plain_text', text })
const section = (text: string) => ({ type: 'section', text: plain(text) })
const divider = { type: 'divider' }
const header = (text: string) => ({ type: 'header', text: plain(text) })
const button = (more: object = {}) => ({ type: 'button', text: plain('Go'), ...more })
const actions = (count: number) => ({ type: 'actions', elements: Array(count).fill(button()) })
const container = (children: readonly object[], more: object = {}) => ({
  type: 'container',
  title: plain('Reasoning'),
  child_blocks: children,
  ...more,
})
const cell = { type: 'raw_text', text: 'x' }
const table = (rows: number, columns: number) => ({ type: 'table', rows: Array(rows).fill(Array(columns).fill(cell)) })
const rich = {
  type: 'rich_text',
  elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text: 'x' }] }],
}
const many = (count: number) => Array(count).fill(divider)

const markdown = (text: string) => ({ type: 'markdown', text })
const picture = (alt: string) => ({ type: 'image', alt_text: alt, image_url: 'https://x.example/a.png' })
const figure = (text: string) => ({ type: 'table', rows: [[{ type: 'raw_number', value: 1, text }]] })

interface Row {
  readonly what: string
  readonly taken: readonly object[]
  readonly refused: readonly object[]
  /** part of errors[0], or the error code where there is no list of errors */
  readonly because: string
}

const TABLE: readonly Row[] = [
  {
    what: 'section text',
    taken: [section(a(3000))],
    refused: [section(a(3001))],
    because: 'must be less than 3001 characters [json-pointer:/blocks/0/text/text]',
  },
  {
    what: 'code points, not UTF-16 units',
    taken: [section('🚀'.repeat(3000))],
    refused: [section('🚀'.repeat(3001))],
    because: 'must be less than 3001',
  },
  { what: 'empty text', taken: [section(' ')], refused: [section('')], because: 'must be more than 0 characters' },
  { what: 'header', taken: [header(a(150))], refused: [header(a(151))], because: '/blocks/0/text/text' },
  {
    what: 'a header is plain',
    taken: [header('x')],
    refused: [{ type: 'header', text: { type: 'mrkdwn', text: 'x' } }],
    because: 'must be one of: plain_text',
  },
  {
    what: 'unknown key in a block',
    taken: [section('x')],
    refused: [{ ...section('x'), expanded: true }],
    because: 'invalid additional property: expanded [json-pointer:/blocks/0]',
  },
  {
    what: 'unknown key in a text',
    taken: [section('x')],
    refused: [{ type: 'section', text: { ...plain('x'), verbatim: true } }],
    because: 'invalid additional property: verbatim',
  },
  {
    what: 'missing field',
    taken: [section('x')],
    refused: [{ type: 'section' }],
    because: 'missing required field: text',
  },
  { what: 'blocks of modals only', taken: [divider], refused: [{ type: 'alert' }], because: 'unsupported type: alert' },
  { what: 'buttons', taken: [actions(25)], refused: [actions(26)], because: 'no more than 25 items allowed' },
  {
    what: 'button value',
    taken: [{ type: 'actions', elements: [button({ value: a(2000) })] }],
    refused: [{ type: 'actions', elements: [button({ value: a(2001) })] }],
    because: '/blocks/0/elements/0/value',
  },
  { what: 'blocks', taken: many(50), refused: many(51), because: 'no more than 50 items allowed' },
  {
    what: 'children count as blocks',
    taken: [container([divider, divider]), ...many(47)],
    refused: [container([divider, divider]), ...many(48)],
    because: 'no more than 50 items allowed',
  },
  {
    what: 'children of a container',
    taken: [container([section('x'), divider, header('x'), actions(1), table(1, 1)])],
    refused: [container([rich])],
    because: 'unsupported type: rich_text [json-pointer:/blocks/0/child_blocks/0]',
  },
  {
    what: 'number of children',
    taken: [container(many(10))],
    refused: [container(many(11))],
    because: 'no more than 10 items allowed',
  },
  {
    what: 'no container in a container',
    taken: [container([divider])],
    refused: [container([container([divider])])],
    because: 'unsupported type: container',
  },
  {
    what: 'collapsed needs collapsible',
    taken: [container([divider], { is_collapsible: true, default_collapsed: true })],
    refused: [container([divider], { default_collapsed: true })],
    because: 'default_collapsed requires is_collapsible',
  },
  {
    what: 'header divider',
    taken: [container([divider], { has_header_divider: true })],
    refused: [container([divider], { has_header_divider: true, is_collapsible: true })],
    because: 'has_header_divider',
  },
  { what: 'table rows', taken: [table(100, 1)], refused: [table(101, 1)], because: 'no more than 100 items' },
  { what: 'table columns', taken: [table(1, 20)], refused: [table(1, 21)], because: 'no more than 20 items' },
  { what: 'one table', taken: [table(1, 1)], refused: [table(1, 1), table(1, 1)], because: 'invalid_attachments' },
  {
    what: 'one table, also inside',
    taken: [container([table(1, 1)])],
    refused: [container([table(1, 1)]), table(1, 1)],
    because: 'invalid_attachments',
  },
  {
    what: 'sum of texts',
    taken: [...Array(4).fill(section(a(3000))), section(a(1200))],
    refused: [...Array(4).fill(section(a(3000))), section(a(1201))],
    because: 'msg_blocks_too_long',
  },
  {
    what: 'pictures, figures and confirmations count as text',
    taken: [...Array(4).fill(section(a(3000))), figure(a(600)), picture(a(600))],
    refused: [...Array(4).fill(section(a(3000))), figure(a(600)), picture(a(601))],
    because: 'msg_blocks_too_long',
  },
  {
    what: 'all markdown together',
    taken: [markdown(a(6000)), markdown(a(6000))],
    refused: [markdown(a(6000)), divider, markdown(a(6001))],
    because: 'must be less than 12001 characters [json-pointer:/blocks/2/text]',
  },
  {
    what: 'block_id once',
    taken: [{ ...divider, block_id: 'a' }],
    refused: [
      { ...divider, block_id: 'a' },
      { ...divider, block_id: 'a' },
    ],
    because: 'block_id already exists',
  },
  {
    what: 'rich text only as text and link in preformatted',
    taken: [rich],
    refused: [
      { type: 'rich_text', elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'emoji', name: 'x' }] }] },
    ],
    because: 'unsupported type: emoji',
  },
]

describe.each(TABLE)('$what', ({ taken, refused, because }) => {
  test('taken', async () => {
    expect(await call(slack, 'chat.postMessage', { channel: 'C0GPU', text: 'x', blocks: taken })).toMatchObject({
      ok: true,
    })
  })
  test('refused', async () => {
    const reply = await call(slack, 'chat.postMessage', { channel: 'C0GPU', text: 'x', blocks: refused })
    expect(reply['ok']).toBe(false)
    expect([reply['error'], ...[reply['errors'] ?? []].flat()].join(' ')).toContain(because)
  })
})

test('invalid_blocks says where in both of its lists', async () => {
  const reply = await call(slack, 'chat.postMessage', { channel: 'C0GPU', text: 'x', blocks: [section('')] })
  const error = 'must be more than 0 characters [json-pointer:/blocks/0/text/text]'
  expect(reply).toEqual({
    ok: false,
    error: 'invalid_blocks',
    errors: [error],
    response_metadata: { messages: [`[ERROR] ${error}`] },
  })
})

test('blocks that are no list of objects', async () => {
  const twice = JSON.stringify(JSON.stringify([divider]))
  for (const blocks of ['x', twice, [1], { type: 'divider' }]) {
    const reply = await call(slack, 'chat.postMessage', { channel: 'C0GPU', text: 'x', blocks })
    expect(reply).toMatchObject({ ok: false, error: 'invalid_blocks_format' })
  }
})

test('a long text is cut on posting and refused on updating', async () => {
  const long = await call(slack, 'chat.postMessage', { channel: 'C0GPU', text: a(40_001) })
  expect(long).toMatchObject({ ok: true, warning: 'message_truncated', message: { text: a(40_000) } })
  const at = { channel: 'C0GPU', ts: long['ts'] }
  expect(await call(slack, 'chat.update', { ...at, text: a(4000) })).toMatchObject({ ok: true })
  expect(await call(slack, 'chat.update', { ...at, text: a(4001) })).toMatchObject({ error: 'msg_too_long' })
})

test('markdown_text stands alone, and has 12,000 characters at most', async () => {
  const post = (more: object) => call(slack, 'chat.postMessage', { channel: 'C0GPU', ...more })
  expect(await post({ markdown_text: a(12_000) })).toMatchObject({ ok: true })
  expect(await post({ markdown_text: a(12_001) })).toMatchObject({ error: 'msg_too_long' })
  for (const beside of [{ text: 'x' }, { blocks: [divider] }])
    expect(await post({ markdown_text: 'x', ...beside })).toMatchObject({ error: 'markdown_text_conflict' })
})

test('rich text is changed into rich text or words, not into other blocks', async () => {
  const { ts } = await call(slack, 'chat.postMessage', { channel: 'C0GPU', text: 'x', blocks: [rich] })
  const change = (more: object) => call(slack, 'chat.update', { channel: 'C0GPU', ts, text: 'y', ...more })
  expect(await change({ blocks: [divider] })).toMatchObject({ ok: false, error: 'block_mismatch' })
  expect(await change({ blocks: [divider, rich] })).toMatchObject({ ok: true })
  expect(await change({})).toMatchObject({ ok: true })
  expect(await change({ blocks: [divider] })).toMatchObject({ ok: true })
})
