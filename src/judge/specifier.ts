import type { Version } from './version.ts'
import { isPreRelease, order, readVersion } from './version.ts'

/**
 * A range of versions as PEP 440 writes it: `>=0.5.9,<0.5.10rc0`, `==0.5.*`, `~=0.5.9`. All parts must hold. As PEP 440
 * says, `<0.5.11` takes no 0.5.11rc1 and `>0.5.9` no 0.5.9.post1. One thing differs: a pre-release that lies in the range
 * is in it, since what runs is asked for and not what pip would choose.
 */
export type Range = readonly Part[]

interface Part {
  readonly operator: Operator
  readonly version: Version
  /** `==0.5.*`: whatever begins so */
  readonly isPrefix: boolean
}

type Operator = (typeof OPERATORS)[number]
const OPERATORS = ['>=', '<=', '==', '!=', '~=', '>', '<'] as const

const MOST_PARTS = 10

/** Null where a part cannot be read, or where there is none. */
export function readRange(text: string): Range | null {
  const words = text.split(',').map((word) => word.trim())
  const parts = words.map(readPart)
  const read = parts.filter((part) => part !== null)
  return read.length === parts.length && parts.length <= MOST_PARTS ? read : null
}

function readPart(word: string): Part | null {
  const operator = OPERATORS.find((one) => word.startsWith(one))
  if (operator === undefined) return null
  const [, text = '', star] = /^(.*?)(\.\*)?$/.exec(word.slice(operator.length).trim()) ?? []
  const version = text.includes('+') ? null : readVersion(text)
  if (version === null) return null
  const isPrefix = star !== undefined
  if (isPrefix && ((operator !== '==' && operator !== '!=') || isPreRelease(version) || version.post >= 0)) return null
  return operator === '~=' && version.release.length < 2 ? null : { operator, version, isPrefix }
}

/** Whether a version lies in a range; null where one of them cannot be read. */
export function isWithin(version: string, range: string): boolean | null {
  const read = readVersion(version)
  const parts = readRange(range)
  return read === null || parts === null ? null : parts.every((part) => holds(read, part))
}

function holds(version: Version, part: Part): boolean {
  const difference = order(version, part.version)
  const isSame = part.isPrefix ? beginsWith(version, part.version.release, part.version.epoch) : difference === 0
  switch (part.operator) {
    case '==':
      return isSame
    case '!=':
      return !isSame
    case '>=':
      return difference >= 0
    case '<=':
      return difference <= 0
    case '~=':
      return difference >= 0 && beginsWith(version, part.version.release.slice(0, -1), part.version.epoch)
    case '<':
      return difference < 0 && !(isPreOf(version, part.version) && !isPreRelease(part.version))
    case '>':
      return difference > 0 && !(isPostOf(version, part.version) && part.version.post < 0)
  }
}

function beginsWith(version: Version, release: readonly number[], epoch: number): boolean {
  return version.epoch === epoch && release.every((number, index) => (version.release[index] ?? 0) === number)
}

function isPreOf(version: Version, of: Version): boolean {
  return isPreRelease(version) && isOneRelease(version, of)
}

function isPostOf(version: Version, of: Version): boolean {
  return version.post >= 0 && isOneRelease(version, of)
}

function isOneRelease(one: Version, other: Version): boolean {
  const released = (version: Version): Version => ({ ...other, epoch: version.epoch, release: version.release })
  return order(released(one), other) === 0
}

/** Whether no version can lie in it: `>=0.5.10,<0.5.9`. */
export function isEmptyRange(range: Range): boolean {
  const lower = range.filter(({ operator }) => operator === '>=' || operator === '>' || operator === '~=')
  const upper = range.filter(({ operator }) => operator === '<=' || operator === '<')
  const exact = range.filter(({ operator, isPrefix }) => operator === '==' && !isPrefix)
  const isTorn = lower.some((low) =>
    upper.some((high) => {
      const difference = order(low.version, high.version)
      return difference > 0 || (difference === 0 && (low.operator === '>' || high.operator === '<'))
    }),
  )
  return isTorn || exact.some(({ version }) => !range.every((part) => holds(version, part)))
}
