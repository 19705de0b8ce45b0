import type { Channel, Person } from './cast.ts'
import { VIEWER } from './cast.ts'
import type { Fields } from './json.ts'
import { textAt } from './json.ts'
import type { Message, World } from './world.ts'

/** Who sits at a page, and in which channel: `?as=U0BEN&in=C0QUIET`. */
export interface Seat {
  readonly person: Person
  readonly channel: string
}

/** Anna in the usual channel where nothing else, or nobody, is named. */
export function seatOf(asked: Fields, { world, channel }: { readonly world: World; readonly channel: string }): Seat {
  const [who, where] = [textAt(asked, 'as'), textAt(asked, 'in')]
  return {
    person: seats(world).find((one) => one.id === who) ?? VIEWER,
    channel: rooms(world).find((one) => one.id === where)?.id ?? channel,
  }
}

/** Whom one can be at the page. */
export function seats(world: World): readonly Person[] {
  return world.people.filter((one) => !one.bot && !one.deleted)
}

/** Where one can be at the page. */
export function rooms(world: World): readonly Channel[] {
  return world.channels.filter((one) => one.kind !== 'im')
}

export function isSeenBy(person: Person, message: Message): boolean {
  return message.onlyFor === null || message.onlyFor === person.id
}
