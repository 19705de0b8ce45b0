import { expect, test } from 'vitest'
import type { Report, Section, Table } from '../../../src/domain/report.ts'
import { report } from '../../../src/domain/report.ts'
import { sanitise } from '../../../src/domain/sanitise.ts'
import { textLength } from '../../../src/lab/slack/text-length.ts'
import { readContent } from '../../../src/lab/slack/validate.ts'
import type { Kind } from '../../../src/surfaces/slack/abilities.ts'
import { kindsIn } from '../../../src/surfaces/slack/blame.ts'
import { cleaned } from '../../../src/surfaces/slack/clean.ts'
import { lengthOf } from '../../../src/surfaces/slack/cut.ts'
import { written } from '../../../src/surfaces/slack/escape.ts'
import type { Message } from '../../../src/surfaces/slack/pages.ts'
import { details, headline, whole } from '../../../src/surfaces/slack/render.ts'
import { fitted } from '../../../src/surfaces/slack/table-fit.ts'
import { random, randomText } from '../../random.ts'

const REPORTS = 10_000

const PIECES = [
  ...['a', 'Z', '0', ' ', ' ', '\n', '\n\n', '\r\n', '\t', 'word ', 'long-word-without-a-break', '1,024 MiB', '91 °C'],
  ...['<', '>', '&', '&amp;', '<!channel>', '<@U0ANNA>', '<https://evil.example|x>', '`', '```', '*', '_', '~', '|'],
  ...['ä', '👋', '👨‍👩‍👧', '🇩🇪', '\u0301', '漢字', 'مرحبا', '\u202e', '\u200b', '\ufeff', '\u0000', '\u001b[31m'],
  ...['\ud83d', '\udc4b', '\u2028', '\u0085', ':fire:', '{"type":"mrkdwn"}', '✅ Healthy. The model answered.'],
] as const

const KINDS = ['reasoning', 'content', 'tool-calls', 'diagnosis', 'text', 'code', 'log'] as const
const STATUSES = ['healthy', 'broken', 'running', 'usage', 'refused', 'failed', 'done'] as const

/** Most reports are small, some are huge in one way: 300 rows, 30 sections, 40 buttons, 60,000 characters. */
function randomReport(seed: number): Report {
  const { below, pick } = random(seed)
  const text = (longest: number): string => randomText(below(2 ** 31), PIECES, below(8) === 0 ? 0 : longest)
  const many = (most: number, often: number): number => (below(often) === 0 ? below(most + 1) : below(3))
  const list = <T>(length: number, one: (at: number) => T): readonly T[] => Array.from({ length }, (_, at) => one(at))
  const section = (): Section => ({
    kind: pick(KINDS) ?? 'text',
    title: text(below(10) === 0 ? 300 : 6),
    body: text(below(1_000) === 0 ? 20_000 : below(60) === 0 ? 3_000 : 40),
    folded: below(2) === 0,
  })
  const table = (): Table => {
    const columns = below(10) === 0 ? below(31) : 1 + below(6)
    const cell = below(40) === 0 ? 200 : 3
    return {
      title: text(4),
      columns: list(columns, () => text(2)),
      rows: list(many(300, 100), () => list(below(12) === 0 ? below(31) : columns, () => text(cell))),
    }
  }
  return report({
    tone: pick(['good', 'bad', 'warning', 'neutral', 'running'] as const) ?? 'good',
    status: pick(STATUSES) ?? 'done',
    title: text(below(20) === 0 ? 3_000 : 8),
    summary: text(below(20) === 0 ? 3_000 : 12),
    lead: text(below(20) === 0 ? 3_000 : 12),
    facts: list(many(120, 40), () => ({ label: text(3), value: text(below(20) === 0 ? 2_000 : 6) })),
    tables: list(many(4, 10), table),
    sections: list(many(30, 40), section),
    actions: list(many(40, 20), () => ({ label: text(below(8) === 0 ? 90 : 3), line: 'help', style: 'plain' })),
    files: list(below(2), () => ({ name: 'whole.txt', text: text(40) })),
  })
}

/** The rungs: all, no boxes, no tables, neither of them nor `expand`, words alone. */
const RUNGS: readonly (readonly Kind[])[] = [[], ['container'], ['table'], ['container', 'table', 'expand'], ['blocks']]
const WORDS = 4

function drawn(seed: number): readonly Message[] {
  const full = fitted(cleaned(randomReport(seed), sanitise))
  const buttons = full.actions.map(({ label, style }, at) => ({ id: `id-${at}`, label, style }))
  return [headline(full, buttons), ...details(full, buttons).messages, ...whole(full, buttons, seed % 2 === 0).messages]
}

interface Shown {
  readonly message: Message
  readonly there: readonly Kind[]
}

/** Nothing where this rung draws it as the one above does. */
function onRung({ message, there }: Shown, without: readonly Kind[]): readonly Message[] {
  if (without.length === 0) return [message]
  return without.some((kind) => there.includes(kind)) ? (message.again?.(without) ?? []) : []
}

const TEXT = 3_900
/** Slack refused 11,341 once, and 13,200 always. */
const BLOCK_TEXT = 10_000
const ALL: ReadonlySet<string> = new Set()

function refusalOf(message: Message): unknown {
  const args = { text: written(message.text), blocks: message.blocks }
  if (args.text.trim() === '' || lengthOf(args.text) > TEXT) return { text: lengthOf(args.text) }
  // chat.update takes a tenth of the words that chat.postMessage takes, and else the same
  const said = readContent(args, 'update', ALL)
  const length = message.blocks.reduce((sum, block) => sum + textLength({ ...block }), 0)
  if (length > BLOCK_TEXT) return { blockText: length }
  return said.ok ? null : said
}

test('10,000 random reports on five rungs of the ladder: the stand-in refuses no message', { timeout: 120_000 }, () => {
  const counts = RUNGS.map(() => 0)
  let [rows, blocks] = [0, 0]
  for (let seed = 1; seed <= REPORTS; seed += 1) {
    const messages = drawn(seed).map((message) => ({ message, there: kindsIn(message) }))
    for (const [rung, without] of RUNGS.entries()) {
      for (const form of messages.flatMap((message) => onRung(message, without))) {
        const refusal = refusalOf(form)
        if (refusal !== null) throw new Error(`seed ${seed}, without ${without.join()}: ${JSON.stringify(refusal)}`)
        counts[rung] = (counts[rung] ?? 0) + 1
        blocks += form.blocks.length
        rows += form.blocks.reduce((sum, block) => sum + (block.type === 'table' ? block.rows.length : 0), 0)
        if (rung === WORDS) expect(form.blocks).toEqual([])
      }
    }
  }
  console.info(`10,000 reports: ${counts.join(' + ')} messages, ${blocks} blocks, ${rows} rows, 0 refused`)
  expect(Math.min(...counts)).toBeGreaterThan(REPORTS / 2)
  expect(rows).toBeGreaterThan(REPORTS)
})

test('the judge of this test can fail', () => {
  const message = {
    ...headline(report({ tone: 'good', status: 'done', title: 'x' }), []),
    blocks: [{ type: 'table', rows: [] } as const],
  }
  expect(refusalOf({ ...message, blocks: [{ type: 'table', rows: [] }] })).toMatchObject({
    ok: false,
    error: 'invalid_blocks',
  })
})
