import type { Rule } from '../../domain/finding.ts'
import { cardId, cardName } from '../gpu/card.ts'
import type { Fact } from '../gpu/facts.ts'
import { factsOf } from '../gpu/facts.ts'
import { heard, heardOfAmd, quotes } from '../gpu/heard.ts'
import { EXCHANGE_IT, replaceRows } from '../gpu/remedies.ts'
import { xidsOf } from '../gpu/xid.ts'

/** Bad memory of a card: spare rows that wait for a reset, or none left. By the tool; its Xids have a rule of their own. */
export const gpuMemoryRows: Rule = {
  codes: ['gpu.remap-pending', 'gpu.remap-failed'],
  check(evidence) {
    const classes = xidsOf(evidence).map(({ what }) => what)
    if (classes.includes('exhausted')) return []
    const failed = yes(factsOf(evidence, FAILURE))
    const said = heard(evidence, USED_UP) ?? heardOfAmd(evidence, USED_UP_AMD)
    if (failed !== null || said !== null) {
      return [
        {
          code: 'gpu.remap-failed',
          verdict: 'hardware-fault',
          cause: `${whichOf(failed)} could not replace bad rows of its memory: it repairs itself no more.`,
          because: [...(failed === null ? [] : [failed.quote]), ...quotes(said)],
          remedy: EXCHANGE_IT,
          confidence: 'certain',
          explains: ['gpu.remap-pending', 'gpu.needs-reset'],
        },
      ]
    }
    const pending =
      classes.includes('remapped') || classes.includes('contained') ? null : yes(factsOf(evidence, PENDING))
    if (pending === null) return []
    return [
      {
        code: 'gpu.remap-pending',
        verdict: 'degraded',
        cause: `${whichOf(pending)} found bad memory and waits for a reset to replace it; until then it can be used.`,
        because: [pending.quote],
        remedy: replaceRows(pending.card === null ? null : cardId(pending.card)),
        confidence: 'certain',
      },
    ]
  },
}

const PENDING =
  /(?:remapped[ _]rows?|row[ _]remap\w*|retired[ _]pages|remap\w*)(?:\.|[ _])(?:.{0,40}[._ ])?pending\w*(?: blacklist)?$|^(?:row )?remap\w* pending$|^Pending(?: Page Blacklist)?$/i
const FAILURE =
  /(?:remapped[ _]rows?|row[ _]remap\w*)(?:\.|[ _])(?:.{0,40}[._ ])?failure\w*(?: occurred)?$|^Remapping Failure Occurred$/i
const USED_UP = /Bad page threshold exceeded: (?:Yes|True)/i
const USED_UP_AMD = /bad page threshold|exceeds? (?:the )?(?:bad page )?threshold/i

function yes(facts: readonly Fact[]): Fact | null {
  return facts.find(({ value }) => /^(?:yes|true|[1-9]\d*)\b/i.test(value)) ?? null
}

function whichOf(fact: Fact | null): string {
  return fact?.card == null ? 'A GPU' : cardName(fact.card)
}
