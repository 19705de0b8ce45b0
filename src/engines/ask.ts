import { z } from 'zod'

import { excerpt } from '../domain/excerpt.ts'
import type { Failure } from '../domain/failure.ts'
import type { Outcome } from '../domain/outcome.ts'
import { failed, ok } from '../domain/outcome.ts'
import type { Api, ApiRequest, Reply, TextReply } from '../domain/ports.ts'
import { explained } from './chat-failure.ts'
import { complaint } from './complaint.ts'
import type { ModelList } from './wire.ts'
import { modelList } from './wire.ts'

/** Facts about a server are worth this long a wait: `/server_info` hangs where the scheduler is dead (sglang.md 1.2). */
const FACT_MS = 3_000

/** A short GET for a fact in JSON. A refusal carries what the engine means by it. */
async function ask(api: Api, path: string, signal: AbortSignal): Promise<Outcome<Reply>> {
  return read(await api.json(factAt(path), signal))
}

/** The same for a fact in any other form. */
export async function askText(api: Api, path: string, signal: AbortSignal): Promise<Outcome<TextReply>> {
  return read(await api.text(factAt(path), signal))
}

function factAt(path: string): ApiRequest {
  return { method: 'GET', path, patienceMs: FACT_MS, deadlineMs: FACT_MS }
}

function read<T>(reply: Outcome<T>): Outcome<T> {
  if (reply.ok) return reply
  const { failure } = reply
  return failed<T>(isSlow(failure) ? { ...failure, next: SMOKE_TELLS } : explained(complaint, failure))
}

/** Whether a server has no such route: an older or a newer version, or one that was started without it. */
export function hasNoRoute({ http }: Failure): boolean {
  return NO_ROUTE.has(http?.status ?? 0)
}

const NO_ROUTE: ReadonlySet<number> = new Set([404, 405, 501])

/** Whether a fact did not come in time, which a busy server's need not. */
export function isSlow({ kind }: Failure): boolean {
  return kind === 'headers-timeout' || kind === 'stalled' || kind === 'deadline'
}

const SMOKE_TELLS =
  'see whether the server hangs or is only busy: a smoke tells, which waits for the patience of the target'

/** The JSON of the first path that answers, null where none does: for facts that may be missing. */
export async function askAny(api: Api, paths: readonly string[], signal: AbortSignal): Promise<unknown> {
  for (const path of paths) {
    const reply = await ask(api, path, signal)
    if (reply.ok) return reply.value.json
    // only "no such route" is a reason to try an older name
    if (reply.failure.http?.status !== 404) return null
  }
  return null
}

/** The `version` that a route tells, null where it tells none. */
export async function askVersion(api: Api, path: string, signal: AbortSignal): Promise<string | null> {
  return versioned.parse(await askAny(api, [path], signal)).version
}

const versioned = z.object({ version: z.string().nullable().catch(null) }).catch({ version: null })

export interface Models {
  readonly list: ModelList['data']
  /** the Server header */
  readonly server: string | null
}

/** `GET /v1/models`, which every engine has. */
export async function askModels(api: Api, signal: AbortSignal): Promise<Outcome<Models>> {
  const reply = await ask(api, '/v1/models', signal)
  if (!reply.ok) return failed(reply.failure)
  const listed = modelList.safeParse(reply.value.json)
  if (!listed.success) return failed(noModels(api, reply.value.text))
  return ok({ list: listed.data.data, server: reply.value.headers['server'] ?? null })
}

function noModels(api: Api, text: string): Failure {
  return {
    kind: 'shape',
    thing: `server ${api.url}`,
    observed: `/v1/models answered with something that is no model list: “${excerpt(text, 160)}”`,
    next: 'see what answers at this URL: it does not speak the dialect of OpenAI',
  }
}
