import { expect, test } from 'vitest'
import type { Report } from '../../../src/domain/report.ts'
import { report } from '../../../src/domain/report.ts'
import { sanitise } from '../../../src/domain/sanitise.ts'
import { KINDS } from '../../../src/surfaces/slack/abilities.ts'
import { cleaned } from '../../../src/surfaces/slack/clean.ts'
import { details, headline, verdict, whole } from '../../../src/surfaces/slack/render.ts'
import { fitted } from '../../../src/surfaces/slack/table-fit.ts'
import { growth } from '../../growth.ts'

/** Characters of each text at first; then twice as many. */
const LENGTH = 20_000
/** What a slower machine or a collection of garbage may add to 2. */
const MOST = 3

/** A report in which one text stands wherever one can stand. */
function filled(text: string): Report {
  return report({
    tone: 'good',
    status: 'healthy',
    title: text,
    summary: text,
    lead: text,
    facts: Array.from({ length: 5 }, () => ({ label: text, value: text })),
    tables: [{ title: text, columns: ['a', text], rows: [[text, text, text], [text]] }],
    sections: [
      { kind: 'content', title: text, body: text, folded: false },
      { kind: 'log', title: text, body: text, folded: true },
    ],
    actions: [{ label: text, line: 'retry', style: 'plain' }],
  })
}

function drawnEverywhere(given: Report): void {
  const full = fitted(cleaned(given, sanitise))
  const buttons = full.actions.map(({ label, style }, at) => ({ id: `id-${at}`, label, style }))
  const { head, below } = verdict(full, buttons)
  headline({ ...full, status: 'running' }, buttons)
  const all = [head, ...below.messages, ...details(full, buttons).messages, ...whole(full, buttons, true).messages]
  for (const message of all) for (const kind of KINDS) message.again?.([kind])
}

test.each([' ', '\n', ' \n', '\t\u2028', 'x', 'word ', '`', '<', '-', '`\n', '😀', '–', '1,'])(
  'a report full of %o is drawn on every rung in a time that doubles with its length',
  (piece) => {
    const textOf = (length: number) => `stop${piece.repeat(length / piece.length)}x`
    const { once, twice, times } = growth((text) => drawnEverywhere(filled(text)), textOf, LENGTH)
    console.info(`${JSON.stringify(piece)}: ${once.toFixed(0)} ms, twice as long ${twice.toFixed(0)} ms`)
    expect(times).toBeLessThan(MOST)
  },
  60_000,
)
