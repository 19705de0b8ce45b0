import type { Log } from '../domain/ports.ts'

/** Runs something that nobody waits for. A fault in it is recorded; it must not end the process. */
export async function guarded(run: () => unknown, log: Log): Promise<void> {
  try {
    await run()
  } catch (error) {
    log.error('bug in the background', { error: error instanceof Error ? error.stack : String(error) })
  }
}
