import { expect, test } from 'vitest'
import { z } from 'zod'
import { accessExplain } from '../../src/commands/access-explain.ts'
import { help } from '../../src/commands/help.ts'
import type { Ask, How } from '../../src/domain/ask.ts'
import { defineCommand, defineTargetCommand } from '../../src/domain/command.ts'
import { report } from '../../src/domain/report.ts'
import { openHouse, target } from '../commands/house.ts'
import type { Cell } from './oracle.ts'
import { expected } from './oracle.ts'
import type { Workspace } from './workspace.ts'
import { workspace } from './workspace.ts'

const SORTS = ['MEMBER', 'GUEST', 'SINGLE', 'STRANGER', 'DELETED', 'BOT', 'UNHEARD', 'FOREIGN', 'TEAMLESS'] as const
const ROLES = ['none', 'operator', 'admin'] as const
const CHANNELS = ['C0ALL', 'C0QWEN', 'C0SHARED', 'C0PENDING', 'C0UNHEARD', 'C0OTHER', 'D0ANNA'] as const
const HOWS = ['slash', 'mention', 'thread', 'button'] as const
const VERBS = [
  ...(['hello', 'rule'] as const).map((verb) => ({ verb, named: null })),
  ...(['look', 'turn'] as const).flatMap((verb) => [null, 'qwen', 'llama'].map((named) => ({ verb, named }))),
]

const THREAD = '1700000000.000100'

/** Commands of every access; `ran` holds what they were run on. */
function commandsInto(ran: string[]) {
  const done = (what: string) => {
    ran.push(what)
    return report({ tone: 'good', status: 'done', title: what })
  }
  const common = {
    verb: null,
    summary: 's',
    takes: 'nothing',
    args: z.object({ target: z.string().optional() }),
  } as const
  const flags = [{ name: 'target', kind: 'text', value: 'NAME', help: 'h' }] as const
  const on = (word: string) => ({ ...common, word, usage: word, flags })
  return [
    defineCommand({ ...on('hello'), access: 'anyone', run: async () => done('ran') }),
    defineTargetCommand({
      ...on('look'),
      access: 'read',
      run: async (_, tools) => done(`ran on ${tools.target.name}`),
    }),
    defineTargetCommand({
      ...on('turn'),
      access: 'operate',
      run: async (_, tools) => done(`ran on ${tools.target.name}`),
    }),
    defineCommand({ ...on('rule'), access: 'admin', run: async () => done('ran') }),
    accessExplain,
    help,
  ]
}

/** Everybody has the role that the id names, so that only the kind can refuse it. */
const roleIds = (role: string): readonly string[] => SORTS.map((sort) => `T0:U0${sort}0${role.toUpperCase()}`)

async function open(slack: Workspace) {
  const ran: string[] = []
  const channels = CHANNELS.slice(0, 5).map((id) => ({ id, targets: id === 'C0QWEN' ? ['qwen'] : [], target: null }))
  const roles = { admins: roleIds('admin'), operators: roleIds('operator'), adminGroups: [], operatorGroups: [] }
  const commands = commandsInto(ran)
  const targets = [target('qwen'), target('llama')]
  const house = await openHouse({ policy: { roles, channels }, directory: slack.directory, commands, targets })
  for (const channel of CHANNELS) await house.store.bindThread({ channel, thread: THREAD }, 'qwen', 1)
  return { ...house, ran }
}

type House = Awaited<ReturnType<typeof open>>

function teamsOf({ sort }: Pick<Cell, 'sort'>): readonly string[] {
  if (sort === 'TEAMLESS') return []
  return [sort === 'FOREIGN' ? 'T9' : 'T0']
}

function idOf({ sort, role }: Pick<Cell, 'sort' | 'role'>): string {
  return `U0${sort === 'TEAMLESS' ? 'MEMBER' : sort}0${role.toUpperCase()}`
}

async function outcome(cell: Cell, { say, ran, store }: House, slack: Workspace): Promise<string> {
  ran.length = 0
  const person = await slack.person(idOf(cell), teamsOf(cell))
  const place = { channel: cell.channel, thread: cell.how === 'thread' ? THREAD : null }
  const line = cell.named === null ? cell.verb : `${cell.verb} --target ${cell.named}`
  const heard = await say('', { person, place, how: cell.how, said: said(cell.how, line) })
  const [did] = ran
  if (did !== undefined) return did
  const answer = heard.answer()
  if (answer === undefined) return 'silent'
  const kept = await store.audits(1)
  const decision = kept.ok ? kept.value[0]?.decision : null
  return decision === 'refused' ? answer.status : `${answer.status}, and not recorded as refused`
}

function said(how: How, line: string): Ask['said'] {
  if (how === 'mention') return { form: 'encoded', text: `<@U0PILOT> ${line}` }
  if (how === 'thread') return { form: 'encoded', text: line }
  return { form: 'plain', word: how === 'slash' ? 'pilotflame' : null, text: line }
}

