import { upperBound } from './bound.ts'
import type { Judged } from './judge.ts'
import { isAccused } from './judge.ts'

/** What was said of the harmless texts of one kind, or of one nature. */
export interface Tally {
  readonly name: string
  readonly texts: number
  readonly cuts: number
  /** texts whose leading finding says that something is wrong with the server */
  readonly accused: number
  /** texts beside which a fault is named at all */
  readonly marked: number
}

/** One for each name, in the order in which they come. */
export function tallies(judged: readonly Judged[], nameOf: (one: Judged) => string): readonly Tally[] {
  return [...Map.groupBy(judged, nameOf)].map(([name, list]) => ({
    name,
    texts: textsIn(list),
    cuts: textsIn(list.filter(({ cut }) => cut !== null)),
    accused: textsIn(list.filter(isAccused)),
    marked: textsIn(list.filter(({ marks }) => marks.length > 0)),
  }))
}

/** A text that was judged in several ways counts once. */
function textsIn(judged: readonly Judged[]): number {
  return new Set(judged.map(({ text }) => text)).size
}

/** `README  248 texts  0 cuts (<= 1.2 %)  0 broken (<= 1.2 %)  0 marks (<= 1.2 %)`: rates are bounded with 95 %. */
export function line({ name, texts, cuts, accused, marked }: Tally): string {
  const rate = (count: number) => `${count} (<= ${(100 * upperBound(count, texts)).toPrecision(2)} %)`
  return `${name.padEnd(22)} ${String(texts).padStart(5)} texts  cuts ${rate(cuts)}  broken ${rate(accused)}  marks ${rate(marked)}`
}

/** One line for each text of which something was said. */
export function complaints(judged: readonly Judged[]): readonly string[] {
  return judged
    .filter((one) => one.cut !== null || isAccused(one) || one.marks.length > 0)
    .map(({ text, cut, verdict, marks }) => {
      const loop = cut === null ? '' : `, cut at ${JSON.stringify(cut.unit.slice(0, 40))} x ${cut.copies}`
      return `${text.kind.name}, ${text.path}: ${verdict}, ${marks.join(', ')}${loop}`
    })
}
