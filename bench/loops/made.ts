import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROSE } from '../../test/judge/texts.ts'
import { random } from '../../test/random.ts'

/** A text that begins soundly and ends in a loop. */
export interface Made {
  readonly text: string
  /** where the loop begins, in characters */
  readonly from: number
}

/** A way to loop. `exact`: every copy is the same, so that all of them must be found. */
export interface LoopKind {
  readonly name: string
  readonly exact: boolean
  readonly make: (draw: Draw) => string
}

type Draw = ReturnType<typeof random>

const LONG = 8_000
const SHORTEST_BEFORE = 20
const LONGEST_BEFORE = 1_200
/** Of ten units so many are cut from prose, the others from code. */
const FROM_PROSE = 7

/** Prose and code in which no long piece comes twice. */
const PAGES = proseOf(join(import.meta.dirname, '../../docs/problems'))
const CODE = readFileSync(join(import.meta.dirname, '../../src/judge/diagnose.ts'), 'utf8')

/** The nine kinds of performance row 14. */
export const LOOP_KINDS: readonly LoopKind[] = [
  exact('1 character', 1, 1),
  exact('2 to 8', 2, 8),
  exact('9 to 40', 9, 40),
  exact('41 to 300', 41, 300),
  exact('301 to 1500', 301, 1500),
  { name: 'the field story', exact: true, make: () => copies(() => '2 + 2 = 2.') },
  { name: 'counting', exact: false, make: counting },
  { name: 'a word in every 5th copy', exact: false, make: (draw) => drifting(draw, 5) },
  { name: 'a word in every copy', exact: false, make: (draw) => drifting(draw, 1) },
]

/** `count` loops of a kind, the same ones in every run. */
export function made({ make }: LoopKind, count: number): readonly Made[] {
  const draw = random(14)
  return Array.from({ length: count }, () => {
    const before = cut(PAGES, SHORTEST_BEFORE + draw.below(LONGEST_BEFORE - SHORTEST_BEFORE), draw)
    return { text: before + make(draw), from: before.length }
  })
}

function exact(name: string, shortest: number, longest: number): LoopKind {
  return {
    name: `exact, ${name}`,
    exact: true,
    make: (draw) => {
      const unit = unitOf(draw, shortest + draw.below(longest - shortest + 1))
      return copies(() => unit)
    },
  }
}

function counting(draw: Draw): string {
  const [before, behind] = [wordsOf(draw, 1 + draw.below(4)), wordsOf(draw, 3 + draw.below(12))]
  return copies((at) => `${before} ${at + 1}: ${behind}. `)
}

function drifting(draw: Draw, every: number): string {
  const words = wordsOf(draw, 11 + draw.below(30)).split(' ')
  return copies((at) => {
    const other = at % every === every - 1 ? draw.pick(PROSE.split(/\s+/)) : undefined
    const place = draw.below(words.length)
    return `${words.map((word, index) => (other !== undefined && index === place ? other : word)).join(' ')} `
  })
}

function copies(copy: (at: number) => string): string {
  let text = ''
  for (let at = 0; text.length < LONG; at += 1) text += copy(at)
  return text.slice(0, LONG)
}

function unitOf(draw: Draw, length: number): string {
  return cut(draw.below(10) < FROM_PROSE ? PAGES : CODE, length, draw)
}

function cut(source: string, length: number, draw: Draw): string {
  const from = draw.below(source.length - length)
  return source.slice(from, from + length)
}

/** The sentences of our own pages. */
function proseOf(folder: string): string {
  const pages = readdirSync(folder).toSorted()
  const lines = pages.flatMap((page) => readFileSync(join(folder, page), 'utf8').split('\n'))
  return [...new Set(lines)].filter((line) => /^[A-Z].{60}/.test(line)).join(' ')
}

function wordsOf(draw: Draw, count: number): string {
  return Array.from({ length: count }, () => draw.pick(PROSE.match(/[a-z]{2,}/g) ?? []) ?? 'word').join(' ')
}
