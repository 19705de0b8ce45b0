import type { Ask } from '../../domain/ask.ts'
import type { Attempt } from '../../domain/attempt.ts'
import { isFault } from '../../domain/code.ts'
import type { Diagnosis, Evidence } from '../../domain/finding.ts'
import type { Looked } from '../../domain/looked.ts'
import type { Report, Tone } from '../../domain/report.ts'
import { report } from '../../domain/report.ts'
import type { Smoke } from '../../domain/smoke.ts'
import type { Verdict } from '../../domain/verdict.ts'
import { smokeActions } from './actions.ts'
import { smokeFacts } from './facts.ts'
import { headlineOf } from './headline.ts'
import { smokeJson } from './json.ts'
import { lead } from './live.ts'
import { smokeSections } from './sections.ts'

interface Judged {
  readonly ask: Ask
  readonly evidence: Evidence
  readonly diagnosis: Diagnosis
  /** null where it could not be kept: then there is nothing to press */
  readonly attempt: Attempt | null
  readonly notKept: string | null
  /** what was looked at besides; absent where nothing was */
  readonly looked?: Looked | null
}

/** A judged smoke in words: the verdict, both channels apart, the diagnosis, the numbers, what to press. */
export function smokeReport({ ask, evidence, diagnosis, attempt, notKept, looked = null }: Judged): Report {
  const { smoke, target } = evidence
  return report({
    tone: toneOf(diagnosis.verdict),
    status: diagnosis.verdict,
    title: title(diagnosis, attempt, smoke?.failure ?? null),
    summary: summary(diagnosis),
    lead: smoke === undefined ? '' : lead(ask, target.name, smoke.request.prompt),
    facts: [...smokeFacts(evidence), ...(notKept === null ? [] : [{ label: 'Not kept', value: notKept }])],
    sections: smokeSections(evidence, diagnosis, attempt?.number ?? 1, looked),
    actions: attempt === null ? [] : smokeActions(evidence, diagnosis),
    json: smokeJson(evidence, diagnosis, looked),
  })
}

/** The leading cause and its first remedy. Nothing for what is fine. */
export function summary({ code, findings: [first] }: Diagnosis): string {
  if (!isFault(code)) return ''
  const [next] = first.remedy
  return next === undefined ? first.cause : `${first.cause}\nNext: ${next}`
}

/** `Broken. The model ends at once.` The failure is the smoke's own, where it is known. */
export function title(
  diagnosis: Pick<Diagnosis, 'verdict' | 'code'>,
  attempt: Attempt | null,
  failure: Smoke['failure'] = null,
): string {
  const number = attempt === null || attempt.number === 1 ? '' : `Attempt ${attempt.number}: `
  return `${number}${WORDS[diagnosis.verdict]}. ${headlineOf(diagnosis, failure)}.`
}

/** The verdict at the head of a sentence. */
export const WORDS: Readonly<Record<Verdict, string>> = {
  healthy: 'Healthy',
  'ok-normalized': 'Healthy',
  broken: 'Broken',
  degraded: 'Degraded',
  misconfigured: 'Misconfigured',
  unreachable: 'Unreachable',
  'not-ready': 'Not ready',
  overloaded: 'Overloaded',
  'request-limit': 'Request limit',
  'client-error': 'Wrong request',
  'hardware-fault': 'Hardware fault',
  'needs-clarification': 'Please say more',
  inconclusive: 'Could not tell',
}

export function toneOf(verdict: Verdict): Tone {
  switch (verdict) {
    case 'healthy':
    case 'ok-normalized':
      return 'good'
    case 'broken':
    case 'hardware-fault':
    case 'unreachable':
      return 'bad'
    case 'degraded':
    case 'misconfigured':
    case 'request-limit':
    case 'client-error':
    case 'not-ready':
    case 'overloaded':
      return 'warning'
    case 'needs-clarification':
    case 'inconclusive':
      return 'neutral'
  }
}
