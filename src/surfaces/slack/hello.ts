import type { Place } from '../../domain/ask.ts'
import { cleaned } from './clean.ts'
import { deliver } from './deliver.ts'
import { whole } from './render.ts'
import type { Ears } from './take.ts'

/** The bot itself was invited to a channel. */
export interface Invitation {
  /** each names this invitation */
  readonly keys: readonly [string, ...string[]]
  readonly channel: string
}

/** Says hello in that channel, once for each invitation. Never throws: nobody asked, so nobody is told of a failure. */
export async function hello({ keys, channel }: Invitation, ears: Ears): Promise<void> {
  const { desk, log } = ears
  if (!(await ears.claim(keys))) return
  const to: Place = { channel, thread: null }
  try {
    const report = cleaned(await ears.welcome(channel), desk.clean)
    await deliver(to, whole(report, [], false), { ask: null, whisper: async () => false }, desk)
  } catch (error) {
    log.error('The hello in a channel failed', {
      channel,
      error: error instanceof Error ? error.message : String(error),
    })
  } finally {
    await ears.settle(keys)
  }
}
