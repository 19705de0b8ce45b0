import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { slackDocument } from '../../src/app/diagnose/slack-document.ts'
import { isFault } from '../../src/domain/code.ts'
import { SLACK_CODES } from '../../src/judge/slack.ts'

const FOLDER = join(import.meta.dirname, '../fixtures/cases')
const Case = z.object({
  id: z.string(),
  input: z.unknown(),
  truth: z.object({
    verdict: z.string(),
    code: z.string(),
    avoid: z.array(z.string()).default([]),
    expected: z.record(z.string(), z.unknown()).default({}),
  }),
})

describe('the labelled texts', () => {
  const files = readdirSync(FOLDER).filter((file) => file.startsWith('E-'))
  const cases = files.map((file) => Case.parse(JSON.parse(readFileSync(join(FOLDER, file), 'utf8'))))

  it('are all there', () => expect(cases.length).toBe(15))

  it.each(cases.map((one) => [one.id, one.truth.code, one] as const))('%s %s', (_, __, { input, truth }) => {
    const judged = slackDocument(input)
    if (!judged.ok) throw new Error(judged.problem)
    const { finding, parsed } = judged
    expect({ verdict: finding.verdict, code: finding.code }).toEqual({ verdict: truth.verdict, code: truth.code })
    for (const wrong of truth.avoid) expect(finding.cause.toLowerCase()).not.toContain(wrong.toLowerCase())
    expect(parsed).toMatchObject(truth.expected)
    expect(finding.cause).toMatch(/[^.]\.$/)
    expect(finding.because.length).toBeGreaterThan(0)
    expect(finding.remedy.length).toBeGreaterThan(0)
    expect(JSON.stringify(finding).length).toBeLessThan(1_500)
    expect(SLACK_CODES.filter(isFault)).toContain(truth.code)
  })
})

type Out = readonly [source: string, what: string, text: string, code: string, posted: string, raw: string | null]

const OUT: readonly Out[] = [
  ['9', 'nothing that acts', 'loaded 42 % of the weights', 'ok.literal-data', 'loaded 42 % of the weights', null],
  ['9', 'a call to the channel', '<!channel> down', 'slack.escape-out', '&lt;!channel&gt; down', '<!channel>'],
  ['9', 'a mention', 'ask <@U1>', 'slack.escape-out', 'ask &lt;@U1&gt;', '<@U1>'],
  [
    '9',
    'a link',
    '<https://evil.example|docs>',
    'slack.escape-out',
    '&lt;https://evil.example|docs&gt;',
    '<https://evil.example|docs>',
  ],
  ['9', 'an entity is literal text', '&lt;!here&gt;', 'slack.escape-out', '&amp;lt;!here&amp;gt;', '&lt;'],
  ['9', 'a comparison', 'a < b && c', 'slack.escape-out', 'a &lt; b &amp;&amp; c', '<'],
  ['9', 'an ampersand', 'R&D', 'slack.escape-out', 'R&amp;D', null],
  ['9', 'a fence', 'a ``` b', 'slack.code-fence', 'a `` ` b', '```'],
  ['9', 'five backticks', '`````', 'slack.code-fence', '`` `` `', '```'],
  ['9', 'a fence and a mention', '```<!here>```', 'slack.escape-out', '`` `&lt;!here&gt;`` `', '<!here>'],
  ['9', 'colours of a terminal', '\u001b[31mred\u001b[0m', 'slack.unicode', 'red', null],
  ['9', 'a mark of direction', 'a\u202eb', 'slack.unicode', 'a\\u{202e}b', null],
  ['2.3', 'blank', '  ', 'slack.empty', '  ', null],
  ['2.2', 'longer than a section', 'a'.repeat(3001), 'slack.long', 'a'.repeat(3001), null],
  ['2.2', 'as long as a section', 'a'.repeat(3000), 'ok.literal-data', 'a'.repeat(3000), null],
]

it.each(OUT)('a text on its way out, slack.md %s: %s', (_, __, text, code, posted, raw) => {
  const judged = slackDocument({ surface: 'outgoing', text })
  expect(judged).toMatchObject({ finding: { code }, parsed: { posted, must_not_contain_raw: raw } })
  if (raw !== null) expect(posted).not.toContain(raw)
})

const blocks = (message: string) => ({ error: 'invalid_blocks', errors: [message] })
const metadata = (error: string, message: string) => ({
  error,
  response_metadata: { messages: [`[ERROR] ${message}`] },
})

type Answer = readonly [source: string, what: string, input: object, verdict: string, code: string, retry: string]