const CELLS: readonly Cell[] = SORTS.flatMap((sort) =>
  ROLES.flatMap((role) =>
    CHANNELS.flatMap((channel) =>
      HOWS.flatMap((how) => VERBS.map(({ verb, named }) => ({ sort, role, channel, how, verb, named }))),
    ),
  ),
)

test('role × kind × channel × command × target × way: the dispatcher does what the rules say', async () => {
  const slack = workspace()
  const house = await open(slack)
  const wrong: string[] = []
  const counts = new Map<string, number>()
  for (const cell of CELLS) {
    const [should, did] = [expected(cell), await outcome(cell, house, slack)]
    counts.set(should, (counts.get(should) ?? 0) + 1)
    if (did !== should) wrong.push(`${JSON.stringify(cell)}: ${did}, not ${should}`)
  }
  console.log(`${CELLS.length} combinations, ${wrong.length} mismatches; ${JSON.stringify(Object.fromEntries(counts))}`)
  expect(CELLS.length).toBeGreaterThanOrEqual(1_000)
  expect(wrong.slice(0, 5)).toEqual([])
  expect(Math.min(...counts.values())).toBeGreaterThan(5)
}, 60_000)

test('access explain says of every combination what the dispatcher does', async () => {
  const slack = workspace()
  const house = await open(slack)
  const person = await slack.person('U0MEMBER0ADMIN', ['T0'])
  // by whom a payload says that somebody is cannot be asked afterwards
  const cells = CELLS.filter(({ how, sort }) => how === 'slash' && sort !== 'TEAMLESS')
  const wrong: string[] = []
  for (const cell of cells) {
    const user = `${teamsOf(cell).join()}:${idOf(cell)}`
    const line = `access explain ${user} ${cell.verb} --channel ${cell.channel}${cell.named === null ? '' : ` --target ${cell.named}`}`
    const heard = await house.say(`/pilotflame ${line}`, { person, place: { channel: 'C0ALL', thread: null } })
    const json: unknown = heard.answer()?.json
    const may = expected(cell) !== 'refused' && expected(cell) !== 'usage'
    if (!(typeof json === 'object' && json !== null && 'may' in json && json.may === may))
      wrong.push(`${line}: not ${may}`)
  }
  console.log(`${cells.length} explanations, ${wrong.length} other than the dispatcher`)
  expect(wrong.slice(0, 5)).toEqual([])
  expect(cells.length).toBeGreaterThan(1_000)
}, 60_000)

test('while Slack tells nothing of people, no change is made, by whomever and however', async () => {
  const slack = workspace()
  const house = await open(slack)
  // some were known a minute before, the others were never seen
  for (const role of ROLES) await slack.person(`U0MEMBER0${role.toUpperCase()}`, ['T0'])
  slack.fail()
  slack.later(61_000)
  const cells = CELLS.filter(({ verb, how }) => (verb === 'turn' || verb === 'rule') && how !== 'thread')
  let refused = 0
  for (const cell of cells) if ((await outcome(cell, house, slack)) === 'refused') refused += 1
  console.log(`users.info down: ${refused} of ${cells.length} changes refused`)
  expect(refused).toBe(cells.length)
  const look = { sort: 'MEMBER', role: 'none', channel: 'C0ALL', how: 'slash', verb: 'look', named: 'qwen' } as const
  expect(await outcome(look, house, slack)).toBe('ran on qwen')
}, 60_000)

test('a refusal outside the channels of a target names none', async () => {
  const slack = workspace()
  const { say } = await open(slack)
  const person = await slack.person('U0MEMBER0ADMIN', ['T0'])
  const texts: string[] = []
  for (const channel of ['C0OTHER', 'D0ANNA', 'C0QWEN']) {
    for (const line of ['look', 'look --target secret', 'turn', 'access explain look --target secret']) {
      const heard = await say(`/pilotflame ${line}`, { person, place: { channel, thread: null } })
      texts.push(
        JSON.stringify(heard.ended.map(({ title, summary, sections, tables }) => [title, summary, sections, tables])),
      )
    }
  }
  expect(texts.filter((text) => text.includes('llama'))).toEqual([])
  expect(texts.slice(0, 8).filter((text) => text.includes('qwen'))).toEqual([])
  expect(texts.join()).toContain('C0OTHER is not a channel')
})

test('a name that is an admin’s decides nothing', async () => {
  const slack = workspace()
  const { say } = await open(slack)
  const person = await slack.person('U0MEMBER0NONE', ['T0'], 'U0MEMBER0ADMIN')
  const place = { channel: 'C0ALL', thread: null }
  expect((await say('/pilotflame rule', { person, place })).answer()?.status).toBe('refused')
})
