import type { Ask } from '../../domain/ask.ts'
import type { Attempt } from '../../domain/attempt.ts'
import { CODES } from '../../domain/code.ts'
import type { Diagnosis, Evidence } from '../../domain/finding.ts'
import type { Action, Report, Tone } from '../../domain/report.ts'
import { report } from '../../domain/report.ts'
import type { Smoke } from '../../domain/smoke.ts'
import type { Verdict } from '../../domain/verdict.ts'
import { smokeFacts } from './facts.ts'
import { smokeJson } from './json.ts'
import { lead } from './live.ts'
import { smokeSections } from './sections.ts'

interface Judged {
  readonly ask: Ask
  readonly evidence: Evidence
  readonly diagnosis: Diagnosis
  /** null where it could not be kept: then there is nothing to press */
  readonly attempt: Attempt | null
}

/** A judged smoke in words: the verdict, both channels apart, the diagnosis, the numbers, what to press. */
export function smokeReport({ ask, evidence, diagnosis, attempt }: Judged): Report {
  const { smoke, target } = evidence
  return report({
    tone: toneOf(diagnosis.verdict),
    status: diagnosis.verdict,
    title: title(diagnosis, attempt),
    lead: smoke === undefined ? '' : lead(ask, target.name, smoke.request.prompt),
    facts: smokeFacts(evidence),
    sections: smokeSections(evidence, diagnosis),
    actions: smoke === undefined || attempt === null ? [] : actions(smoke),
    json: smokeJson(evidence, diagnosis),
  })
}

function title(diagnosis: Diagnosis, attempt: Attempt | null): string {
  const number = attempt === null || attempt.number === 1 ? '' : `Attempt ${attempt.number}: `
  return `${number}${WORDS[diagnosis.verdict]}. ${CODES[diagnosis.code]}.`
}

/** The verdict at the head of a sentence. */
const WORDS: Readonly<Record<Verdict, string>> = {
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

function toneOf(verdict: Verdict): Tone {
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

function actions(smoke: Smoke): readonly Action[] {
  const doubled = Math.min(smoke.request.budget * 2, 1_000_000)
  return [
    { label: 'Retry', line: 'retry', style: 'plain' },
    { label: 'Retry ×2 budget', line: `retry --max-tokens ${doubled}`, style: 'plain' },
    smoke.request.thinking === false
      ? { label: 'Thinking on', line: 'retry --think on', style: 'plain' }
      : { label: 'Thinking off', line: 'retry --think off', style: 'plain' },
    { label: 'Raw', line: 'raw', style: 'plain' },
  ]
}
