import { expect, test } from 'vitest'
import { report } from '../../../src/domain/report.ts'
import type { Ability, Kind } from '../../../src/surfaces/slack/abilities.ts'
import { abilities } from '../../../src/surfaces/slack/abilities.ts'
import { kindsIn } from '../../../src/surfaces/slack/blame.ts'
import { ladder } from '../../../src/surfaces/slack/ladder.ts'
import type { Refusal } from '../../../src/surfaces/slack/refusal.ts'
import { refusalIn } from '../../../src/surfaces/slack/refusal.ts'
import { details } from '../../../src/surfaces/slack/render.ts'
import { recordingLog } from './harness.ts'

/** A box, a table and buttons. */
const [message] = details(
  report({
    tone: 'good',
    status: 'done',
    title: 'x',
    tables: [{ title: 'Cards', columns: ['Card'], rows: [['0']] }],
    sections: [{ kind: 'content', title: 'Content', body: 'y', folded: false }],
  }),
  [{ id: 'id-1', label: 'Confirm', style: 'danger' }],
).messages

/** What a fresh process does about a refusal: what it leaves out of this message, and what it then knows. */
async function after(refusal: Refusal) {
  const log = recordingLog()
  const notes = { read: async () => null, write: async () => {} }
  const known = abilities({ notes, clock: { now: () => 0 }, log })
  await known.load('T1')
  const forms = message === undefined ? [] : (ladder(known, log).lower(message, refusal) ?? [])
  const left = new Set(forms.flatMap(kindsIn))
  const states = Object.entries(known.states()).filter(([, state]) => state !== 'unknown')
  return { less: kindsIn(message ?? { blocks: [] }).filter((kind) => !left.has(kind)), states }
}

const invalid = (...errors: readonly string[]): Refusal => refusalIn('invalid_blocks', { errors })

test.each<readonly [string, Refusal, readonly Kind[], readonly (readonly [Kind, Ability])[]]>([
  [
    'a kind that Slack does not know',
    invalid('unsupported type: container [json-pointer:/blocks/2]'),
    ['container'],
    [['container', 'refused']],
  ],
  [
    'a table that it does not know',
    invalid('unsupported type: table [json-pointer:/blocks/1]'),
    ['table'],
    [['table', 'refused']],
  ],
  [
    'a property that it does not know',
    invalid('invalid additional property: expand [json-pointer:/blocks/0]'),
    ['expand'],
    [['expand', 'refused']],
  ],
  ['attachments', refusalIn('invalid_attachments', {}), ['table'], [['table', 'refused']]],
  ['no reason', refusalIn('invalid_blocks', {}), ['container'], [['container', 'refused']]],
  [
    'an empty text',
    invalid('must be more than 0 characters [json-pointer:/blocks/0/text/text]'),
    ['blocks', 'container', 'table', 'expand'],
    [],
  ],
  [
    'an empty text in a box',
    invalid('must be more than 0 characters [json-pointer:/blocks/2/title/text]'),
    ['container'],
    [],
  ],
  ['an id twice', invalid('block_id already exists: a [json-pointer:/blocks]'), ['container'], []],
  ['an exchange that chat.update does not make', refusalIn('block_mismatch', {}), ['container'], []],
])(
  '%s: this message goes lower; the workspace is judged only by what it does not know',
  async (_, refusal, less, states) => {
    expect(refusal.kind).toBe('blocks')
    expect(await after(refusal)).toEqual({ less, states })
  },
)

test('refusals of one text, however many, cost nobody the buttons of the next message', async () => {
  const log = recordingLog()
  const known = abilities({ notes: { read: async () => null, write: async () => {} }, clock: { now: () => 0 }, log })
  const steps = ladder(known, log)
  for (let no = 0; no < 10 && message !== undefined; no += 1)
    steps.lower(message, invalid('must be more than 0 characters [json-pointer:/blocks/0/text/text]'))
  expect(known.can()).toEqual({ container: true, table: true, expand: true, blocks: true, files: true })
})
