import { z } from 'zod'
import type { Person, Place } from '../domain/ask.ts'
import { called } from '../domain/called.ts'
import type { Command, Tools } from '../domain/command.ts'
import { defineCommand } from '../domain/command.ts'
import { excerpt } from '../domain/excerpt.ts'
import type { Fact, Report } from '../domain/report.ts'
import { refusal, report } from '../domain/report.ts'
import type { Access, Step } from '../domain/role.ts'
import { isSamePerson } from '../domain/same-person.ts'
import { targetFacts } from './access-target.ts'
import { isMember, lookUp, memberIn } from './access-who.ts'

/** `access explain`: why somebody may do something here or not, question by question. */
export const accessExplain = defineCommand({
  word: 'access',
  verb: 'explain',
  summary: 'Show why you may do something here or not; for others, admins only',
  usage: 'access explain [USER] [COMMAND] [--target NAME] [--channel CHANNEL]',
  examples: ['access explain', 'access explain smoke', 'access explain U0123ABCD access grant'],
  access: 'anyone',
  where: 'chat',
  needsMention: true,
  takes: 'people',
  flags: [
    { name: 'target', kind: 'name', value: 'NAME', help: 'the target that is meant' },
    { name: 'channel', kind: 'channel', value: 'CHANNEL', help: 'another channel than this, by id; for admins' },
  ],
  args: z.object({
    words: z.array(z.string()).max(4, 'one person and one command are wanted'),
    target: z.string().optional(),
    channel: z.string().optional().transform(channelId),
  }),
  async run({ words, target, channel }, tools) {
    const [first = ''] = words
    const named = isMember(first)
    const command = commandNamed(named ? words.slice(1) : words, tools.commands)
    if (command === undefined) return refusal(noCommand(named ? words.slice(1) : words), 'usage')
    const place = { channel: channel ?? tools.ask.place.channel, thread: null }
    const person = await whom(named ? first : null, tools)
    const no = await hidden(person, place, tools)
    if (no !== null) return refusal(no)
    const about = { person, place, target: target ?? null }
    return command === null ? inGeneral(about, tools) : ofCommand(command, about, tools)
  },
})

interface About {
  readonly person: Person
  readonly place: Place
  readonly target: string | null
}

/** `<#C0123ABCD|gpu>` in a mention, `C0123ABCD` where it is typed. */
function channelId(given: string | undefined): string | null {
  if (given === undefined) return null
  return /^<#([A-Z0-9]+)(?:\|[^<>]*)?>$/.exec(given)?.[1] ?? given
}

/** Null: none was named. undefined: there is none of that name. */
function commandNamed([word, verb]: readonly string[], commands: readonly Command[]): Command | null | undefined {
  if (word === undefined) return null
  const family = commands.filter((one) => one.word === word.toLowerCase())
  return family.find((one) => one.verb === (verb?.toLowerCase() ?? null))
}

function noCommand(words: readonly string[]): string {
  return `There is no command “${excerpt(words.join(' '), 60)}”. Next: name one as it is typed, such as access explain smoke; help shows all.`
}

async function whom(word: string | null, { ask, who }: Tools): Promise<Person> {
  const holder = word === null ? null : memberIn(word, ask.person)
  if (holder === null || isSamePerson(holder, ask.person)) return ask.person
  return lookUp(holder, { ask, who })
}

/** What others may, and what goes on in other channels, is for admins. Null: it may be shown. */
async function hidden(person: Person, place: Place, { ask, who }: Tools): Promise<string | null> {
  if (person === ask.person && place.channel === ask.place.channel) return null
  const allowed = await who.may(ask, 'admin')
  return allowed.ok ? null : `What others may, or in other channels, is shown to admins: ${allowed.reason}.`
}

