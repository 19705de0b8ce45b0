import { recorded } from '../../adapters/http-recorded.ts'
import type { Evidence } from '../../domain/finding.ts'
import type { Smoke, SmokeRequest } from '../../domain/smoke.ts'
import { engines } from '../../engines/index.ts'
import { diagnose } from '../../judge/diagnose.ts'
import { scanText } from '../../judge/log/scan.ts'
import { partsOf } from '../../judge/parts.ts'
import { rules, signatures } from '../../judge/rules/index.ts'
import { findingOfTold } from '../../judge/told-instead.ts'
import { factsOf } from './answer-facts.ts'
import { isStream, recordingOf } from './answer-recording.ts'
import { requestOf } from './answer-request.ts'
import { bareStatus } from './bare-status.ts'
import type { Judged } from './document.ts'
import { inChatDialect, toldBy } from './native-answer.ts'
import type { Fields } from './record.ts'
import { flat, recordOf } from './record.ts'

/** Kind A: one chat answer as it was recorded: `{request, response: {status, headers, body, end, timeline?}, context?}`. */
export function answerDocument(input: unknown): Judged {
  const fields = recordOf(input)
  if (fields === null) return { ok: false, problem: '"input" is no object' }
  const { request, response, context, ...others } = fields
  const came = recordOf(response)
  if (came === null) return { ok: false, problem: `"input.response" is missing; ${SHAPE}` }
  const asked = recordOf(request) ?? {}
  return judged(asked, came, { ...(recordOf(context) ?? { context }), ...others })
}

const SHAPE = 'write {"status": 200, "headers": {}, "body": "…", "end": "eof"}'

/** A body of an answer alone, as somebody pastes it: JSON or the text of a stream, in the chat dialect or an engine's own. What was asked is not known. */
export function bareAnswer(body: string): Judged {
  return judged({}, { status: bareStatus(body), body }, {})
}

function judged(asked: Fields, came: Fields, known: Fields): Judged {
  const told = toldBy(recordingOf(came, asked), requestOf(asked, false))
  if (told !== null) return { ok: true, finding: findingOfTold(told), parsed: {} }
  const evidence = answerEvidence(asked, came, known)
  const [finding] = diagnose(evidence, rules).findings
  const completion = evidence.smoke?.completion ?? null
  return { ok: true, finding, parsed: completion === null ? {} : partsOf(completion) }
}

/** What the rules see of a recorded answer: read by the engine that sent it, as a live one is. */
export function answerEvidence(asked: Fields, came: Fields, known: Fields): Evidence {
  const sent = recordingOf(came, asked)
  const facts = factsOf(known, sent.text)
  const recording = inChatDialect(sent)
  const request = requestOf(asked, isStream(recording.text))
  const engine = engines.find(({ kind }) => kind === facts.engine.kind) ?? engines[0]
  const smoke = smokeOf(request, engine.reread(recorded(recording), request.stream))
  return { target: TARGET, ...facts, smoke, ...(smoke.failure === null ? {} : logIn(known)) }
}

/** Lines of the log that somebody noted beside a failure. Beside an answer they may be harmless: the answer tells. */
function logIn(known: Fields): Pick<Evidence, 'log'> {
  const noted = Object.entries(known).flatMap(([name, value]) => (NAMES_LOG.test(name) ? flat({ [name]: value }) : []))
  const lines = noted.map((line) => line.slice(line.indexOf(': ') + 2))
  return lines.length === 0 ? {} : { log: scanText(lines.join('\n'), signatures) }
}

const NAMES_LOG = /log|journal|stderr|traceback/i

const TARGET = { name: 'recorded', url: '', host: null }

/** Who stopped a recorded answer is not known. */
function smokeOf(request: SmokeRequest, answer: Pick<Smoke, 'completion' | 'failure' | 'exchange'>): Smoke {
  const stoppedBy = answer.failure?.kind === 'stopped' ? 'somebody' : null
  return { request, ...answer, cut: null, stoppedBy }
}
