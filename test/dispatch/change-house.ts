import type { Ask, Person } from '../../src/domain/ask.ts'
import type { Host } from '../../src/domain/host.ts'
import type { Store } from '../../src/domain/store.ts'
import { openHouse, target } from '../commands/house.ts'
import { value } from '../contract/store.ts'
import { machine } from './machine.ts'

export const GPU = 'C0GPU'
export const OPS = 'C0OPS'

function person(id: string, name: string, kind: Person['kind'] = 'member'): Person {
  return { team: 'T0', id, name, kind }
}

export const ANNA = person('U0ANNA', 'Anna')
export const BOB = person('U0BOB', 'Bob')
/** a member without a role */
export const CARO = person('U0CARO', 'Caro')

interface Given extends Pick<Parameters<typeof openHouse>[0] & object, 'newId' | 'every'> {
  /** where qwen runs; a scripted machine where nothing is said */
  readonly host?: Host
  /** its name there */
  readonly unit?: string
  readonly protected?: boolean
  readonly records?: (store: Store) => Store
  readonly redact?: (text: string) => string
  /** ids of the operators, `TEAM:USER`; Anna and Bob where nothing is said */
  readonly operators?: readonly string[]
}

type Heard = Awaited<ReturnType<Awaited<ReturnType<typeof openHouse>>['say']>>

/** A house with a unit behind qwen that can be restarted, and with Anna and Bob as operators by grants. */
export async function changeHouse(given: Given = {}) {
  let time = () => 0
  const box = machine(() => time())
  const qwen = { ...target('qwen'), host: 'gpu1', unit: given.unit ?? 'qwen', protected: given.protected ?? false }
  const elsewhere = { ...target('llama'), host: 'gpu2', unit: 'llama' }
  const house = await openHouse({
    targets: [qwen, elsewhere, target('bare')],
    policy: {
      roles: { admins: [], operators: [], adminGroups: [], operatorGroups: [] },
      channels: [GPU, OPS].map((id) => ({ id, targets: [], target: null })),
    },
    host: (name) => (['gpu1', 'gpu2'].includes(name) ? { ...(given.host ?? box.host), name } : null),
    ...(given.records === undefined ? {} : { records: given.records }),
    ...(given.redact === undefined ? {} : { redact: given.redact }),
    ...(given.newId === undefined ? {} : { newId: given.newId }),
    ...(given.every === undefined ? {} : { every: given.every }),
  })
  const { store } = house
  let waited = 0
  time = () => 1_700_000_000_000 + waited
  for (const operator of given.operators ?? [ANNA, BOB].map(({ team, id }) => `${team}:${id}`)) {
    const [team = '', id = ''] = operator.split(':')
    value(await store.addGrant({ person: { team, id }, role: 'operator', by: 'code', at: 0 }))
  }
  const wait = (ms: number): void => {
    waited += ms
    house.wait(ms)
  }
  /** Presses a button of an answer as Slack would: by what is stored behind its id. */
  const press = async (heard: Heard, label: string, by: Person = ANNA, how: Partial<Ask> = {}) => {
    const button = value(await store.button(heard.buttons.get(label) ?? ''))
    if (button === null) throw new Error(`No button ${label}, only ${[...heard.buttons.keys()].join(', ')}`)
    return house.say(button.line, { how: 'button', place: { channel: GPU, thread: 'plan' }, person: by, ...how })
  }
  /** What was pressed is said in the message where a report took its place, else to one person. */
  const told = (heard: Heard): string => {
    const { title = '', summary = '', lead = '' } = heard.answer() ?? {}
    return [title, summary, lead].join(' ')
  }
  const results = async () => value(await store.audits(100)).map(({ result }) => result)
  return { ...house, box, wait, press, told, results, now: () => time() }
}
