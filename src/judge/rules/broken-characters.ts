import type { Rule } from '../../domain/finding.ts'
import { counted } from '../../domain/report.ts'
import { endedAnswer, quoted } from '../answer.ts'
import { judgedText } from '../nonsense.ts'
import { outsideCode } from '../outside-code.ts'
import { NO_STREAM } from '../remedies.ts'

/** The server makes text of tokens wrongly: replacement characters, bytes or marks of the vocabulary, UTF-8 encoded twice. */
export const brokenCharacters: Rule = {
  codes: ['engine.detokenizer'],
  check(evidence) {
    const answer = endedAnswer(evidence)
    if (answer === null) return []
    const text = outsideCode(judgedText(answer.completion))
    const found = SIGNS.map((sign) => ({ ...sign, hits: text.match(sign.pattern) ?? [] })).find(
      ({ hits, fewest }) => hits.length >= fewest && !hits.some((hit) => answer.request.prompt.includes(hit)),
    )
    if (found === undefined) return []
    return [
      {
        code: 'engine.detokenizer',
        verdict: 'degraded',
        cause: found.cause,
        because: [
          `${counted(found.hits.length, found.what)} in the text as the server sent it, as ${quoted(found.hits[0] ?? '')}`,
        ],
        remedy: ['Upgrade the server.', `Until then ask with ${NO_STREAM}: that text is often whole.`],
        confidence: 'likely',
      },
    ]
  },
}

interface Broken {
  readonly pattern: RegExp
  readonly what: string
  readonly fewest: number
  readonly cause: string
}

const SIGNS: readonly Broken[] = [
  {
    pattern: /\ufffd/g,
    what: 'replacement character',
    // a single one may be the last character, cut by the budget
    fewest: 2,
    cause: 'The server decodes tokens one by one, so characters of several bytes arrive broken.',
  },
  {
    // `C<0x7F>` is how Perl's manuals set it as code
    pattern: /(?<!\b[A-Z])<0x[0-9A-F]{2}>/g,
    what: 'byte token',
    fewest: 2,
    cause: 'The server shows the bytes of a character as tokens, and does not put them together.',
  },
  {
    // in Maltese they are letters, and words begin with them; bars are drawn with the other
    pattern: /(?<=[\p{L}\p{N}.,!?])[ĠĊ](?=[\p{L}\p{P}])|▁(?=\p{L})/gu,
    what: 'mark of the vocabulary',
    fewest: 4,
    cause:
      'The server sends tokens as they stand in the vocabulary: the marks for blanks and line ends were not put back.',
  },
  {
    pattern: /Ã[\u0080-\u00bf]|â\u0080[\u0080-\u00bf]|â€[™œ“”˜¦]/g,
    what: 'double encoding',
    fewest: 3,
    cause: 'The text is UTF-8 that something between took for Latin-1 and encoded again.',
  },
]
