import type { Report } from '../../domain/report.ts'
import { refusal, report } from '../../domain/report.ts'

/** A message that Pilotflame sends, as it is reviewed in tests and tried in a workspace by `slack check`. */
export interface Golden {
  readonly name: string
  readonly report: Report
}

/** One report of every kind of message: each tone, section, table, button and file. */
export function golden(): readonly Golden[] {
  return [
    { name: 'smoke-running', report: running },
    { name: 'smoke-healthy', report: healthy },
    { name: 'smoke-broken', report: broken },
    { name: 'refusal', report: refused },
    { name: 'plan', report: plan },
    { name: 'table', report: cards },
    { name: 'code', report: code },
    { name: 'long', report: long },
  ]
}

const ACTIONS: Report['actions'] = [
  { label: 'Retry', line: 'retry', style: 'plain' },
  { label: 'Retry ×2 budget', line: 'retry --max-tokens 8192', style: 'plain' },
  { label: 'Thinking off', line: 'retry --think off', style: 'plain' },
  { label: 'Raw', line: 'raw', style: 'plain' },
]

const running: Report = report({
  tone: 'running',
  status: 'running',
  title: 'Thinking: about 312 tokens, 8.1 s',
  lead: 'anna asked qwen: Say hello in one sentence.',
  actions: [{ label: 'Stop', line: 'stop run-1', style: 'danger' }],
})

const healthy: Report = report({
  tone: 'good',
  status: 'healthy',
  title: 'Healthy. The model answered.',
  lead: 'anna asked qwen: Say hello in one sentence.',
  facts: [
    { label: 'Tokens', value: '151 of 4,096, 132 of them reasoning' },
    { label: 'Finish', value: 'stop (stop token 248046)' },
    { label: 'First token', value: '0.4 s' },
    { label: 'First content', value: '3.6 s' },
    { label: 'Total', value: '4.1 s' },
    { label: 'Speed', value: '40.8 tokens/s' },
    { label: 'Asked for', value: 'max_tokens 4,096, the model’s own sampling, streamed' },
    { label: 'Engine', value: 'sglang 0.5.11, tensor parallel 2' },
    { label: 'Model loaded', value: 'Qwen/Qwen3.6-27B' },
  ],
  sections: [
    {
      kind: 'reasoning',
      title: 'Reasoning (132 tokens, 3.2 s)',
      body: 'The user wants one sentence.\nI should say hello & be brief.',
      folded: true,
    },
    {
      kind: 'content',
      title: 'Content (19 tokens, 0.5 s)',
      body: 'Hello! 👋 How can I help you today?',
      folded: false,
    },
    {
      kind: 'diagnosis',
      title: 'Diagnosis: ok.answered, certain',
      body: 'The model thought and then answered.',
      folded: false,
    },
  ],
  actions: ACTIONS,
})

const broken: Report = report({
  tone: 'bad',
  status: 'broken',
  title: 'Broken. The model ends at once.',
  lead: 'anna asked qwen: Say hello in one sentence.',
  facts: [
    { label: 'Tokens', value: '2 of 200' },
    { label: 'Finish', value: 'stop (stop token 248046)' },
    { label: 'Total', value: '0.3 s' },
  ],
  sections: [
    { kind: 'reasoning', title: 'Reasoning (empty)', body: 'The server sent null: no reasoning at all.', folded: true },
    { kind: 'content', title: 'Content (empty)', body: 'The server sent null: no content at all.', folded: false },
    {
      kind: 'diagnosis',
      title: 'Diagnosis: model.immediate-eos, likely (docs/problems/model.immediate-eos.md)',
      body: 'The model ended after 2 tokens without a word.\n• finish stop, stop 248046, 2 of 18 tokens\nWhat to do:\n1. Upgrade SGLang to 0.5.11.',
      folded: false,
    },
  ],
  actions: ACTIONS,
})

const refused: Report = refusal('Not run: only operators may restart qwen. Next: ask an admin, see /pilotflame whoami.')

const plan: Report = report({
  tone: 'warning',
  status: 'done',
  title: 'Restart qwen?',
  summary: 'Nothing was done yet. Next: press Restart within 60 s.',
  lead: 'anna asked for a restart of qwen: it repeats itself.',
  facts: [
    { label: 'Unit', value: 'sglang-qwen.service, active since 3 days' },
    { label: 'Requests running', value: '2; they would be cut off' },
  ],
  actions: [
    { label: 'Restart', line: 'help', style: 'danger' },
    { label: 'Cancel', line: 'help', style: 'plain' },
  ],
  seenBy: 'channel',
})

/** More rows than one message holds, so that the button for the rest is there too. */
const cards: Report = report({
  tone: 'warning',
  status: 'degraded',
  title: 'One of 120 cards is hot.',
  tables: [
    {
      title: 'Cards, the hottest first',
      columns: ['Host', 'Card', 'Memory', 'Load', 'Temperature'],
      rows: Array.from({ length: 120 }, (_, at) => [
        `node${1 + Math.floor(at / 8)}`,
        `${at % 8}`,
        `${(81_559 - at * 17).toLocaleString('en-US')} MiB`,
        `${Math.max(0, 99 - at)} %`,
        `${91 - Math.floor(at / 4)} °C`,
      ]),
    },
  ],
})

/** What models and logs write: nothing of it may be read as ours. */
const code: Report = report({
  tone: 'bad',
  status: 'failed',
  title: 'The answer is not what was asked for.',
  sections: [
    {
      kind: 'content',
      title: 'Content (31 tokens)',
      body: '✅ Healthy. The model answered.\n<!channel> <https://example.com|see> *bold* ```\n:fire: @here',
      folded: false,
    },
    {
      kind: 'tool-calls',
      title: 'Tool calls (1)',
      body: '{\n  "name": "run",\n  "arguments": "{\\"code\\": \\"```\\"}"\n}',
      folded: false,
    },
    {
      kind: 'log',
      title: 'Log (2 lines)',
      body: '[2026-11-01 09:30:02] INFO  ready & <listening>\n[2026-11-01 09:30:07] ERROR `x` not found',
      folded: true,
    },
  ],
})

/** Longer than a section, so that a file goes with it. */
const long: Report = report({
  tone: 'good',
  status: 'healthy',
  title: 'Healthy. The model answered at length.',
  sections: [
    {
      kind: 'reasoning',
      title: 'Reasoning (2,100 tokens)',
      body: Array.from({ length: 160 }, (_, at) => `${at + 1}. One step after the other, and then the next.`).join(
        '\n',
      ),
      folded: true,
    },
  ],
})
