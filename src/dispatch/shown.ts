import type { Conversation } from '../domain/conversation.ts'
import { ok } from '../domain/outcome.ts'
import type { Shown } from '../domain/shown.ts'
import { decoded } from '../parse/entities.ts'

/** What was put beside a line, its texts as somebody typed them. */
export async function shownBeside({ shown }: Conversation, signal: AbortSignal): Promise<Shown> {
  if (shown === undefined) return { files: [], above: ok([]) }
  const { files, above } = await shown(signal)
  return { files, above: above.ok ? ok(above.value.map((one) => ({ ...one, text: decoded(one.text) }))) : above }
}
