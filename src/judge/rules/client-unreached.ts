import type { Evidence, Finding, Rule } from '../../domain/finding.ts'
import type { Sign } from '../../domain/signature.ts'
import { quotedSign, signsOf } from '../log/signs.ts'
import { besideSignatures, clientSignatures, librarySignatures } from './client-unreached-signs.ts'
import type { Way } from './client-ways.ts'
import { UNSAID, WAYS } from './client-ways.ts'

/** Words that a client of one's own left in the terminal: no answer came, and why. In the log of a server they mean something else. */
export const clientUnreached: Rule = {
  codes: ['server.unreachable', 'engine.hang', 'transport.truncated'],
  signatures: [...clientSignatures, ...librarySignatures, ...besideSignatures],
  check(evidence) {
    const own = ownWords(evidence)
    const last = own.at(-1)
    if (last === undefined) return []
    const telling = signsOf(evidence, ...ALL)
    const whys = telling.flatMap((sign) => readWhy(sign))
    const found = whys.findLast(({ isPlain }) => isPlain) ?? whys.at(-1)
    const quotes = found === undefined || found.sign.at === last.at ? [last] : [found.sign, last]
    return [finding(found ?? { sign: last, way: UNSAID, isPlain: false }, addressIn(telling), quotes)]
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
  if (named.length > 0 || log.writer !== null) return named
  return signsOf(evidence, ...librarySignatures.map(({ name }) => name))
}

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

function finding({ way, isPlain, sign }: Found, address: string | null, quotes: readonly Sign[]): Finding {
  const { code, verdict, cause, remedy, unless } = way
  const port = /:(\d{1,5})$/.exec(address ?? '')?.[1]
  return {
    code,
    verdict,
    cause: `${address ?? 'The server'}: ${cause}`,
    because: quotes.map(quotedSign),
    remedy: remedy.map((step) => step.replace('PORT', port ?? 'PORT')),
    confidence: isPlain ? 'certain' : 'likely',
    ...(unless === undefined ? {} : { unless }),
    explains: ['log.need-more'],
    at: sign.at,
  }
}

const ADDRESSES: readonly RegExp[] = [
  /(?:connect to|remote host) (?<host>[\w.:-]{1,120}?),? port (?<port>\d{1,5})/i,
  /host='(?<host>[\w.:-]{1,120})', port=(?<port>\d{1,5})/,
  /Cannot connect to host (?<host>[\w.-]{1,120}):(?<port>\d{1,5})/,
  /(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT) (?<host>[\w.:-]{1,80}):(?<port>\d{1,5})\b/,
  /Connecting to .{0,200}?(?<host>[\w.-]{1,120})\|?:(?<port>\d{1,5})(?=\.\.\.)/,
  /"https?:\/\/(?<host>[\w.-]{1,120}):(?<port>\d{1,5})/,
  /Connect call failed \('(?<host>[\w.:-]{1,80})', (?<port>\d{1,5})/,
  /resolve (?:host|host address)?:? ?['‘"]?(?<host>[\w.-]{1,120})/i,
]

/** `127.0.0.1:30000`, where a line names it. */
function addressIn(signs: readonly Sign[]): string | null {
  for (const { line } of signs) {
    const found = ADDRESSES.map((pattern) => pattern.exec(line)?.groups).find((groups) => groups !== undefined)
    const { host, port } = found ?? {}
    if (host !== undefined) return port === undefined ? host : `${host}:${port}`
  }
  return null
}
