import type { Evidence } from '../../domain/finding.ts'
import type { Gpu } from '../../domain/gpu.ts'
import { cardName } from './card.ts'
import { quotedLine } from './heard.ts'
import { INSIDE } from './names.ts'

/** A name and its value, as a tool printed them of a card or somebody told them. */
export interface Fact {
  /** null where nobody says of which card */
  readonly card: Gpu | null
  readonly name: string
  readonly value: string
  /** for `because` */
  readonly quote: string
}

/** Facts by name: `remapped_rows.pending` of a query, `Remapped Rows.Pending` for `Remapped Rows > Pending` of -q, a line `Pending : Yes`, a told one. */
export function factsOf(evidence: Evidence, name: RegExp): readonly Fact[] {
  const cards = evidence.gpus?.cards ?? []
  const read = cards.flatMap((card) =>
    Object.entries(card.others ?? {}).map(([path, value]) => ({
      card,
      name: path.replaceAll(INSIDE, '.'),
      value,
      quote: quotedFact(card, path.split(INSIDE), value),
    })),
  )
  const said = [
    ...(evidence.gpus?.notes ?? []).flatMap((line) => saidIn(line, evidence.gpus?.tool ?? '')),
    ...(evidence.told ?? []).filter((line) => !line.startsWith('command: ')).flatMap((line) => saidIn(line, 'told')),
  ]
  return [...read, ...said].filter((fact) => name.test(fact.name))
}

/** `GPU 0 (NVIDIA RTX A6000), ECC Errors, Volatile: “DRAM Uncorrectable” is “3”` */
function quotedFact(card: Gpu, path: readonly string[], value: string): string {
  const where = [cardName(card), ...path.slice(0, -1)].join(', ')
  return `${where}: “${path.at(-1) ?? ''}” is “${value}”`
}

/** `query_q: GPU Recovery Action : Reset` tells two names with a value. */
function saidIn(line: string, who: string): readonly Fact[] {
  const parts = line.split(/\s{0,80}:\s{1,80}/, 6)
  return parts.slice(0, -1).map((name, at) => ({
    card: null,
    name: name.trim(),
    value: parts
      .slice(at + 1)
      .join(' : ')
      .trim(),
    quote: quotedLine(who, who === 'told' ? line.replace(/^[\w.]{1,60}: /, '') : line),
  }))
}
