import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SlackStandIn } from '../../../src/lab/slack/index.ts'
import { startSlack } from '../../../src/lab/slack/index.ts'
import type { Fields } from '../../../src/lab/slack/json.ts'
import { call } from './client.ts'

let slack: SlackStandIn

beforeAll(async () => {
  slack = await startSlack({ port: 0 })
})
afterAll(() => slack.close())

const plain = (text: string) => ({ type: 'plain_text', text })
const section = (text: string) => ({ type: 'section', text: plain(text) })
/** without a token */
const validate = (body: Fields) => call({ apiUrl: slack.apiUrl, botToken: '' }, 'blocks.validate', body)

test.each<[string, Fields]>([
  ['blocks', { blocks: [section('x')] }],
  ['blocks as text', { blocks: JSON.stringify([section('x')]) }],
  ['a message without text', { message: { blocks: [section('x')] } }],
  ['a view', { view: { type: 'modal', title: plain('x'), blocks: [{ type: 'alert', text: plain('x') }] } }],
  ['a sum that chat.postMessage refuses', { blocks: Array(5).fill(section('a'.repeat(3000))) }],
])('%s pass', async (_, body) => {
  expect(await validate(body)).toEqual({ ok: true })
})

test.each<[Fields, error: string, said: Fields]>([
  [
    { blocks: [section('')] },
    'invalid_blocks',
    { pointer: '/blocks/0/text/text', code: 'too_short', message: 'must be more than 0 characters', field: 'text' },
  ],
  [{ message: { blocks: [{ type: 'alert', text: plain('x') }] } }, 'invalid_message', { code: 'unsupported_type' }],
  [{ view: { type: 'modal', blocks: [{ type: 'table', rows: [] }] } }, 'invalid_view', { pointer: '/blocks/0' }],
  [{ blocks: Array(51).fill({ type: 'divider' }) }, 'invalid_blocks', { code: 'too_many_items' }],
  [{ blocks: [{ ...section('x'), expanded: true }] }, 'invalid_blocks', { code: 'unknown_field' }],
  [{ blocks: 'x' }, 'invalid_blocks', { code: 'wrong_type' }],
])('%j: %s', async (body, error, said) => {
  const reply = await validate(body)
  expect(reply).toMatchObject({ ok: false, error })
  expect(reply['errors']).toEqual(expect.arrayContaining([expect.objectContaining(said)]))
})

test.each([[{}], [{ blocks: [], view: {} }]])('%j: exactly one of them is wanted', async (body) => {
  expect(await validate(body)).toMatchObject({ ok: false, error: 'invalid_arguments' })
})
