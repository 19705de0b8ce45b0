import { expect, test } from 'vitest'
import type { Person } from '../../src/domain/ask.ts'
import type { Roles } from '../../src/domain/config.ts'
import type { OpenPlan } from '../../src/domain/plan.ts'
import { openHouse, target } from '../commands/house.ts'
import { value } from '../contract/store.ts'
import { machine } from './machine.ts'
import type { Cell as Asked } from './oracle.ts'
import { workspace } from './workspace.ts'

const SORTS = ['MEMBER', 'GUEST', 'SINGLE', 'STRANGER', 'DELETED', 'BOT', 'UNHEARD', 'FOREIGN', 'TEAMLESS'] as const
const ROLES = ['none', 'operator', 'admin'] as const
const CHANNELS = ['C0ALL', 'C0QWEN', 'C0SHARED', 'C0PENDING', 'C0UNHEARD', 'C0OTHER', 'D0ANNA'] as const
const SOURCES = ['file', 'grant', 'group'] as const
/** withdraw: one's own · cancel and approve: another's */
const DEEDS = ['confirm', 'withdraw', 'cancel', 'approve'] as const

interface Cell extends Pick<Asked, 'sort' | 'role' | 'channel'> {
  readonly source: (typeof SOURCES)[number]
  readonly deed: (typeof DEEDS)[number]
}

/** Written from the guide without a look at the code. */
function mayPress({ sort, role, channel, deed }: Cell): boolean {
  if (sort !== 'MEMBER' || channel === 'C0OTHER' || channel === 'D0ANNA') return false
  if (deed === 'withdraw') return true
  return role !== 'none' && (channel === 'C0ALL' || channel === 'C0QWEN')
}

const NOBODY: Roles = { admins: [], operators: [], adminGroups: [], operatorGroups: [] }
const ASKER = { team: 'T0', id: 'U0MEMBER0ASKER', name: 'Asker' } as const

function rolesFor(source: Cell['source']): Roles {
  const ids = (role: string) => SORTS.map((sort) => `T0:U0${sort}0${role}`)
  const asker = `${ASKER.team}:${ASKER.id}`
  if (source === 'file') return { ...NOBODY, admins: ids('ADMIN'), operators: [...ids('OPERATOR'), asker] }
  return source === 'group'
    ? { adminGroups: ['S0ADM'], operatorGroups: ['S0OPS'], admins: [], operators: [asker] }
    : { ...NOBODY, operators: [asker] }
}

async function open(source: Cell['source']) {
  const slack = workspace()
  const box = machine(() => 1_700_000_000_000)
  const channels = CHANNELS.slice(0, 5).map((id) => ({ id, targets: id === 'C0QWEN' ? ['qwen'] : [], target: null }))
  const house = await openHouse({
    policy: { roles: rolesFor(source), channels },
    directory: slack.directory,
    targets: [{ ...target('qwen'), host: 'gpu1', unit: 'qwen' }],
    host: () => box.host,
  })
  for (const role of source === 'grant' ? (['operator', 'admin'] as const) : []) {
    for (const sort of SORTS) {
      const person = { team: 'T0', id: `U0${sort}0${role.toUpperCase()}` }
      value(await house.store.addGrant({ person, role, by: 'code', at: 0 }))
    }
  }
  return { ...house, slack, box }
}

function planOf(id: string, by: Pick<Person, 'team' | 'id' | 'name'>, { deed, channel }: Cell, seen: string): OpenPlan {
  const at = 1_700_000_000_000
  return {
    ...{ id, line: 'sglang restart --target qwen', target: 'qwen', title: 'Restart qwen' },
    // so that no cap is in the way
    terms: { reason: 'a test', force: true, breakGlass: false },
    ...{ person: { team: by.team, id: by.id, name: by.name }, place: { channel, thread: null } },
    ...{ seen, seenInWords: seen, on: [{ kind: 'target', name: 'qwen' }], host: 'gpu1', unit: 'qwen' },
    ...{ approval: deed === 'approve' ? 'second' : 'own', at, expires: at + 60_000 },
  }
}

/** Whether the press did what its button says. */
async function pressed(cell: Cell, id: string, house: Awaited<ReturnType<typeof open>>): Promise<boolean> {
  const { sort, role, channel, deed } = cell
  const teams = sort === 'TEAMLESS' ? [] : [sort === 'FOREIGN' ? 'T9' : 'T0']
  const user = `U0${sort === 'TEAMLESS' ? 'MEMBER' : sort}0${role.toUpperCase()}`
  const person = await house.slack.person(user, teams)
  const own = deed === 'confirm' || deed === 'withdraw'
  value(await house.store.addPlan(planOf(id, own ? person : ASKER, cell, house.box.token())))
  const before = house.box.acts.length
  const cancels = deed === 'cancel' || deed === 'withdraw'
  const place = { channel, thread: 'plan' }
  await house.say(`${cancels ? 'cancel' : 'confirm'} ${id}`, { how: 'button', place, person })
  const used = value(await house.store.plan(id))?.usedBy !== null
  const acted = house.box.acts.length > before
  if (acted && (cancels || !used)) throw new Error(`${JSON.stringify(cell)} acted where it must not`)
  return cancels ? used : acted
}

test('role by file, grant and group × kind × channel × press: a press does what the rules say', async () => {
  const wrong: string[] = []
  const counts = { done: 0, refused: 0 }
  for (const source of SOURCES) {
    const house = await open(source)
    const cells = SORTS.flatMap((sort) =>
      ROLES.flatMap((role) =>
        CHANNELS.flatMap((channel) => DEEDS.map((deed): Cell => ({ source, sort, role, channel, deed }))),
      ),
    )
    for (const [n, cell] of cells.entries()) {
      const did = await pressed(cell, `plan-${n}`, house)
      counts[did ? 'done' : 'refused'] += 1
      if (did !== mayPress(cell)) wrong.push(`${JSON.stringify(cell)}: ${did}`)
    }
  }
  console.log(`${counts.done + counts.refused} presses, ${wrong.length} mismatches; ${JSON.stringify(counts)}`)
  expect(counts.done + counts.refused).toBe(3 * 9 * 3 * 7 * 4)
  expect(counts.done).toBeGreaterThan(50)
  expect(wrong.slice(0, 5)).toEqual([])
}, 60_000)
