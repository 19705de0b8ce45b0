import type { z } from 'zod'

import { excerpt } from '../domain/excerpt.ts'
import type { Outcome } from '../domain/outcome.ts'
import { failed, ok } from '../domain/outcome.ts'
import type { Api } from '../domain/ports.ts'
import { explained } from './chat-failure.ts'
import { complaint } from './complaint.ts'

interface Telling<T> {
  readonly api: Api
  readonly path: string
  readonly body: object
  readonly form: z.ZodType<T>
}

/** A tokenizer at work on a long prompt takes a second; ms. */
const TELL_MS = 10_000

/** A short POST that generates nothing. An answer of another form is a failure too. */
export async function tell<T>({ api, path, body, form }: Telling<T>, signal: AbortSignal): Promise<Outcome<T>> {
  const reply = await api.json({ method: 'POST', path, body, patienceMs: TELL_MS, deadlineMs: TELL_MS }, signal)
  if (!reply.ok) return failed(explained(complaint, reply.failure))
  const read = form.safeParse(reply.value.json)
  if (read.success) return ok(read.data)
  return failed({
    kind: 'shape',
    thing: `server ${api.url}`,
    observed: `${path} answered with something else than expected: “${excerpt(reply.value.text, 160)}”`,
    next: 'see which version of the engine answers at this URL',
  })
}
