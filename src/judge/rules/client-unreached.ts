import type { Evidence, Finding, Rule } from '../../domain/finding.ts'
import type { Sign } from '../../domain/signature.ts'
import { quotedSign, signsOf } from '../log/signs.ts'
import type { Asked } from './client-asked.ts'
import { askedIn, isStore } from './client-asked.ts'
import { answeredSignature, besideSignatures, clientSignatures, librarySignatures } from './client-unreached-signs.ts'
import type { Way } from './client-ways.ts'
import { UNSAID, WAYS } from './client-ways.ts'

/** Words that a client of one's own left in the terminal: no answer came, and why. In the log of a server they mean something else. */
export const clientUnreached: Rule = {
  codes: ['server.unreachable', 'engine.hang', 'transport.truncated'],
  signatures: [...clientSignatures, ...librarySignatures, ...besideSignatures, answeredSignature],
  check(evidence) {
    const own = ownWords(evidence)
    const last = own.at(-1)
    if (last === undefined) return []
    const telling = signsOf(evidence, ...ALL).filter(({ line }) => !isStore(line))
    const whys = telling.flatMap((sign) => readWhy(sign))
    const found = whys.findLast(({ isPlain }) => isPlain) ?? whys.at(-1) ?? { sign: last, way: UNSAID, isPlain: false }
    const quotes = found.sign.at === last.at ? [last] : [found.sign, last]
    const asked = askedIn([found.sign, ...telling].map(({ line }) => line))
    return [finding(found, asked, doubtOf(evidence, last, asked), quotes)]
  },
}

const ALL = [...clientSignatures, ...librarySignatures, ...besideSignatures].map(({ name }) => name)

/** Longer is no terminal, but a log. */
const MOST_LINES = 400

/** Empty in what a server wrote, and where an answer came after all. */
function ownWords(evidence: Evidence): readonly Sign[] {
  const { log } = evidence
  if (log === undefined || evidence.smoke !== undefined || log.lines > MOST_LINES) return []
  if (log.signs.some(({ name }) => name.startsWith('stage-') || name === 'client-of-a-hub')) return []
  if (/^\s*(?:[{<]|data:|HTTP\/)/.test(log.end.findLast((line) => line.trim() !== '') ?? '')) return []
  const named = signsOf(evidence, ...clientSignatures.map(({ name }) => name))
  const isNamed = named.length > 0 || log.writer !== null
  const own = (isNamed ? named : signsOf(evidence, ...LIBRARIES)).filter(({ line }) => !isStore(line))
  const last = own.at(-1)
  return last === undefined || isAnswered(evidence, last) ? [] : own
}

const LIBRARIES = librarySignatures.map(({ name }) => name)

/** Whether an answer stands below the last failure: a body, a status line, or a status alone. */
function isAnswered(evidence: Evidence, last: Sign): boolean {
  const answer = signsOf(evidence, answeredSignature.name).at(-1)
  if (answer !== undefined && answer.at > last.at) return true
  return below(evidence, last).some((line) => /^\s*2\d\d\s*$/.test(line))
}

/** What stands below a line, as far as the end of the log was kept. */
function below({ log }: Evidence, { at }: Sign): readonly string[] {
  if (log === undefined) return []
  return log.end.slice(Math.max(0, log.end.length - (log.lines - at)))
}

const PROGRESS = /\b(?:ready|answer(?:s|ed)|responded|succeeded|success|done|finished|OK)\b/i

/** Why it may be no fault of a model server that is there now; null where nothing speaks for that. */
function doubtOf(evidence: Evidence, last: Sign, { isOutside }: Asked): string | null {
  if (LIBRARIES.includes(last.name) || isOutside)
    return 'it was no model server that was asked: the command, or the lines above, name who was.'
  if (below(evidence, last).some((line) => PROGRESS.test(line) && !NOT.test(line)))
    return 'it answered later, as the lines below may say: ask once more.'
  return null
}

const NOT = /\bnot\b|n't\b|\bno\b/i

interface Found {
  readonly sign: Sign
  readonly way: Way
  /** the text itself says so */
  readonly isPlain: boolean
}

/** The first way that fits; none where a line only says that something failed. */
function readWhy(sign: Sign): readonly Found[] {
  const way = WAYS.find(({ is }) => is.test(sign.line))
  return way === undefined ? [] : [{ sign, way, isPlain: way.unless === undefined }]
}

function finding(
  { way, isPlain, sign }: Found,
  { address, port, isOutside }: Asked,
  doubt: string | null,
  quotes: readonly Sign[],
): Finding {
  const { code, verdict, cause, remedy } = way
  const unless = [way.unless, doubt].flatMap((one) => one?.replace(/\.$/, '') ?? []).join('; or ')
  const isAnyone = isOutside || LIBRARIES.includes(quotes.at(-1)?.name ?? '')
  const who = isAnyone ? `Whatever was asked${address === null ? '' : ` at ${address}`}` : (address ?? 'The server')
  return {
    code,
    verdict,
    cause: `${who}: ${cause}`,
    because: quotes.map(quotedSign),
    remedy: remedy.map((step) => step.replace('PORT', port ?? 'PORT')),
    confidence: isPlain && doubt === null ? 'certain' : 'likely',
    ...(unless === '' ? {} : { unless: `${unless}.` }),
    explains: ['log.need-more'],
    at: sign.at,
  }
}