async function ofCommand(command: Command, about: About, tools: Tools): Promise<Report> {
  const { person, place } = about
  const name = command.verb === null ? command.word : `${command.word} ${command.verb}`
  const steps = [...(await tools.who.steps({ person, place }, command.access)), ...aim(command, about, tools)]
  const no = steps.find(({ ok }) => !ok)
  const [whose, where] = [
    subject(person, tools),
    place.channel === tools.ask.place.channel ? 'here' : `in ${place.channel}`,
  ]
  return report({
    tone: no === undefined ? 'good' : 'warning',
    status: 'done',
    title:
      no === undefined
        ? `${whose} may ask for ${name} ${where}`
        : `${whose} may not ask for ${name} ${where}: ${no.says}`,
    summary: no === undefined ? '' : `Next: ${no.next}.`,
    facts: no === undefined ? await targetFacts(command, about, tools) : [],
    tables: [{ title: 'Step by step', columns: ['Question', 'Passed', 'Answer'], rows: steps.map(row) }],
    json: { person: nameOf(person), channel: place.channel, command: name, may: no === undefined, steps },
  })
}

type Row = Pick<Step, 'ok' | 'says' | 'next'> & { readonly about: Step['about'] | 'target' }

/** Which targets there are is told only where they may be used. */
function aim({ needsTarget }: Command, { place, target }: About, { who }: Tools): readonly Row[] {
  if (!needsTarget || target === null) return []
  if (who.targetIn(place.channel, target) !== null)
    return [{ about: 'target', ok: true, says: `${target} may be used there`, next: '' }]
  const says = `no target “${excerpt(target, 64)}” may be used there`
  return [
    {
      about: 'target',
      ok: false,
      says,
      next: 'name one that may, or have it added under slack.channels in pilotflame.yml',
    },
  ]
}

const QUESTIONS: Readonly<Record<Row['about'], string>> = {
  person: 'Who?',
  channel: 'Channel allowed?',
  company: 'Only our own people there?',
  role: 'Role?',
  target: 'Target allowed?',
}

function row({ about, ok, says }: Row): readonly string[] {
  return [QUESTIONS[about], ok ? 'yes' : 'no', says]
}

/** Without a command: what each sort of command needs, and whether it is there. */
async function inGeneral(about: About, tools: Tools): Promise<Report> {
  const { person, place } = about
  const held = await tools.who.held(person)
  const sorts = await Promise.all(
    SORTS.map(async ({ access, does }) => {
      const what = `${does}: ${namesOf(access, tools.commands)}`
      const no = (await tools.who.steps({ person, place }, access)).find(({ ok }) => !ok)
      return { access, what, no }
    }),
  )
  const facts: readonly Fact[] = held.unsure === null ? [] : [{ label: 'Not read', value: held.unsure }]
  return report({
    tone: 'neutral',
    status: 'done',
    title:
      held.role === null
        ? `${subject(person, tools)}: no role`
        : `${subject(person, tools)}: ${held.role}, by ${held.from}`,
    summary: `For one command: ${tools.typed('access explain COMMAND')}`,
    facts,
    tables: [
      {
        title: place.channel === tools.ask.place.channel ? 'In this channel' : `In ${place.channel}`,
        columns: ['What', 'May', 'Why not'],
        rows: sorts.map(({ what, no }) => [what, no === undefined ? 'yes' : 'no', no?.says ?? '']),
      },
    ],
    json: sorts.map(({ access, no }) => ({ access, may: no === undefined, why: no?.says ?? null })),
  })
}

const SORTS: readonly { readonly access: Access; readonly does: string }[] = [
  { access: 'read', does: 'look' },
  { access: 'operate', does: 'change' },
  { access: 'admin', does: 'administer' },
]

/** Only what there is: smoke, sglang locks … */
function namesOf(access: Access, commands: readonly Command[]): string {
  return commands
    .filter((one) => one.access === access)
    .map(({ word, verb }) => (verb === null ? word : `${word} ${verb}`))
    .join(', ')
}

function subject(person: Person, { ask }: Tools): string {
  return person === ask.person ? 'You' : called(person)
}

function nameOf({ team, id }: Person): string {
  return `${team}:${id}`
}
