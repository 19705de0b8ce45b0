import type { OpenAsk } from '../../domain/open-ask.ts'
import type { Log } from '../../domain/ports.ts'
import { say } from './deliver.ts'
import type { Post } from './post.ts'
import { respondTo } from './response-url.ts'
import { whisperer } from './whisper.ts'

interface Needs {
  readonly post: Post
  readonly log: Log
}

/** Tells who asked an earlier process that it ended before it answered. False where Slack does not take that either. */
export function tellUnanswered({ how, user, to, response }: OpenAsk, { post, log }: Needs): Promise<boolean> {
  const respond = response === null ? null : respondTo(response)
  return whisperer({ to, user, respond, post, log })([say(how === 'button' ? PRESSED : ASKED)])
}

const ASKED = 'Pilotflame was restarted before it answered you. Nothing goes on. Next: ask again.'
const PRESSED =
  'Pilotflame was restarted before it answered your press. Next: see what the message says; where it says nothing, press again.'
