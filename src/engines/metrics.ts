/** What a page of Prometheus metrics says by name: one number per engine or data-parallel rank; null is NaN or infinite. */
export type Gauges = ReadonlyMap<string, readonly (number | null)[]>

/** Reads the gauges of these names in one pass over the page, and leaves all else alone, broken lines too. */
export function gaugesIn(page: string, names: ReadonlySet<string>): Gauges {
  const found = new Map<string, Map<string, number | null>>()
  for (const line of linesOf(page)) {
    const name = /^[A-Za-z_:][\w:]*/.exec(line)?.[0]
    if (name === undefined || !names.has(name)) continue
    const sample = sampleIn(line.slice(name.length))
    if (sample === null) continue
    const ranks = found.get(name) ?? new Map<string, number | null>()
    ranks.set(sample.rank, larger(ranks.get(sample.rank), sample.value))
    found.set(name, ranks)
  }
  return new Map([...found].map(([name, ranks]) => [name, [...ranks.values()]]))
}

/** Null where nobody told, or one of several could not say. */
export function sum(values: readonly (number | null)[] | undefined): number | null {
  const known = (values ?? []).filter((value) => value !== null)
  return known.length === 0 || known.length < (values?.length ?? 0) ? null : known.reduce((a, b) => a + b)
}

/** The same. */
export function mean(values: readonly (number | null)[] | undefined): number | null {
  const whole = sum(values)
  return whole === null ? null : whole / (values?.length ?? 1)
}

function* linesOf(page: string): Generator<string> {
  for (let from = 0, to = 0; from < page.length; from = to + 1) {
    to = page.indexOf('\n', from)
    if (to === -1) to = page.length
    yield page.slice(from, to)
  }
}

interface Sample {
  readonly rank: string
  readonly value: number | null
}

const LABEL = String.raw`[A-Za-z_]\w*\s*=\s*"(?:[^"\\]|\\.)*"`
const LABELS = new RegExp(String.raw`^\{\s*(?:${LABEL}\s*(?:,\s*${LABEL}\s*)*(?:,\s*)?)?\}`)

/** What follows a name: ` 3`, `{engine="0",model_name="a \"b\""} 3.0 1780000000`; null where it is no sample. */
function sampleIn(rest: string): Sample | null {
  const labels = LABELS.exec(rest)?.[0] ?? ''
  const token = /^\s+(\S+)/.exec(` ${rest.slice(labels.length)}`)?.[1] ?? ''
  if (!/^[+-]?(?:\d|\.\d|nan|inf)/i.test(token)) return null
  const value = Number(token)
  return { rank: rankOf(labels), value: Number.isFinite(value) ? value : null }
}

/** Ranks that hold parts of one model see the same requests: their numbers are one number (sglang.md 3.4). */
const SAME_REQUESTS = /^(?:tp|pp|moe_ep)_rank\s*=/

function rankOf(labels: string): string {
  const all = labels.match(new RegExp(LABEL, 'g')) ?? []
  return all
    .filter((label) => !SAME_REQUESTS.test(label))
    .toSorted()
    .join()
}

function larger(known: number | null | undefined, value: number | null): number | null {
  return value === null ? (known ?? null) : Math.max(known ?? value, value)
}
