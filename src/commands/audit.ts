import { z } from 'zod'
import { called } from '../domain/called.ts'
import type { Tools } from '../domain/command.ts'
import { defineCommand } from '../domain/command.ts'
import { excerpt } from '../domain/excerpt.ts'
import { sentence } from '../domain/failure.ts'
import type { Report } from '../domain/report.ts'
import { count, counted, refusal, report } from '../domain/report.ts'
import type { Audit } from '../domain/store.ts'
import { isMember, memberIn, noMember } from './access-who.ts'
import { folded } from './audit/folded.ts'

/** Lines that are shown where nobody says how many, and at most. */
const USUAL = 20
const MOST = 200
/** Lines that are read: who wants those of one person, target or command looks through these. */
const READ = 1_000

/** `audit`: who asked for what, and what became of it. */
export const audit = defineCommand({
  word: 'audit',
  verb: null,
  summary: 'Show who asked for what and what became of it, newest first',
  usage: 'audit [--last N] [--person USER] [--target NAME] [--command "WORDS"]',
  examples: ['audit', 'audit --last 50', 'audit --person U0123ABCD', 'audit --target qwen --command "sglang restart"'],
  access: 'admin',
  readsRecords: true,
  needsMention: true,
  takes: 'nothing',
  flags: [
    { name: 'last', kind: 'number', value: 'N', help: `so many lines, at most ${MOST}; ${USUAL} where it is left out` },
    { name: 'person', kind: 'person', value: 'USER', help: 'of one person only, by member id' },
    { name: 'target', kind: 'name', value: 'NAME', help: 'of one target only' },
    { name: 'command', kind: 'name', value: '"WORDS"', help: 'of one command only, or of all that begin with a word' },
  ],
  args: z.object({
    last: z.coerce.number('a number is wanted').int().min(1).max(MOST).default(USUAL),
    person: z
      .string()
      .transform(bare)
      .refine(isMember, { error: ({ input }) => noMember(String(input)) })
      .optional(),
    target: z.string().optional(),
    command: z
      .string()
      .transform((words) => words.trim().toLowerCase().replaceAll(/\s+/g, ' '))
      .optional(),
  }),
  async run({ last, ...wanted }, tools) {
    const read = await tools.records.audits(READ)
    if (!read.ok) return refusal(sentence(read.failure), 'failed')
    const found = folded(read.value).filter((line) => isWanted(line, wanted, tools))
    const lines = found.slice(0, last)
    const of = [wanted.person, wanted.target, wanted.command].filter((word) => word !== undefined)
    const whose = of.length === 0 ? '' : ` of ${excerpt(of.join(', '), 100)}`
    const limit = of.length > 0 && read.value.length === READ ? `Looked through the last ${count(READ)} of all. ` : ''
    return report({
      tone: 'neutral',
      status: 'done',
      title:
        lines.length === 0
          ? `No audit line${whose} is kept`
          : `${counted(lines.length, 'audit line')}${whose}, newest first`,
      summary: `${limit}Times are UTC. Prompts are never in it.`,
      tables: lines.length === 0 ? [] : [await table(lines, tools)],
      json: lines,
    })
  },
})

const COLUMNS = ['When', 'Who', 'What', 'Target', 'Where', 'Result']

/** A mention counts as the id in it. */
function bare(given: string): string {
  return /^<?@([UW][A-Z0-9]+)(?:\|[^<>]*)?>?$/.exec(given)?.[1] ?? given
}

interface Wanted {
  readonly person?: string | undefined
  readonly target?: string | undefined
  readonly command?: string | undefined
}

function isWanted(line: Audit, { person, target, command }: Wanted, { ask, who }: Tools): boolean {
  const meant = person === undefined ? null : memberIn(person, ask.person)
  // at the machine no team is meant
  const anyTeam = ask.person.kind === 'local'
  const isTheirs = meant === null || (line.person.id === meant.id && (anyTeam || line.person.team === meant.team))
  // of a target that may not be used here, a channel is not told by what it finds either
  const isHere = target === undefined || who.targetIn(ask.place.channel, target) !== null
  const isOfTarget = target === undefined || (line.target?.split(', ').includes(target) ?? false)
  const isOfCommand = command === undefined || `${line.command} `.startsWith(`${command} `)
  return isTheirs && isHere && isOfTarget && isOfCommand
}

async function table(lines: readonly Audit[], tools: Tools): Promise<Report['tables'][number]> {
  const names = await namesOf(lines, tools)
  return { title: 'Audit', columns: COLUMNS, rows: lines.map((line) => row(line, names, tools)) }
}

/** People who are looked up by name; the others are shown by id alone. */
const NAMED = 20

async function namesOf(lines: readonly Audit[], { who }: Tools): Promise<ReadonlyMap<string, string>> {
  const people = new Map(lines.map(({ person }) => [person.id, person]))
  const found = await Promise.all([...people.values()].slice(0, NAMED).map((person) => who.person(person)))
  return new Map(found.map((person) => [person.id, called(person)]))
}

/** A channel is told of no target that it may not use. */
function row(
  { at, person, command, target, place, decision, result }: Audit,
  names: ReadonlyMap<string, string>,
  { ask, who }: Tools,
): readonly string[] {
  const isHere = (name: string): boolean => who.targetIn(ask.place.channel, name) !== null
  const targets = target?.split(', ') ?? []
  const shown = targets.map((name) => (isHere(name) ? name : '(not used here)')).join(', ')
  const whole = decision === 'refused' ? refused(result) : result
  // what is said behind its first word may name the target
  const what = targets.every(isHere) ? whole : (/^[\w-]+/.exec(whole)?.[0] ?? '')
  return [moment(at), names.get(person.id) ?? person.id, command, shown, place.channel, what]
}

/** `14 Nov 22:13`, which no table breaks into two lines. */
function moment(at: number): string {
  const [date = '', time = ''] = new Date(at).toISOString().split('T')
  const [, month, day] = date.split('-').map(Number)
  return [day, MONTHS[(month ?? 1) - 1], time.slice(0, 5)].join('\u00a0')
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const CAUSE = 100

/** Why, without what to do next; once, where the cause says that it was refused. */
function refused(result: string): string {
  const [cause = ''] = result.split(/\.? Next: /)
  const bare = cause.replace(/^(?:refused(?:: |$))+/, '')
  return bare === '' ? 'refused' : excerpt(`refused: ${bare}`, CAUSE)
}
