import type { Ask } from '../../domain/ask.ts'
import { called } from '../../domain/called.ts'
import type { KeptPlan, User } from '../../domain/plan.ts'
import { isSamePerson } from '../../domain/same-person.ts'
import type { Call } from '../../parse.ts'
import type { House } from '../house.ts'

/** Why a press does nothing, for the one who pressed. */
export interface Denial {
  readonly words: string
  /** for the audit */
  readonly why: string
}

interface Pressed {
  readonly deed: 'confirm' | 'cancel'
  readonly open: KeptPlan
  readonly call: Call | null
  readonly ask: Ask
  /** the message of the button, where others see it too; null: only who pressed does */
  readonly message: string | null
}

/** Whether this person may press that button of the plan, here and now; null: yes. */
export async function denied(pressed: Pressed, house: House): Promise<Denial | null> {
  const { open, ask, deed, call, message } = pressed
  if (open.place.channel !== ask.place.channel) {
    return { words: 'That plan was made in another channel. Nothing was done.', why: 'another channel' }
  }
  if (open.usedBy !== null) return { words: pressedBy(open.usedBy), why: 'used' }
  const own = isSamePerson(open.person, ask.person)
  // who asked may always take it back
  const access = deed === 'cancel' && own ? 'read' : (call?.command.access ?? 'operate')
  const allowed = await house.who.may(ask, access)
  if (!allowed.ok) return { words: `Nothing was done: ${allowed.reason}.`, why: allowed.why }
  if (deed === 'cancel') return null
  return message === null ? UNSEEN : deniedConfirm(open, own, house)
}

/** What changes a server is done before everybody's eyes, or not at all. */
const UNSEEN: Denial = {
  words:
    'Nobody but you sees that plan, since Pilotflame may not post in this channel, so nothing was done. Next: let it in with /invite, then ask again.',
  why: 'not seen by the channel',
}

export function pressedBy(user: User): string {
  return `${called(user)} pressed first, so your press did nothing. The message says what became of it.`
}

function deniedConfirm({ approval, person, line }: KeptPlan, own: boolean, { slash }: House): Denial | null {
  if (approval === 'own' && !own) {
    const words = `Only ${called(person)}, who asked, can confirm that plan. Nothing was done. Next: type ${slash.typed(line)} to get a plan of your own.`
    return { words, why: 'not theirs' }
  }
  if (approval === 'own' || !own) return null
  const words =
    'You asked for it, so somebody else must approve it. Nothing was done. Next: ask another operator to press.'
  return { words, why: 'own approval' }
}
