/** The parties of a comparison: each does its piece of work once and gives its figure, ms or a rate. */
export type Parties<Name extends string> = Readonly<Record<Name, () => Promise<number>>>

/** Rounds that warm up and are dropped. */
const DROPPED = 2

/** Runs all parties in turn, round after round, so that a loaded machine slows them alike. At least 7 rounds count. */
export async function inTurn<Name extends string>(parties: Parties<Name>, rounds = 9): Promise<Rounds<Name>> {
  const kept: Map<Name, number>[] = []
  for (let round = 0; round < Math.max(rounds, 7) + DROPPED; round += 1) {
    const figures = new Map<Name, number>()
    for (const name of namesOf(parties)) figures.set(name, await parties[name]())
    if (round >= DROPPED) kept.push(figures)
  }
  return {
    of: (name) => kept.map((figures) => figures.get(name) ?? Number.NaN),
    ratios: (name, peer) =>
      kept.map((figures) => (figures.get(name) ?? Number.NaN) / (figures.get(peer) ?? Number.NaN)),
    differences: (name, peer) =>
      kept.map((figures) => (figures.get(name) ?? Number.NaN) - (figures.get(peer) ?? Number.NaN)),
  }
}

export interface Rounds<Name extends string> {
  of(name: Name): readonly number[]
  /** one ratio a round: what it is worth is their median */
  ratios(name: Name, peer: Name): readonly number[]
  differences(name: Name, peer: Name): readonly number[]
}

/** `<= 1.3` or `>= 0.8`. A count, as of round trips, gets no margin for noise. */
export type Target = readonly ['<=' | '>=', number, 'count'?]

/** One line: `name  median M  min A  max B  target <= T  verdict`. bench/run.ts reads it; without a target it only informs. */
export function print(name: string, values: readonly number[], target: Target | null = null): void {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (index: number) => figure(sorted[index] ?? Number.NaN)
  const median = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
  const aim = target === null ? '' : `  target ${target[0]} ${target[1]}  ${verdict(median, target)}`
  console.log(`${name.padEnd(44)}  median ${figure(median)}  min ${at(0)}  max ${at(sorted.length - 1)}${aim}`)
}

/** Says that a comparison could not be made, and why. */
export function skipped(name: string, why: string): void {
  console.log(`${name.padEnd(44)}  SKIPPED: ${why}`)
}

/** Noise that a ratio may have beyond its target before it counts as missed. */
const MARGIN = 1.5

/** Written so that NaN misses too. */
function verdict(median: number, [sign, aim, kind]: Target): 'ok' | 'within the margin' | 'MISSED' {
  const times = sign === '<=' ? median / aim : aim / median
  if (times <= 1) return 'ok'
  return times <= MARGIN && kind !== 'count' ? 'within the margin' : 'MISSED'
}

function figure(value: number): string {
  return Math.abs(value) >= 1000 ? Math.round(value).toLocaleString('en-US') : value.toPrecision(3)
}

function namesOf<Name extends string>(parties: Parties<Name>): Name[] {
  const names: Name[] = []
  for (const name in parties) names.push(name)
  return names
}
