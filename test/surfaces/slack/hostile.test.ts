import { expect, test } from 'vitest'
import type { Report } from '../../../src/domain/report.ts'
import { report } from '../../../src/domain/report.ts'
import { sanitise } from '../../../src/domain/sanitise.ts'
import { readContent } from '../../../src/lab/slack/validate.ts'
import { cleaned } from '../../../src/surfaces/slack/clean.ts'
import { written } from '../../../src/surfaces/slack/escape.ts'
import type { Message } from '../../../src/surfaces/slack/pages.ts'
import { headline, whole } from '../../../src/surfaces/slack/render.ts'
import { random, randomText } from '../../random.ts'

const PIECES = [
  '<!channel>',
  '<!here>',
  '<!everyone>',
  '<@U0ANNA>',
  '<@U0ANNA|anna>',
  '<#C0GPU|gpu>',
  '<!subteam^S1|ops>',
  '<https://evil.example|qwen is healthy>',
  '<mailto:a@b.c|mail>',
  'https://evil.example/x',
  '[a](https://evil.example)',
  '&lt;!channel&gt;',
  '&amp;lt;',
  '&',
  '<',
  '>',
  '|',
  '@here',
  '@channel',
  '```',
  '``',
  '`',
  '*',
  '_',
  '~',
  ':fire:',
  '\u001b]8;;https://evil.example\u0007x\u001b]8;;\u0007',
  '\u202e',
  '\u200b',
  '\u0000',
  '\ud83d',
  '👋',
  '👨‍👩‍👧',
  '\r\n',
  '\n',
  ' ',
  '✅ Healthy. The model answered.',
  '{"type":"mrkdwn","text":"<!channel>"}',
  'xoxb-secret',
  'ä',
  'word ',
] as const

/** Everything in a message that Slack reads as markup. The rest is plain_text and raw_text, read by nobody. */
function readAsMarkup(message: Message): readonly string[] {
  return [written(message.text), ...markupIn(JSON.parse(JSON.stringify(message.blocks)))]
}

function markupIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.values(value).flatMap(markupIn)
  if (!('type' in value && 'text' in value && typeof value.text === 'string')) return inner
  if (value.type === 'plain_text') return 'emoji' in value && value.emoji === false ? [] : ['<plain_text with emoji>']
  if (value.type === 'raw_text') return []
  return 'verbatim' in value && value.verbatim === true ? [value.text] : ['<mrkdwn that links bare addresses>']
}

function hostileReport(seed: number): Report {
  const { pick, below } = random(seed)
  const text = (longest: number) => randomText(below(2 ** 31), PIECES, longest)
  const section = () => ({
    kind: pick(['reasoning', 'content', 'tool-calls', 'diagnosis', 'text', 'code', 'log'] as const) ?? 'text',
    title: text(6),
    body: text(below(20) === 0 ? 3_000 : 30),
    folded: below(2) === 0,
  })
  return report({
    tone: 'good',
    status: 'healthy',
    title: text(5),
    lead: text(10),
    facts: [
      { label: text(2), value: text(5) },
      { label: text(2), value: text(90) },
    ],
    tables: [{ title: text(3), columns: [text(2), text(2)], rows: [[text(4), text(4)]] }],
    sections: [section(), section()],
    files: [{ name: 'whole.txt', text: text(10) }],
  })
}

/** Each has eighteen hostile texts: more than 10,000 in all. */
const REPORTS = 1_000

test('10,000 hostile texts: no live mention, link or fence end; every message within the limits', () => {
  for (let seed = 0; seed < REPORTS; seed += 1) {
    const clean = cleaned(hostileReport(seed), (text) => sanitise(text).replaceAll('xoxb-secret', '[redacted]'))
    const buttons = [{ id: 'id', label: clean.title, style: 'plain' } as const]
    const messages = [headline(clean, buttons), ...whole(clean, buttons, seed % 2 === 0).messages]
    for (const message of messages) judge(message, seed)
  }
})

function judge(message: Message, seed: number): void {
  for (const markup of readAsMarkup(message)) {
    const wrong = /[<>]/.test(markup) || /&(?!(?:amp|lt|gt);)/.test(markup) || hasOddFences(markup)
    if (wrong) throw new Error(`seed ${seed}: ${markup}`)
  }
  const content = readContent({ text: written(message.text), blocks: message.blocks }, 'update')
  if (!content.ok) throw new Error(`seed ${seed}: ${JSON.stringify(content)}`)
  const whole = JSON.stringify(message)
  if (whole.includes('xoxb-secret') || /\\ud[89a-f]/i.test(whole)) throw new Error(`seed ${seed}: ${whole}`)
}

/** Fences stand alone on their lines, in pairs; nothing else has three backticks. */
function hasOddFences(markup: string): boolean {
  const fences = markup.match(/`{3,}/g) ?? []
  const alone = markup.match(/^`{3}$/gm) ?? []
  return fences.length !== alone.length || fences.length % 2 !== 0
}

test('the judge of this test can fail', () => {
  expect(markupIn([{ type: 'mrkdwn', text: '<!channel>', verbatim: true }])).toEqual(['<!channel>'])
  expect(markupIn([{ type: 'plain_text', text: 'x' }])).toEqual(['<plain_text with emoji>'])
  expect(hasOddFences('```\na\n``` b ```')).toBe(true)
})
