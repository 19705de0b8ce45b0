import { sanitise } from '../../../src/domain/sanitise.ts'
import { readContent } from '../../../src/lab/slack/validate.ts'
import { randomText } from '../../random.ts'

/** What a message is on the wire. */
export interface Sent {
  /** markup */
  readonly text: string
  readonly blocks: readonly unknown[]
}

/** Stands for a secret; whoever cleans must take it out. */
export const SECRET = 'xoxb-secret'

const PIECES: readonly string[] = [
  // mentions, links, dates
  ...['<!channel>', '<!here>', '<!everyone>', '<@U0ANNA>', '<@U0ANNA|anna>', '<#C0GPU|gpu>', '<!subteam^S1|ops>'],
  ...['<https://evil.example|qwen is healthy>', '<mailto:a@b.c|mail>', 'https://evil.example/x', 'evil.example'],
  ...['[a](https://evil.example)', '<!date^1700000000^{date}^https://evil.example|today>', '<slack://open?team=T1|go>'],
  ...[
    '@here',
    '@channel',
    '@anna',
    '#general',
    '&lt;!channel&gt;',
    '&amp;lt;!here&amp;gt;',
    '&#60;!channel>',
    '&',
    '<',
    '>',
    '|',
  ],
  // fences, mrkdwn, emoji
  ...[
    '```',
    '``',
    '`',
    '````',
    '\n```\n',
    '```\n<!channel>\n```',
    '*',
    '_',
    '~',
    '> ',
    '• ',
    ':fire:',
    ':ok::ok:',
    '✅ Healthy. The model answered.',
  ],
  // what acts in terminals, what nobody sees, what is no character
  ...[
    '\u001b[31m',
    '\u001b]8;;https://evil.example\u0007x\u001b]8;;\u0007',
    '\u001bPq\u001b\\',
    '\u009b2J',
    '\u202e',
    '\u2066',
  ],
  ...['\u200b', '\u2028', '\u0000', '\b', '\r', '\r\n', '\n', '\n\n', '\ud83d', '\ude00', '\u{e0041}', '\ufeff'],
  ...['👋', '👨‍👩‍👧', 'é', 'e\u0301\u0301\u0301', '中文', 'ä'],
  // our own forms
  ...['{"type":"mrkdwn","text":"<!channel>"}', '"}]}', '*Content (19 tokens)*', 'pf:id', '`pilotflame stop`', SECRET],
  // length
  ...[' ', 'word ', 'word ', 'word ', 'x'.repeat(500), '\t', `${'<'.repeat(200)}`, `${'`'.repeat(50)}`],
]

/** Texts as models, logs, hosts and people may send them; each call another. Counts how many were drawn. */
export function hostileTexts(seed: number): { text(longest: number): string; drawn(): number } {
  let drawn = 0
  return {
    text(longest) {
      drawn += 1
      return randomText(seed * 1_000 + drawn, PIECES, longest)
    },
    drawn: () => drawn,
  }
}

/** Why a message is not what we meant; null: it is. */
export function wrongIn({ text, blocks }: Sent): string | null {
  for (const markup of [text, ...markupIn(JSON.parse(JSON.stringify(blocks)))]) {
    if (/[<>]/.test(markup)) return `live markup: ${markup}`
    if (/&(?!(?:amp|lt|gt);)/.test(markup)) return `half an entity: ${markup}`
    if (hasOddFences(markup)) return `a broken fence: ${markup}`
  }
  const misplaced = misplacedIn(blocks)
  if (misplaced !== null) return misplaced
  const content = readContent({ text, blocks }, 'update')
  if (!content.ok) return `refused: ${JSON.stringify(content)}`
  return uncleanIn({ text, blocks })
}

/** Why a text among these should not be seen as it is: half a character, one that acts, a secret; null: it may. */
export function uncleanIn(value: unknown): string | null {
  const unclean = stringsIn(value).find((text) => sanitise(text) !== text || text.includes(SECRET))
  return unclean === undefined ? null : `unclean: ${JSON.stringify(unclean)}`
}

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}

/** A title stands first and begins with our sign; what can be pressed carries our ids; nothing else acts. */
function misplacedIn(blocks: readonly unknown[]): string | null {
  const kinds = blocks.map((block) => JSON.stringify(block).match(/^\{"type":"(\w+)"/)?.[1] ?? 'none')
  const strange = kinds.find((kind) => !OURS.includes(kind))
  if (strange !== undefined) return `a block of kind ${strange}`
  if (kinds.lastIndexOf('header') > 0) return 'a header out of place'
  const title = JSON.stringify(blocks[0] ?? '')
  if (kinds[0] === 'header' && !/"text":"(?:✅|❌|⚠️|ℹ️|⏳) /.test(title)) return `a title without our sign: ${title}`
  const ids = Array.from(JSON.stringify(blocks).matchAll(/"action_id":"([^"]*)"/g), ([, id]) => id ?? '')
  return ids.some((id) => !/^pf:id-\d+$/.test(id)) ? `a button that is not ours: ${ids.join()}` : null
}

const OURS = ['header', 'section', 'context', 'container', 'table', 'actions']

/** Everything in blocks that Slack reads as markup. The rest is plain_text and raw_text, read by nobody. */
export function markupIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.values(value).flatMap(markupIn)
  if (!('type' in value && 'text' in value && typeof value.text === 'string')) return inner
  if (value.type === 'plain_text') return 'emoji' in value && value.emoji === false ? [] : ['<plain_text with emoji>']
  if (value.type === 'raw_text') return []
  return 'verbatim' in value && value.verbatim === true ? [value.text] : ['<mrkdwn that links bare addresses>']
}

/** Fences stand alone on their lines, in pairs; nothing else has three backticks. */
export function hasOddFences(markup: string): boolean {
  const fences = markup.match(/`{3,}/g) ?? []
  const alone = markup.match(/^`{3}$/gm) ?? []
  return fences.length !== alone.length || fences.length % 2 !== 0
}
