import type { RespondArguments } from '@slack/bolt'
import { z } from 'zod'
import type { Refusal } from './refusal.ts'
import { refusalIn, refusalOf } from './refusal.ts'

/** Answers one person alone through the address that Slack gave with a command or a press. Null: taken. Never throws. */
export type Respond = (answer: RespondArguments) => Promise<Refusal | null>

/** Slack answers in milliseconds; nobody waits longer than this, in ms. */
const LIMIT_MS = 10_000

export function respondTo(url: string): Respond {
  return async (answer) => {
    try {
      const said = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(answer),
        redirect: 'error',
        signal: AbortSignal.timeout(LIMIT_MS),
      })
      if (!said.ok) return refusalBy(said.status, await beginningOf(said))
      await said.body?.cancel()
      return null
    } catch (error) {
      return refusalOf(error)
    }
  }
}

/** UTF-16 units of a body that are read; a server that is not Slack answers with a page. */
const MOST = 16_384

async function beginningOf({ body }: Response): Promise<string> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const bytes of body ?? []) {
    text += decoder.decode(bytes, { stream: true })
    if (text.length > MOST) break
  }
  return text
}

const Said = z.looseObject({ error: z.string() })

/** The body is `{"ok":false,"error":"invalid_blocks"}`, that word alone, or nothing that anybody could read. */
function refusalBy(status: number, text: string): Refusal {
  const said = Said.safeParse(parsed(text)).data
  if (said !== undefined) return refusalIn(said.error, said)
  if (/^[a-z_]{3,80}$/.test(text.trim())) return refusalIn(text.trim(), {})
  const kind = status === 400 ? 'blocks' : status < 500 ? 'no' : 'unknown'
  return { kind, code: `HTTP ${status}`, waitMs: 0, details: [] }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
