import { expect, test } from 'vitest'
import { z } from 'zod'
import { slackDocument } from '../../../src/app/diagnose/slack-document.ts'
import type { Ask } from '../../../src/domain/ask.ts'
import { parse } from '../../../src/parse.ts'
import { commands } from '../../parse/house.ts'
import type { Came } from './delivered.ts'
import { delivered } from './delivered.ts'
import type { Expected, Row } from './delivered-rows.ts'
import { ROWS } from './delivered-rows.ts'

test('the table has its rows, and none twice', () => {
  expect(ROWS.length).toBeGreaterThanOrEqual(80)
  expect(new Set(ROWS.map(({ source, what, payloads }) => `${source} ${what} ${JSON.stringify(payloads)}`)).size).toBe(
    ROWS.length,
  )
})

test.each(ROWS.map((row) => [row.source, row.what, row] as const))('%s: %s', async (_, __, row) => {
  const came = await delivered(row.payloads)
  // whatever is delivered is acknowledged, or Slack shows an error and sends it again
  expect({ acks: came.acks, errors: came.errors }).toEqual({ acks: row.payloads.length, errors: [] })
  isAsExpected(came, row.expected)
  isDiagnosed(row)
})

function isAsExpected(came: Came, expected: Expected): void {
  if ('nothing' in expected || 'told' in expected) {
    isUnasked(came, expected)
    return
  }
  expect(came.asks).toHaveLength(1)
  for (const ask of came.asks) isMeant(ask, expected)
}

type Unasked = Extract<Expected, { nothing: string } | { told: string }>

function isUnasked({ asks, told }: Came, expected: Unasked): void {
  const silence = 'nothing' in expected && expected.nothing === 'silence'
  expect(asks.map((ask) => parse(ask, commands).kind)).toEqual(silence ? ['silence'] : [])
  expect(told.join('\n')).toContain('told' in expected ? expected.told : '')
  expect(told).toHaveLength('told' in expected ? 1 : 0)
}

function isMeant(ask: Ask, expected: Exclude<Expected, Unasked>): void {
  const read = parse(ask, commands)
  if ('problem' in expected) {
    expect(read).toMatchObject({ kind: 'problem', text: expect.stringContaining(expected.problem) })
    return
  }
  if ('help' in expected) {
    expect(read).toMatchObject({ kind: 'help', command: expected.help === null ? null : { word: expected.help } })
    return
  }
  if (read.kind !== 'call') throw new Error(JSON.stringify(read))
  const { call, ...about } = expected
  expect({ command: read.command.word, ...read.raw }).toMatchObject(call)
  expect(ask).toMatchObject(about)
}

const Body = z.object({
  command: z.string().optional(),
  text: z.string().optional(),
  event: z.object({ text: z.string() }).optional(),
})

/** `diagnose` finds in the same text what Slack or a client had done to it. */
function isDiagnosed({ payloads: [payload], code, expected }: Row): void {
  if (code === undefined) return
  const { command, text, event } = Body.parse(payload)
  const input = event === undefined ? { surface: 'slash', text, command } : { surface: 'event', text: event.text }
  const judged = slackDocument(input)
  expect(judged).toMatchObject({ ok: true, finding: { code } })
  const verdict = code.startsWith('ok.') ? 'healthy' : 'ok-normalized'
  if (judged.ok) expect(judged.finding.verdict).toBe('problem' in expected ? 'needs-clarification' : verdict)
}
