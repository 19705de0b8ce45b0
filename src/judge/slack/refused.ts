import type { Code } from '../../domain/code.ts'
import type { Finding } from '../../domain/finding.ts'
import { quoted } from '../../domain/remote/text.ts'
import { seconds } from '../../domain/report.ts'
import type { Verdict } from '../../domain/verdict.ts'

/** Why Slack did not take what we sent, as the surface reads it. */
export interface Refused {
  /** as the surface says it; `token`: it does not take our token or its scopes · `cut`: taken, but not whole */
  readonly kind: 'place' | 'blocks' | 'long' | 'limited' | 'unsent' | 'unknown' | 'no' | 'token' | 'cut' | 'none'
  readonly code: string
  readonly details: readonly string[]
  readonly waitMs: number
  /** what we had sent, where it was recorded: `section_chars: 3042` */
  readonly sent: readonly string[]
  /** what to do about a token; null for everything else */
  readonly next: string | null
}

/** How it may be asked again: in parts · as words without blocks · later · after a look whether it was done · not at all. */
export type Retry = 'split' | 'words' | 'wait' | 'look-first' | 'none'

export function retryOf(refused: Refused): Retry {
  return meaningOf(refused).retry
}

/** What an answer of the Web API means. */
export function readRefused(refused: Refused): Finding {
  const { code, details, waitMs, sent, next } = refused
  const meaning = meaningOf(refused)
  const wait = waitMs > 0 ? [`it wants ${seconds(waitMs)} of rest`] : []
  return {
    code: meaning.code,
    verdict: meaning.verdict,
    cause: `Slack${code === '' ? '' : ` (${code})`}: ${meaning.cause}.`,
    because: [
      `answer: ${code === '' ? 'ok: true' : code}`,
      ...details.map((one) => `detail: ${quoted(one)}`),
      ...wait,
      ...sent.map((one) => `sent: ${one}`),
    ],
    remedy: next === null ? meaning.remedy : [next],
    confidence: meaning.code === 'log.need-more' ? 'possible' : 'certain',
  }
}

interface Meaning {
  readonly code: Code
  readonly verdict: Verdict
  readonly cause: string
  readonly remedy: readonly string[]
  readonly retry: Retry
}

/** Some words tell more than their kind. */
function meaningOf({ kind, code, details }: Refused): Meaning {
  if (code === 'msg_too_long') return { ...MEANING.long, ...LONG_TEXT }
  const empty = code === 'no_text' || details.some((one) => /\bmust be more than 0 characters\b/.test(one))
  return empty ? { ...MEANING.blocks, ...EMPTY } : MEANING[kind]
}

const LONG_TEXT: Partial<Meaning> = {
  code: 'slack.text-limit',
  cause: 'the text of the message is longer than it takes; chat.update takes about 4,000 characters',
  remedy: ['Keep the text below 3,900 characters, counted after escaping; close a code fence in each part.'],
}
const EMPTY: Partial<Meaning> = {
  code: 'slack.empty',
  retry: 'none',
  cause: 'a text of the message is empty, which it refuses',
  remedy: ['Put words where nothing was said: (blank), no answer.'],
}

const MEANING: Readonly<Record<Refused['kind'], Meaning>> = {
  long: {
    code: 'slack.block-limit',
    verdict: 'client-error',
    cause: 'the blocks hold more than it takes: 3,000 characters a section, 50 blocks, about 13,200 characters in all',
    remedy: [
      'Split it, counted after escaping: each section below 3,000 characters, each message below 10,000.',
      'Send what follows as further messages of the thread, or a log as a file.',
    ],
    retry: 'split',
  },
  blocks: {
    code: 'slack.blocks',
    verdict: 'client-error',
    cause: 'it does not take the blocks as they are built',
    remedy: ['Read the details for the block that is meant; the same words without blocks arrive.'],
    retry: 'words',
  },
  place: {
    code: 'slack.access',
    verdict: 'misconfigured',
    cause: 'the bot is no member of the channel, which for a private one looks like a wrong id',
    remedy: ['Invite it there: /invite @pilotflame'],
    retry: 'none',
  },
  token: {
    code: 'slack.access',
    verdict: 'misconfigured',
    cause: 'it does not take the token or its scopes',
    remedy: [],
    retry: 'none',
  },
  limited: {
    code: 'slack.rate-limit',
    verdict: 'overloaded',
    cause: 'too many calls of this method in this minute',
    remedy: ['Wait as long as it says, then send the same once; one message a second in a channel.'],
    retry: 'wait',
  },
  cut: {
    code: 'slack.text-limit',
    verdict: 'degraded',
    cause: 'it took the message and cut its text',
    remedy: ['Split the text below 3,900 characters, counted after escaping.'],
    retry: 'split',
  },
  none: { code: 'ok.ran', verdict: 'healthy', cause: 'it took what was sent', remedy: [], retry: 'none' },
  unsent: unclear('the call did not arrive; the network decides', 'wait'),
  unknown: unclear('it has trouble of its own and does not say whether it did the work', 'look-first'),
  no: unclear('it says no, and its word alone does not tell the cause', 'none'),
}

function unclear(cause: string, retry: Retry): Meaning {
  const remedy = ['Look the word up in the documentation of the method; see status.slack.com.']
  return { code: 'log.need-more', verdict: 'inconclusive', cause, remedy, retry }
}
