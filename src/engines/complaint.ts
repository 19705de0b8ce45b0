import { z } from 'zod'

import { excerpt } from '../domain/excerpt.ts'
import type { Complaint } from '../domain/failure.ts'
import { readJson } from '../domain/json.ts'
import { kindOfStatus } from '../domain/refusal-status.ts'

/** What an error body of any of the engines means (sglang.md 1.5, 2.4): the wording first, where it is known, then the status. */
export function complaint(status: number, body: string): Complaint {
  const said = read(body)
  if (said === null) return { kind: unreadable(status, body), message: plain(body) }
  const real = status >= 400 ? status : (said.code ?? 500)
  const wording = `${said.type} ${said.message}`.slice(0, LONGEST)
  const kind = BY_WORDING.find(({ pattern }) => pattern.test(wording))?.kind ?? byStatus(real, wording)
  return { kind, message: excerpt(said.message, LONGEST) }
}

type Kind = Complaint['kind']

const LONGEST = 1000

const BY_WORDING: readonly { readonly pattern: RegExp; readonly kind: Kind }[] = [
  {
    pattern:
      /exceed_context_size_error|is longer than the model's context length|maximum context length|exceeds the available context size|context size has been exceeded|context_length_exceeded|longer than the maximum model length|prompt is too long|context[_ ]?(?:window|limit)\b|contextwindowexceeded|`?inputs`? (?:tokens \+ `?max_new_tokens`? must be <=|must have less than \d)|context length exceeded|exceeds the maximum allowed length|context length is (?:only )?\d|exceeds? (?:the |its )?(?:maximum )?(?:context|sequence) length/i,
    kind: 'context',
  },
  { pattern: /server_selection_failed|no available workers?/i, kind: 'proxy' },
  { pattern: /unauthorized|\bforbidden\b|authentication_error|invalid api key/i, kind: 'auth' },
  { pattern: /model_not_found|model\b.{0,200}\b(?:does not exist|not found)|unknown model/i, kind: 'model-name' },
  { pattern: /loading model|still loading|starting up|not ready|warming up/i, kind: 'not-ready' },
  {
    pattern:
      /queue is full|request (?:waiting|running) timeout reached|too many requests|overloaded|rate.?limit|no slot|server busy/i,
    kind: 'overloaded',
  },
  { pattern: /\babort/i, kind: 'aborted' },
]

/**
 * HTML and words about an upstream come from something before the engine, whose own bodies are JSON, plain text or empty.
 * Where that only forbids, the engine behind it may be fine.
 */
function unreadable(status: number, body: string): Kind {
  const beginning = body.slice(0, LONGEST)
  if (status === 401 || status === 403) return byStatus(status, beginning)
  return /^\s*<|upstream|bad gateway|gateway time-?out/i.test(beginning) ? 'proxy' : kindOfStatus(status)
}

/** 403 is about a key where it says so. */
function byStatus(status: number, words: string): Kind {
  return status === 403 && /api.?key|unauthori[sz]ed|authenticat|credential/i.test(words)
    ? 'auth'
    : kindOfStatus(status)
}

const text = z.string().nullable().catch(null)
const code = z.union([z.number(), z.string()]).nullable().catch(null)
const inner = z.object({ message: text, type: text, code })

/** FastAPI's own refusals, `detail: [{ loc: ['body', 'messages'], msg, input }]`: the input may be somebody's prompt. */
const problem = z.object({ loc: z.array(z.union([z.string(), z.number()])), msg: z.string() })
const problems = z.array(problem).transform((all) => all.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; '))

const errorBody = z.object({
  ...inner.shape,
  error: z.union([z.string(), inner]).nullable().catch(null),
  detail: z.union([z.string(), problems]).nullable().catch(null),
})

interface Said {
  readonly message: string
  /** its type and code, for the wording */
  readonly type: string
  /** the status that the body names itself; streams answer 200 and say it here */
  readonly code: number | null
}

function read(body: string): Said | null {
  const json = readJson(body)
  const parsed = errorBody.safeParse(json.ok ? json.value : null)
  if (!parsed.success) return null
  const { error, detail, ...flat } = parsed.data
  const said = typeof error === 'string' ? { message: error, type: null, code: null } : (error ?? flat)
  const named = Number(said.code)
  return {
    message: said.message ?? detail ?? plain(body),
    type: `${said.type ?? ''} ${said.code ?? ''}`,
    code: named >= 400 ? named : null,
  }
}

function plain(body: string): string {
  const line = body.replace(/<[^>]{0,500}>/g, ' ').replace(/\s+/g, ' ')
  return excerpt(line.trim(), 200)
}
