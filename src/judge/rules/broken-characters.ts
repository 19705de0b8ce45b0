import type { Rule } from '../../domain/finding.ts'
import { counted } from '../../domain/report.ts'
import { endedAnswer } from '../answer.ts'
import { NO_STREAM } from '../remedies.ts'

/** The server cuts characters of several bytes apart and sends replacement characters in their place. */
export const brokenCharacters: Rule = {
  codes: ['engine.detokenizer'],
  check(evidence) {
    const answer = endedAnswer(evidence)
    if (answer === null || answer.request.prompt.includes(REPLACEMENT)) return []
    const { content, reasoning } = answer.completion
    const broken = `${reasoning ?? ''}${content ?? ''}`.split(REPLACEMENT).length - 1
    if (broken < FEWEST) return []
    return [
      {
        code: 'engine.detokenizer',
        verdict: 'degraded',
        cause: 'The server decodes tokens one by one, so characters of several bytes arrive broken.',
        because: [`${counted(broken, 'replacement character')} (U+FFFD) in the text as the server sent it`],
        remedy: ['Upgrade the server.', `Until then ask with ${NO_STREAM}: that text is often whole.`],
        confidence: 'likely',
      },
    ]
  },
}

const REPLACEMENT = '\u{fffd}'
/** A single one may be the last character, cut by the budget. */
const FEWEST = 2
