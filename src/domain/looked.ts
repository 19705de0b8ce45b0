/** What was looked at to explain a failure, and what could not be. */
export interface Looked {
  /** how much it was stands with it: `log (2,000 lines of this run)` */
  readonly seen: readonly string[]
  /** things that are not known for the same reason stand together, so that a host that fails is said once */
  readonly missing: readonly NotKnown[]
}

interface NotKnown {
  readonly what: readonly string[]
  /** a clause: `no answer within 8 s` */
  readonly why: string
}

/** Things of the same reason together, in the order in which each reason first came. */
export function byReason(all: readonly { readonly what: string; readonly why: string }[]): readonly NotKnown[] {
  const reasons = [...new Set(all.map(({ why }) => why))]
  return reasons.map((why) => ({ what: all.filter((one) => one.why === why).map(({ what }) => what), why }))
}
