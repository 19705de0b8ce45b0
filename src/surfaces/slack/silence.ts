import type { Log } from '../../domain/ports.ts'

export interface SilenceWatch {
  /** No connection is left. */
  begin(): void
  end(): void
  /** It is meant: from now on silence is no news. */
  stop(): void
}

/** Says in the log that nothing is heard for longer than `ms`, and that it is over. */
export function silenceWatch(ms: number, log: Log): SilenceWatch {
  let waiting: NodeJS.Timeout | null = null
  let said = false
  let stopped = false

  function forget(): void {
    if (waiting !== null) clearTimeout(waiting)
    waiting = null
  }

  return {
    begin() {
      if (stopped) return
      waiting ??= setTimeout(() => {
        said = true
        log.error('No connection to Slack: nothing that people say is heard', { seconds: ms / 1000 })
      }, ms)
    },
    end() {
      forget()
      if (said) log.info('Connected to Slack again')
      said = false
    },
    stop() {
      stopped = true
      forget()
    },
  }
}
