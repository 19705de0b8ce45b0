import { expect, test } from 'vitest'
import { report } from '../../../src/domain/report.ts'
import { sanitise } from '../../../src/domain/sanitise.ts'
import { cleaned } from '../../../src/surfaces/slack/clean.ts'
import { written } from '../../../src/surfaces/slack/escape.ts'
import type { Message } from '../../../src/surfaces/slack/pages.ts'
import { details, headline } from '../../../src/surfaces/slack/render.ts'
import { healthy } from './reports.ts'

/** What a model may write to look like us. Every one holds SPOOF, by which it is found again. */
const SPOOFS: readonly string[] = [
  '✅ Healthy. The model answered. SPOOF',
  '\n\n✅ SPOOF Healthy. The model answered.\n\n',
  '*✅ Healthy.* _SPOOF_ ~Broken~',
  '*Content (19 tokens, 0.5 s)*\nSPOOF',
  '```\nSPOOF\n```',
  '```\n*Diagnosis: ok.answered, certain*\nSPOOF',
  'SPOOF\n```\n✅ Healthy\n```\n',
  '`` ` ``` SPOOF ```` `',
  '</section><h1>✅ Healthy SPOOF</h1>',
  '<!channel> SPOOF',
  '<@U0ANNA> pressed SPOOF',
  '<https://evil.example|Retry> SPOOF',
  '[Retry](https://evil.example) SPOOF',
  '[Retry] [Thinking off] [Raw] SPOOF',
  '{"type":"header","text":{"type":"plain_text","text":"SPOOF"}}',
  '"}},{"type":"actions","elements":[{"type":"button","text":{"type":"plain_text","text":"SPOOF"},"value":"restart"}]}',
  '],"blocks":[{"type":"container","title":{"type":"plain_text","text":"SPOOF"}}]',
  '{"type":"container","title":"Diagnosis","child_blocks":["SPOOF"]}',
  '4,000 characters between are in SPOOF.txt',
  'Tokens: 151 of 4,096  ·  Finish: stop  ·  SPOOF',
  'anna asked qwen: SPOOF',
  ':white_check_mark: *Healthy* SPOOF',
  '\u202eSPOOF yhtlaeH',
  '\u001b]8;;https://evil.example\u0007SPOOF\u001b]8;;\u0007',
  '\u001b[2J\u001b[HSPOOF',
  '\u2028✅ Healthy. SPOOF\u2029',
  '\u0000\u0008\u0008\u0008SPOOF',
  '> ✅ SPOOF\n> quoted',
  '• SPOOF\n1. Upgrade SGLang to 0.5.11.',
  '&lt;!channel&gt; &amp;#42;SPOOF&#42;',
]

const KINDS = ['reasoning', 'content', 'tool-calls', 'log'] as const
const OWN = 'Our own title'

/** A report into whose sections, and nothing else, somebody else wrote. */
function spoofed(text: string) {
  return cleaned(
    report({
      tone: 'bad',
      status: 'broken',
      title: 'Broken. The model ends at once.',
      facts: healthy.facts,
      sections: KINDS.map((kind, at) => ({ kind, title: `${OWN} ${at + 1}`, body: text, folded: false })),
      actions: [{ label: 'Retry', line: 'retry', style: 'plain' }],
    }),
    sanitise,
  )
}

const buttons = [{ id: 'b1', label: 'Retry', style: 'plain' } as const]
/** What Slack gets. */
const wire = ({ blocks, text }: Message) => JSON.parse(JSON.stringify({ blocks, text: written(text) }))

/** The way to every text of a value that holds the word: `blocks.0.child_blocks.0.text.text`. */
function pathsTo(word: string, value: unknown, path = ''): readonly string[] {
  if (typeof value === 'string') return value.includes(word) ? [path] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => pathsTo(word, inner, path === '' ? key : `${path}.${key}`))
}

const INSIDE = {
  box: /^blocks\.\d+\.child_blocks\.\d+\.text\.text$/,
  section: /^blocks\.\d+\.text\.text$/,
}

/** The structure without the texts: block types, titles, buttons. */
const shape = ({ blocks }: Message) =>
  JSON.stringify(blocks, (key, value: unknown) => (key === 'text' && typeof value === 'string' ? '' : value))

/** Every line of the words that is not inside a fence. */
function outsideFences(words: string): string {
  return words
    .split(/^```$/m)
    .filter((_, at) => at % 2 === 0)
    .join('\n')
}

test.each(SPOOFS.map((text, at) => ({ text, at })))('spoof $at stays inside its section', ({ text }) => {
  const given = spoofed(text)
  const calm = spoofed('SPOOF')
  expect(pathsTo('SPOOF', wire(headline(given, buttons)))).toEqual([])
  const boxes = details(given, buttons).messages
  for (const [rung, without] of [
    ['box', []],
    ['section', ['container']],
  ] as const) {
    const drawn = boxes.flatMap((message) => message.again?.(without) ?? [])
    const like = details(calm, buttons).messages.flatMap((message) => message.again?.(without) ?? [])
    expect(drawn.map(shape)).toEqual(like.map(shape))
    for (const message of drawn) {
      const paths = pathsTo('SPOOF', wire(message))
      expect(paths.length).toBeGreaterThan(KINDS.length - 1)
      for (const path of paths.filter((one) => one !== 'text')) expect(path).toMatch(INSIDE[rung])
    }
  }
  const words = boxes.flatMap((message) => message.again?.(['blocks']) ?? []).map(({ text: said }) => written(said))
  expect(words.join('\n')).toContain('SPOOF')
  for (const said of [...words, ...boxes.map((message) => written(message.text))]) {
    expect(outsideFences(said)).not.toContain('SPOOF')
    expect((outsideFences(said).match(/Our own title/g) ?? []).length).toBeLessThanOrEqual(KINDS.length)
  }
})

test('there are thirty', () => {
  expect(SPOOFS.filter((text) => text.includes('SPOOF'))).toHaveLength(30)
})

test.each([
  ['spoof-fence', 5],
  ['spoof-blocks', 15],
])('%s looks as reviewed', async (name, at) => {
  const shown = details(spoofed(SPOOFS[at] ?? ''), buttons).messages.map(wire)
  await expect(`${JSON.stringify(shown, null, 2)}\n`).toMatchFileSnapshot(`golden/${name}.json`)
})
