import type { Lock, Thing } from '../domain/lock.ts'
import type { Operation } from '../domain/operation.ts'
import type { OpenPlan, Terms } from '../domain/plan.ts'
import type { Grant } from '../domain/role.ts'
import { ROLES } from '../domain/role.ts'
import { isNumber, isSwitch, isText, listOf, maybe, oneOf, orNull, shape, word } from './store-guards.ts'
import { isPlace } from './store-rows.ts'

const isTextOrNull = orNull(isText)
export const isOwner = shape<Lock['owner']>({ team: isText, id: isText, name: isText })

const isThing = shape<Thing>({ kind: word<Thing['kind']>({ host: 1, target: 1 }), name: isText })

export const isLock = shape<Lock>({
  on: isThing,
  owner: isOwner,
  reason: isText,
  channel: isText,
  at: isNumber,
  operation: isTextOrNull,
})

export const isOpenPlan = shape<OpenPlan>({
  id: isText,
  line: isText,
  terms: shape<Terms>({ reason: isTextOrNull, force: isSwitch, breakGlass: isSwitch }),
  target: isText,
  title: isText,
  person: isOwner,
  place: isPlace,
  seen: isText,
  seenInWords: isText,
  on: listOf(isThing),
  host: isTextOrNull,
  unit: isTextOrNull,
  silence: maybe(isText),
  approval: word<OpenPlan['approval']>({ own: 1, second: 1 }),
  at: isNumber,
  expires: isNumber,
})

export const isOperation = shape<Operation>({
  id: isText,
  command: isText,
  target: isText,
  host: isTextOrNull,
  unit: isTextOrNull,
  person: isOwner,
  approver: orNull(isOwner),
  place: isPlace,
  message: isTextOrNull,
  capped: isSwitch,
  forced: isSwitch,
  reason: isTextOrNull,
  at: isNumber,
  state: word<Operation['state']>({ issuing: 1, done: 1, failed: 1, unknown: 1 }),
})

export const isGrant = shape<Grant>({
  person: shape<Grant['person']>({ team: isText, id: isText }),
  role: oneOf(ROLES),
  by: isText,
  at: isNumber,
})
