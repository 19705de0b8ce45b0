import { allowedHere, authorise, changes, weigh } from '../authorise.ts'
import type { Ask, Person } from '../domain/ask.ts'
import type { Decision, Who } from '../domain/role.ts'
import type { Target } from '../domain/target.ts'
import { protectedAlike } from '../domain/target.ts'
import { adminsInWords } from './admins.ts'
import type { Around as Appointing } from './appointments.ts'
import { appointments } from './appointments.ts'
import { heldBy, NOTHING } from './held.ts'
import { standingsIn } from './standings.ts'

/** What decides who may what, and where it is kept. */
export interface Around extends Appointing {
  readonly targets: readonly Target[]
}

type Asking = Pick<Ask, 'person' | 'place'>

/** Who may what: roles of the configuration, then those given in the chat, then those of user groups. */
export function whoIn(around: Around): Who {
  const { policy } = around
  const targets = protectedAlike(around.targets)
  const look = async ({ person, place }: Asking) => {
    const [held, shared] = await Promise.all([heldBy(person, around), sharedWith(place.channel, around)])
    return { held, shared }
  }
  return {
    ...appointments(around),
    held: (person) => heldBy(person, around),
    async may(ask, access): Promise<Decision> {
      // nobody is looked up for what only looks, nor for whoever may not even look
      const early = authorise(ask, changes(access) ? 'read' : access, policy, UNSEEN)
      const no = early ?? (changes(access) ? authorise(ask, access, policy, await look(ask)) : undefined)
      if (no === undefined) return { ok: true }
      const admins = no.admins ? `. ${await adminsInWords(around)}` : ''
      return { ok: false, why: no.why, reason: `${no.says}. Next: ${no.next}${admins}` }
    },
    steps: async (ask, access) => weigh(ask, access, policy, changes(access) ? await look(ask) : UNSEEN),
    targetIn: (channel, name) => targets.find((one) => one.name === name && allowedHere(channel, name, policy)) ?? null,
    person: (person) => personIn(person, around),
    standings: () => standingsIn(around),
  }
}

const UNSEEN = { held: NOTHING, shared: null }

/** Whether people of other organisations are in a channel; null: Slack does not tell. */
async function sharedWith(channel: string, { directory }: Around): Promise<boolean | null> {
  const shared = await directory()?.shared(channel)
  return shared?.ok === true ? shared.value : null
}

async function personIn({ team, id }: Pick<Person, 'team' | 'id'>, { directory }: Around): Promise<Person> {
  const found = await directory()?.person(id)
  return found?.ok === true ? { team, id, ...found.value } : { team, id, name: id, kind: 'unknown' }
}