const ANSWERS: readonly Answer[] = [
  [
    '2.3',
    'a section over 3,000',
    blocks('must be less than 3001 characters [json-pointer:/blocks/0/text/text]'),
    'client-error',
    'slack.block-limit',
    'split',
  ],
  [
    '2.3',
    'the same in the metadata',
    metadata('invalid_blocks', 'must be less than 3001 characters'),
    'client-error',
    'slack.block-limit',
    'split',
  ],
  [
    '2.3',
    'a header over 150',
    blocks('must be less than 151 characters [json-pointer:/blocks/0/text/text]'),
    'client-error',
    'slack.block-limit',
    'split',
  ],
  [
    '2.3',
    '51 blocks',
    blocks('no more than 50 items allowed [json-pointer:/blocks]'),
    'client-error',
    'slack.block-limit',
    'split',
  ],
  [
    '2.3',
    'a block named by invalid_arguments',
    metadata('invalid_arguments', 'must be less than 76 characters [json-pointer:/blocks/1/elements/0/text/text]'),
    'client-error',
    'slack.block-limit',
    'split',
  ],
  ['2.3', 'the sum of the blocks', { error: 'msg_blocks_too_long' }, 'client-error', 'slack.block-limit', 'split'],
  ['2.3', 'blocks of a stream', { error: 'msg_blocks_too_many' }, 'client-error', 'slack.block-limit', 'split'],
  ['2.3', '101 attachments', { error: 'too_many_attachments' }, 'client-error', 'slack.block-limit', 'split'],
  ['2.3', 'chat.update over 4,000', { error: 'msg_too_long' }, 'client-error', 'slack.text-limit', 'split'],
  [
    '2.3',
    'chat.postMessage over 40,000',
    { ok: true, response_metadata: { warnings: ['message_truncated'] } },
    'degraded',
    'slack.text-limit',
    'split',
  ],
  [
    '2.3',
    'an empty text object',
    blocks('must be more than 0 characters [json-pointer:/blocks/0/text/text]'),
    'client-error',
    'slack.empty',
    'none',
  ],
  ['2.3', 'no text at all', { error: 'no_text' }, 'client-error', 'slack.empty', 'none'],
  [
    '2.3',
    'blocks as a string in a string',
    { error: 'invalid_blocks_format' },
    'client-error',
    'slack.blocks',
    'words',
  ],
  [
    '2.3',
    'a block that is not known',
    blocks('unsupported type: video2 [json-pointer:/blocks/0/type]'),
    'client-error',
    'slack.blocks',
    'words',
  ],
  ['2.3', 'two tables', { error: 'invalid_attachments' }, 'client-error', 'slack.blocks', 'words'],
  ['2.3', 'rich text replaced', { error: 'block_mismatch' }, 'client-error', 'slack.blocks', 'words'],
  ['3', 'the bot is no member', { error: 'not_in_channel' }, 'misconfigured', 'slack.access', 'none'],
  ['9', 'a private channel', { error: 'channel_not_found' }, 'misconfigured', 'slack.access', 'none'],
  [
    '7',
    'a scope',
    { error: 'missing_scope', needed: 'files:write', provided: 'chat:write' },
    'misconfigured',
    'slack.access',
    'none',
  ],
  ['7', 'a token that is none', { error: 'invalid_auth' }, 'misconfigured', 'slack.access', 'none'],
  ['6', 'too fast, in the body', { error: 'ratelimited' }, 'overloaded', 'slack.rate-limit', 'wait'],
  ['6', 'Slack’s own trouble', { error: 'internal_error' }, 'inconclusive', 'log.need-more', 'look-first'],
  ['6', 'a word that nobody knows', { error: 'sky_is_green' }, 'inconclusive', 'log.need-more', 'none'],
  ['6', 'neither yes nor no', {}, 'inconclusive', 'log.need-more', 'look-first'],
  ['6', 'taken', { ok: true, ts: '1.1' }, 'healthy', 'ok.ran', 'none'],
]

it.each(ANSWERS)('an answer of the Web API, slack.md %s: %s', (_, __, answer, verdict, code, retry) => {
  const response = { ok: false, ...answer }
  expect(slackDocument({ surface: 'api-error', text: null, response })).toMatchObject({
    finding: { verdict, code },
    parsed: { retry },
  })
})

it('tells what was sent, how long to wait, and which scope is missing', () => {
  const sent = slackDocument({
    surface: 'api-error',
    response: { ok: false, error: 'msg_too_long' },
    sent_text_chars: 4100,
  })
  expect(sent).toMatchObject({ finding: { because: ['answer: msg_too_long', 'sent: sent_text_chars: 4100'] } })
  const limited = slackDocument({ surface: 'api-error', status: 429, headers: { 'retry-after': '30' }, response: {} })
  expect(limited).toMatchObject({
    finding: { code: 'slack.rate-limit', because: ['answer: HTTP 429', 'it wants 30 s of rest'] },
  })
  const scope = slackDocument({
    surface: 'api-error',
    response: { ok: false, error: 'missing_scope', needed: 'files:write' },
  })
  expect(scope).toMatchObject({ finding: { remedy: [expect.stringContaining('files:write')] } })
})

it('a long line is quoted by its beginning', () => {
  const judged = slackDocument({ surface: 'slash', command: '/gpu', text: `status ${'x'.repeat(9_000)}` })
  expect(JSON.stringify(judged).length).toBeLessThan(2_000)
})

it('an alias that another set-up registered is read, a word in a message is not', () => {
  expect(slackDocument({ surface: 'slash', command: '/llm', text: 'status box —since 5m —all' })).toMatchObject({
    finding: { verdict: 'ok-normalized', code: 'slack.em-dash' },
    parsed: { command: 'llm', args: ['status', 'box'], flags: { since: '5m', all: 'true' } },
  })
  expect(slackDocument({ surface: 'event', text: '<@U000BOT> llm status' })).toMatchObject({
    finding: { verdict: 'needs-clarification', code: 'slack.grammar' },
    parsed: { command: 'llm', error: 'unknown command' },
  })
})

it('people who talk in a thread are not asked back', () => {
  expect(slackDocument({ surface: 'event', text: 'restart did not help', thread_ts: '1.0' })).toMatchObject({
    finding: { verdict: 'healthy', code: 'ok.refrain' },
    parsed: { action: 'none' },
  })
})
