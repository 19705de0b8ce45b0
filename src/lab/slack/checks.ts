import { isFields } from './json.ts'
import { codePoints } from './text-length.ts'

/** Something that Slack would not take, and where: `/blocks/0/text/text`. */
export interface Problem {
  readonly pointer: string
  readonly message: string
}

/** Looks at one value of a payload; empty where Slack would take it. */
export type Check = (value: unknown, pointer: string) => readonly Problem[]

type Checks = Readonly<Record<string, Check>>

const FINE: readonly Problem[] = []

function wrong(pointer: string, message: string): readonly Problem[] {
  return [{ pointer, message }]
}

/** Text of 1 to `max` code points; Slack counts code points, not UTF-16 units. */
export function text(max: number, min = 1): Check {
  return (value, pointer) => {
    if (typeof value !== 'string') return wrong(pointer, 'must be a string')
    const length = codePoints(value)
    if (length < min) return wrong(pointer, `must be more than ${min - 1} characters`)
    return length > max ? wrong(pointer, `must be less than ${max + 1} characters`) : FINE
  }
}

export const flag: Check = (value, pointer) => (typeof value === 'boolean' ? FINE : wrong(pointer, 'must be a boolean'))

export const number: Check = (value, pointer) => (typeof value === 'number' ? FINE : wrong(pointer, 'must be a number'))

/** A web address; Slack refuses other schemes. */
export function address(max: number): Check {
  const length = text(max)
  return (value, pointer) => {
    const tooLong = length(value, pointer)
    if (tooLong.length > 0) return tooLong
    return /^https?:\/\/\S+$/.test(String(value)) ? FINE : wrong(pointer, 'must be a valid URL')
  }
}

export function oneOf(...allowed: readonly (string | boolean)[]): Check {
  return (value, pointer) =>
    (typeof value === 'string' || typeof value === 'boolean') && allowed.includes(value)
      ? FINE
      : wrong(pointer, `must be one of: ${allowed.join(', ')}`)
}

export function list(item: Check, max: number, min = 1): Check {
  return (value, pointer) => {
    if (!Array.isArray(value)) return wrong(pointer, 'must be an array')
    if (value.length < min) return wrong(pointer, `must contain at least ${min} item${min === 1 ? '' : 's'}`)
    if (value.length > max) return wrong(pointer, `no more than ${max} items allowed`)
    return value.flatMap((one: unknown, index) => item(one, `${pointer}/${index}`))
  }
}

/** An object with these fields and no others: an unknown key anywhere refuses the whole message. */
export function object(required: Checks, optional: Checks = {}): Check {
  const known: Checks = { ...required, ...optional }
  const needed = Object.keys(required)
  return (value, pointer) => {
    if (!isFields(value)) return wrong(pointer, 'must be an object')
    const missing = needed.filter((key) => value[key] === undefined || value[key] === null)
    return [
      ...missing.flatMap((key) => wrong(pointer, `missing required field: ${key}`)),
      ...Object.entries(value)
        .filter(([key, inner]) => inner !== undefined && !missing.includes(key))
        .flatMap(([key, inner]) =>
          known[key] === undefined
            ? wrong(pointer, `invalid additional property: ${key}`)
            : known[key](inner, `${pointer}/${key}`),
        ),
    ]
  }
}

/** Chooses the check by the object's `type`. */
export function kinds(byType: Checks): Check {
  return (value, pointer) => {
    const type = isFields(value) ? value['type'] : undefined
    const check = typeof type === 'string' && Object.hasOwn(byType, type) ? byType[type] : undefined
    return check === undefined ? wrong(pointer, `unsupported type: ${String(type)}`) : check(value, pointer)
  }
}

/** All of them must be content. */
export function both(...checks: readonly Check[]): Check {
  return (value, pointer) => checks.flatMap((check) => check(value, pointer))
}

/** One more rule, said in a sentence where it does not hold. */
export function rule(holds: (value: unknown) => boolean, message: string): Check {
  return (value, pointer) => (holds(value) ? FINE : wrong(pointer, message))
}
