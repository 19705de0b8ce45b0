import { z } from 'zod'
import type { Tools } from '../domain/command.ts'
import { defineCommand } from '../domain/command.ts'
import { sentence } from '../domain/failure.ts'
import { count, counted, refusal, report } from '../domain/report.ts'
import type { Audit } from '../domain/store.ts'
import { isMember, memberIn, noMember } from './access-who.ts'

/** Lines that are shown where nobody says how many, and at most. */
const USUAL = 20
const MOST = 200
/** Lines that are read: who wants one person’s looks through these. */
const READ = 1_000

/** `audit`: who asked for what, and what became of it. */
export const audit = defineCommand({
  word: 'audit',
  verb: null,
  summary: 'Show who asked for what and what became of it, newest first',
  usage: 'audit [--last N] [--person USER]',
  examples: ['audit', 'audit --last 50', 'audit --person U0123ABCD'],
  access: 'admin',
  needsMention: true,
  takes: 'nothing',
  flags: [
    { name: 'last', kind: 'number', value: 'N', help: `so many lines, at most ${MOST}; ${USUAL} where it is left out` },
    { name: 'person', kind: 'text', value: 'USER', help: 'of one person only, by member id' },
  ],
  args: z.object({
    last: z.coerce.number('a number is wanted').int().min(1).max(MOST).default(USUAL),
    person: z
      .string()
      .transform(bare)
      .refine(isMember, { error: ({ input }) => noMember(String(input)) })
      .optional(),
  }),
  async run({ last, person }, tools) {
    const read = await tools.records.audits(person === undefined ? last : READ)
    if (!read.ok) return refusal(sentence(read.failure), 'failed')
    const [of, lines] = [
      person === undefined ? '' : ` of ${person}`,
      ofPerson(read.value, person, tools).slice(0, last),
    ]
    const limit = person === undefined ? '' : `Looked through the last ${count(READ)} of all. `
    return report({
      tone: 'neutral',
      status: 'done',
      title:
        lines.length === 0 ? `No audit line${of} is kept` : `${counted(lines.length, 'audit line')}${of}, newest first`,
      summary: `${limit}Times are UTC. Prompts are never in it.`,
      tables:
        lines.length === 0 ? [] : [{ title: 'Audit', columns: COLUMNS, rows: lines.map((one) => row(one, tools)) }],
      json: lines,
    })
  },
})

const COLUMNS = ['When', 'Who', 'What', 'Target', 'Where', 'Result']

/** A mention counts as the id in it. */
function bare(given: string): string {
  return /^<?@([UW][A-Z0-9]+)(?:\|[^<>]*)?>?$/.exec(given)?.[1] ?? given
}

function ofPerson(all: readonly Audit[], word: string | undefined, { ask }: Tools): readonly Audit[] {
  if (word === undefined) return all
  const local = ask.person.kind === 'local'
  const meant = memberIn(word, ask.person)
  // at the machine no team is meant
  return all.filter(({ person }) => person.id === meant?.id && (local || person.team === meant.team))
}

/** A channel is told of no target that it may not use. */
function row({ at, person, command, target, place, decision, result }: Audit, { ask, who }: Tools): readonly string[] {
  const shown = target === null || who.targetIn(ask.place.channel, target) !== null ? (target ?? '') : '(not used here)'
  const when = new Date(at).toISOString().slice(0, 19).replace('T', ' ')
  return [when, person.id, command, shown, place.channel, decision === 'refused' ? `refused: ${result}` : result]
}
