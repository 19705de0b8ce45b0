import type { Report } from '../../../src/domain/report.ts'
import { report } from '../../../src/domain/report.ts'

const ACTIONS: Report['actions'] = [
  { label: 'Retry', line: 'retry', style: 'plain' },
  { label: 'Retry ×2 budget', line: 'retry --max-tokens 8192', style: 'plain' },
  { label: 'Thinking off', line: 'retry --think off', style: 'plain' },
  { label: 'Raw', line: 'raw', style: 'plain' },
]

export const running: Report = report({
  tone: 'running',
  status: 'running',
  title: 'Thinking: about 312 tokens, 8.1 s',
  lead: 'anna asked qwen: Say hello in one sentence.',
  actions: [{ label: 'Stop', line: 'stop run-1', style: 'danger' }],
})

export const healthy: Report = report({
  tone: 'good',
  status: 'healthy',
  title: 'Healthy. The model answered.',
  lead: 'anna asked qwen: Say hello in one sentence.',
  facts: [
    { label: 'Tokens', value: '151 of 4,096, 132 of them reasoning' },
    { label: 'Finish', value: 'stop' },
    { label: 'Stop detail', value: '248046' },
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

export const broken: Report = report({
  tone: 'bad',
  status: 'broken',
  title: 'Broken. The model ends at once.',
  lead: 'anna asked qwen: Say hello in one sentence.',
  facts: [
    { label: 'Tokens', value: '2 of 200' },
    { label: 'Finish', value: 'stop' },
    { label: 'Stop detail', value: '248046' },
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
