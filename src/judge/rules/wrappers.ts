import type { Evidence, Finding, Rule } from '../../domain/finding.ts'
import type { Sign } from '../../domain/signature.ts'
import { orderedStop } from '../log/ordered-stop.ts'
import { harmlessLines } from '../log/quiet.ts'
import { quotedSign, signsOf } from '../log/signs.ts'
import { troubleIn, troubleSignatures } from '../log/trouble.ts'
import { WRAPPERS } from '../log/wrapper-signs.ts'

/**
 * Something died, and the lines that are here do not say of what: which ones are missing. It comes last: whatever names a
 * cause leads.
 */
export const wrappers: Rule = {
  codes: ['log.need-more'],
  signatures: [...WRAPPERS, ...troubleSignatures],
  check(evidence) {
    if (evidence.log === undefined || evidence.smoke?.completion != null) return []
    const dead = deathsIn(evidence)
    const explained = new Set(harmlessLines(evidence).map(({ at }) => at))
    const unknown = troubleIn(evidence, explained).find(({ name }) => name === 'trouble-exception')
    const named = unknown !== undefined && !isWrapped(evidence, unknown) ? unknown : null
    return dead.length === 0 && named === null ? [] : [needMore(dead, named)]
  },
}

/** After an ordered stop some of them are but its noise. */
function deathsIn(evidence: Evidence): readonly Sign[] {
  const stop = orderedStop(evidence)
  const noise = new Set(WRAPPERS.flatMap(({ name, endsAStop }) => (endsAStop === true ? [name] : [])))
  return signsOf(evidence, ...WRAPPERS.map(({ name }) => name)).filter(
    ({ name, at }) => stop === null || at < stop.at || !noise.has(name),
  )
}

/** Whether the exception is itself one that only points to another. */
function isWrapped(evidence: Evidence, { at }: Sign): boolean {
  return signsOf(evidence, ...WRAPPERS.map(({ name }) => name)).some((sign) => sign.at === at)
}

function needMore(dead: readonly Sign[], named: Sign | null): Finding {
  const [first] = dead
  const above = new Set(dead.flatMap(({ name }) => WRAPPERS.find((one) => one.name === name)?.above ?? []))
  const emptyHanded = dead.find(({ line }) =>
    /Failed core proc\(s\): \{\}|exit code: -9|signal: killed|9\/KILL/.test(line),
  )
  return {
    code: 'log.need-more',
    verdict: 'inconclusive',
    cause:
      named === null
        ? 'A process died, and these lines only say that it did: the cause stands above them.'
        : `The log names an exception that no rule knows: ${named.fields['name'] ?? ''}.`,
    because: [...(named === null ? [] : [quotedSign(named)]), ...dead.slice(0, MOST_QUOTED).map(quotedSign)],
    remedy: [
      named === null
        ? 'Show 200 lines more from before these, up to the first exception of this start.'
        : 'Read the lines above it, and search the issues of the engine for its words; show them here with 200 lines from before.',
      ...(emptyHanded === undefined
        ? []
        : ['A process that ends without a word was often killed: dmesg -T | grep -iE "oom|killed process|xid|nvrm".']),
    ],
    confidence: 'certain',
    missing: above.size > 0 ? [...above] : ['the lines above the exception'],
    ...(first === undefined && named === null ? {} : { at: Math.min(first?.at ?? Infinity, named?.at ?? Infinity) }),
  }
}

const MOST_QUOTED = 3
