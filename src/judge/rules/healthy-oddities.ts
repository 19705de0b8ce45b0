import type { Code } from '../../domain/code.ts'
import type { Evidence } from '../../domain/finding.ts'
import { counted } from '../../domain/report.ts'
import type { Ended } from '../answer.ts'
import { isBlank, quoted } from '../answer.ts'
import { askedOf } from '../asked.ts'
import { endsOf } from '../ends.ts'
import { scriptsWanted } from '../languages.ts'
import { periodDetector } from '../repetition.ts'
import { requested } from '../requested.ts'
import { scriptShares } from '../scripts.ts'

/** Something that looks odd in a sound answer, and why it is none. */
export interface Oddity {
  readonly code: Code
  readonly cause: string
}

/** The first that fits, the most striking first; null where nothing looks odd. */
export function oddityOf(evidence: Evidence, answer: Ended): Oddity | null {
  const { exchange = null } = evidence.smoke ?? {}
  const seen = {
    ...answer,
    evidence,
    text: answer.completion.content ?? '',
    raw: exchange?.response ?? '',
    asked: askedOf({ exchange }),
  }
  return ODDITIES.map((look) => look(seen)).find((found) => found !== null) ?? null
}

interface Seen extends Ended {
  readonly evidence: Evidence
  readonly text: string
  readonly raw: string
  readonly asked: ReturnType<typeof askedOf>
}

type Look = (seen: Seen) => Oddity | null

const ODDITIES: readonly Look[] = [
  quotedTokens,
  repeats,
  literal,
  refrain,
  keptAlive,
  uncounted,
  unsupported,
  leading,
  renamed,
  language,
  unthinking,
  short,
]

const SPECIAL = /<\|[\w▁｜-]{2,30}\|>|<\/?think(?:ing)?>|<\/s>|\[\/?INST\]|<(?:start|end)_of_turn>/

function quotedTokens({ text }: Seen): Oddity | null {
  const token = SPECIAL.exec(text)?.[0]
  if (token === undefined) return null
  return {
    code: 'ok.quoted-tokens',
    cause: `The answer speaks of special tokens such as ${quoted(token)}; they stand there as text.`,
  }
}

const FEWEST_COPIES = 4

function repeats({ text, request }: Seen): Oddity | null {
  const detector = periodDetector()
  const end = endsOf(text).at(-1)?.text ?? ''
  detector.feed(end.trim().replace(/[\])}]+$/, ''))
  const run = detector.current()
  if (run === null || run.length < FEWEST_COPIES * run.period || !requested(request.prompt, detector.unit()))
    return null
  const isLiteral = !/\s/.test(text.trim())
  return {
    code: isLiteral ? 'ok.literal-data' : SONG.test(request.prompt) ? 'ok.refrain' : 'ok.structured-repeat',
    cause: 'The text repeats itself because the prompt asks for it.',
  }
}

const SONG = /\b(?:song|lyrics|chorus|refrain|rhyme|chant|hymn|lullaby|poem|ballad|verse)\b|bottles of beer/i
const DATA = /^[\w+/=.,:;|-]*$/
const SHORTEST_DATA = 30
const FEWEST_ROWS = 4

/** Digits, base64, hexadecimal: text without language that was asked for. */
function literal({ text }: Seen): Oddity | null {
  const body = text.trim()
  if (
    body.length >= SHORTEST_DATA &&
    /\d/.test(body) &&
    DATA.test(body.replace(/\s/g, '')) &&
    longest(body) >= SHORTEST_DATA
  )
    return { code: 'ok.literal-data', cause: 'The text is data without any language, as the prompt asks for it.' }
  const rows = body.split('\n').filter((row) => /^\s*\||^(?:[^,;\t]*[,;\t]){2}/.test(row))
  if (rows.length < FEWEST_ROWS || rows.length < body.split('\n').length / 2) return null
  return { code: 'ok.structured-repeat', cause: 'The text is a table: its rows are alike by nature.' }
}

function longest(text: string): number {
  return Math.max(...text.split(/\s+/, MOST_WORDS).map((word) => word.length))
}

const MOST_WORDS = 10_000

/** Lines of a verse that come again. */
function refrain({ text, request }: Seen): Oddity | null {
  const lines = text.split('\n', MOST_WORDS).flatMap((line) => (line.trim().length < 8 ? [] : [line.trim()]))
  const again = lines.length - new Set(lines).size
  if (again < 2 || !SONG.test(request.prompt)) return null
  return { code: 'ok.refrain', cause: `${counted(again, 'line')} of the verse come again: it has a refrain.` }
}

function keptAlive({ raw, request }: Seen): Oddity | null {
  const pings = request.stream ? (raw.match(/^:.*$/gm)?.length ?? 0) : 0
  if (pings === 0) return null
  return {
    code: 'ok.keepalive',
    cause: `The server kept the stream open with ${counted(pings, 'comment')}, as the standard of event streams provides.`,
  }
}

function uncounted({ completion, request, raw, asked }: Seen): Oddity | null {
  if (!request.stream || raw === '' || completion.tokens.completion !== null || asked.usage) return null
  // counters of which each is null came all the same
  if (/"usage":\s*\{/.test(raw.slice(-LOOKED_AT))) return null
  return {
    code: 'ok.usage-not-requested',
    cause: 'No counters came, because the request did not ask for them (stream_options.include_usage).',
  }
}

function unsupported({ completion, raw }: Seen): Oddity | null {
  if (isBlank(completion.reasoning) || !/"reasoning_tokens"\s*:\s*0\b/.test(raw.slice(-LOOKED_AT))) return null
  return {
    code: 'ok.reasoning-tokens-unsupported',
    cause: 'Reasoning came, and its counter says 0: this version of the server does not count it.',
  }
}

const LOOKED_AT = 16_384

function leading({ text }: Seen): Oddity | null {
  if (!/^\s*\n|^\s{2}/.test(text)) return null
  return {
    code: 'ok.leading-whitespace',
    cause:
      'The answer begins with white space, as it stands behind the end of the thinking; it is cut off where it is shown.',
  }
}

/** vLLM calls it so since 0.11, Ollama always did (sglang.md 2.4). */
function renamed({ completion, raw }: Seen): Oddity | null {
  if (isBlank(completion.reasoning) || !/"reasoning"\s*:\s*"/.test(raw) || /"reasoning_content"\s*:\s*"/.test(raw))
    return null
  return {
    code: 'ok.reasoning-renamed',
    cause: 'The reasoning came under the name "reasoning"; others call it "reasoning_content". Both are read.',
  }
}

function language({ text, request }: Seen): Oddity | null {
  const wanted = scriptsWanted(request.prompt)
  const [script] = scriptShares(text).shares[0] ?? []
  if (script === undefined || script === 'Latin' || !wanted.has(script)) return null
  return { code: 'ok.language-match', cause: `The answer is written in ${script}, as the prompt calls for it.` }
}

function unthinking({ completion, request, raw }: Seen): Oddity | null {
  if (!isBlank(completion.reasoning) || request.thinking !== false || raw === '') return null
  return { code: 'ok.no-reasoning', cause: 'No reasoning came, since thinking was switched off.' }
}

const SHORT = 3

function short({ completion, text }: Seen): Oddity | null {
  if ((completion.tokens.completion ?? Number.POSITIVE_INFINITY) > SHORT) return null
  return { code: 'ok.short', cause: `A short answer: ${quoted(text)}.` }
}
