import type { Refused } from '../../judge/slack/refused.ts'
import { readRefused, retryOf } from '../../judge/slack/refused.ts'
import { tokenFailure } from '../../surfaces/slack/faults.ts'
import { detailsIn, refusalIn } from '../../surfaces/slack/refusal.ts'
import type { Judged } from './document.ts'
import type { Fields } from './record.ts'
import { flat, numberOf, recordOf, textOf } from './record.ts'

/** What the Web API answered: `{response: {ok, error, …}, status?, sent_section_chars?, …}`. */
export function answerDocument(fields: Fields): Judged {
  const response = recordOf(fields['response'])
  if (response === null)
    return { ok: false, problem: '"input.response" is missing; write the JSON that Slack answered' }
  const error = textOf(response['error'])
  const refused = { ...reading(error, response, fields), sent: sentIn(fields), next: tokenNext(error, response) }
  const cut = error === undefined && WARNED.test(flat(response).join('\n'))
  const read: Refused = {
    ...refused,
    kind: cut ? 'cut' : refused.next === null ? refused.kind : 'token',
    code: cut ? 'message_truncated' : refused.code,
  }
  return { ok: true, finding: readRefused(read), parsed: { error: error ?? null, retry: retryOf(read) } }
}

const WARNED = /warnings?: .*\bmessage_truncated\b/

type Reading = Pick<Refused, 'kind' | 'code' | 'details' | 'waitMs'>

function reading(error: string | undefined, response: Fields, { status, retry_after, headers }: Fields): Reading {
  const wait =
    numberOf(retry_after) ?? numberOf(response['retry_after']) ?? numberOf(recordOf(headers)?.['retry-after'])
  if (numberOf(status) === 429)
    return { kind: 'limited', code: error ?? 'HTTP 429', details: [], waitMs: 1000 * (wait ?? 0) }
  if (error === undefined)
    return { kind: response['ok'] === true ? 'none' : 'unknown', code: '', details: detailsIn(response), waitMs: 0 }
  const refusal = refusalIn(error, response)
  return { ...refusal, waitMs: wait === undefined ? refusal.waitMs : 1000 * wait }
}

function tokenNext(error: string | undefined, response: Fields): string | null {
  const failure = error === undefined ? null : tokenFailure(error, response, 'bot')
  return failure === null ? null : `${failure.thing}: ${failure.observed}. Next: ${failure.next}.`
}

function sentIn(fields: Fields): readonly string[] {
  return flat(Object.fromEntries(Object.entries(fields).filter(([name]) => name.startsWith('sent_')))).slice(0, 10)
}
