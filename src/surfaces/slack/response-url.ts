import type { RespondArguments } from '@slack/bolt'

/** Answers one person alone through the address that Slack gave with a command or a press. Throws where it is not taken. */
export type Respond = (answer: RespondArguments) => Promise<void>

/** Slack answers in milliseconds; nobody waits longer than this, in ms. */
const LIMIT_MS = 10_000

export function respondTo(url: string): Respond {
  return async (answer) => {
    const taken = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(answer),
      redirect: 'error',
      signal: AbortSignal.timeout(LIMIT_MS),
    })
    await taken.body?.cancel()
    if (!taken.ok) throw new Error(`HTTP ${taken.status}`)
  }
}
