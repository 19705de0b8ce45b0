import type { Finding, Rule } from '../../domain/finding.ts'
import { readJson } from '../../domain/json.ts'
import type { Smoke } from '../../domain/smoke.ts'
import { quoted } from '../answer.ts'
import { isMangled } from '../refusal.ts'
import { NO_STREAM } from '../remedies.ts'

/** A gateway re-emits the comments of an SSE stream (": keep-alive") as data, adds something of its own, or tears events. */
export const mangledStream: Rule = {
  codes: ['proxy.sse-mangled', 'transport.truncated'],
  check({ smoke }) {
    const line = smoke === undefined ? null : strayLine(smoke)
    if (smoke === undefined || (line === null && !isMangled(smoke))) return []
    const seen = line === null ? (smoke.failure?.observed ?? '') : `the stream holds the line ${quoted(line)}`
    if (isMangled(smoke) && !isWhole(smoke)) return [inAnswer(seen)]
    return [besideAnswer(isWhole(smoke) ? [seen, 'the answer itself came to its end'] : [seen])]
  },
}

/** Data that is a comment; where the engine could not read the stream, data that is no JSON. */
function strayLine(smoke: Smoke): string | null {
  const lines = smoke.exchange?.response.match(/^data:.*$/gm) ?? []
  const comment = lines.find((line) => /^data: ?:/.test(line))
  return comment ?? (isMangled(smoke) ? lines.find(isNoJson) : undefined) ?? null
}

function isNoJson(line: string): boolean {
  const data = line.slice('data:'.length).trim()
  return data !== '' && data !== '[DONE]' && !readJson(data).ok
}

function isWhole({ completion }: Smoke): boolean {
  return completion !== null && completion.finish !== null
}

const REMEDY = [
  `Ask the engine directly, or with ${NO_STREAM}: if that is whole, correct or upgrade the gateway between.`,
]

function besideAnswer(because: readonly string[]): Finding {
  return {
    code: 'proxy.sse-mangled',
    verdict: 'degraded',
    cause: 'A gateway between us and the engine puts into the stream what is no answer; strict clients break on it.',
    because,
    remedy: REMEDY,
    confidence: 'certain',
  }
}

function inAnswer(seen: string): Finding {
  return {
    code: 'transport.truncated',
    verdict: 'inconclusive',
    cause: 'An event of the stream arrived broken, and no finish came after it.',
    because: [seen],
    remedy: [...REMEDY, 'Read the engine log of this minute: it may have crashed in the middle of the event.'],
    confidence: 'likely',
  }
}
