import type { Ask, Place } from '../../domain/ask.ts'
import type { Conversation } from '../../domain/conversation.ts'
import type { Clock } from '../../domain/ports.ts'
import type { Report } from '../../domain/report.ts'
import { sanitise } from '../../domain/sanitise.ts'
import { exitOf } from './exit.ts'
import { jsonLine } from './json.ts'
import { paint } from './paint.ts'
import type { Screen } from './progress.ts'
import { progressLine } from './progress.ts'
import { renderReport } from './render.ts'

export interface TerminalOptions {
  /** the command line without the program's name; `--json` and `--full` are this surface's own */
  readonly words: readonly string[]
  readonly login: string
  readonly out: Screen
  readonly err: Screen
  /** no colours, whatever the screen is (NO_COLOR) */
  readonly plain: boolean
  /** whether a later command will know of this one, so that `retry` can be offered */
  readonly remembers: boolean
  readonly clock: Clock
  /** aborted by Ctrl-C; whoever wires it also stops the run */
  readonly interrupted: AbortSignal
  redact(text: string): string
  handle(ask: Ask, talk: Conversation): Promise<void>
}

/** Where everything is asked that is typed in a terminal. */
export const PLACE: Place = { channel: 'terminal', thread: null }
/** Flags of the terminal, which no command sees. */
export const OWN_FLAGS: readonly string[] = ['--json', '--full']

/** One command line in, one report out. `run` gives the exit status: 0 fine, 1 not fine, 2 wrong use, 3 could not tell. */
export function terminalSurface(options: TerminalOptions): { run(): Promise<number> } {
  const { words, out, err } = options
  const clean = (text: string): string => options.redact(sanitise(text))
  const json = words.includes('--json')
  const progress = progressLine(err, options.clock, clean)
  let status: Report['status'] | null = null

  const talk: Conversation = {
    to: PLACE,
    pressed: null,
    async begin(report) {
      progress.show(report.title)
      return { place: PLACE, message: null }
    },
    update: (report) => progress.show(report.title),
    async end(report, _offer, kept = async () => {}) {
      status = report.status
      progress.clear()
      if (json) out.write(jsonLine(report, options.redact))
      else write(report)
      await kept()
      return null
    },
  }

  function write(report: Report): void {
    const screen = isRefusal(report.status) ? err : out
    const style = paint(screen.isTTY === true && !options.plain)
    const { remembers } = options
    const columns = screen.isTTY === true && screen.columns !== undefined ? { columns: screen.columns } : {}
    screen.write(renderReport(report, { style, clean, remembers, full: words.includes('--full'), ...columns }))
  }

  return {
    async run() {
      const interrupt = (): void => progress.say('Stopping…')
      options.interrupted.addEventListener('abort', interrupt, { once: true })
      await options.handle(askFrom(options), talk)
      options.interrupted.removeEventListener('abort', interrupt)
      if (status !== null) return exitOf(status)
      err.write('pilotflame: no answer came back. That is a fault of Pilotflame itself; please report it.\n')
      return 1
    },
  }
}

/** What is no answer goes where errors go, so that a pipe never reads it as one. */
function isRefusal(status: Report['status']): boolean {
  return status === 'usage' || status === 'refused' || status === 'failed'
}

function askFrom({ words, login, clock }: TerminalOptions): Ask {
  const at = clock.now()
  return {
    id: `terminal-${at}`,
    how: 'terminal',
    said: { form: 'words', words: words.filter((word) => !OWN_FLAGS.includes(word)) },
    person: { team: 'local', id: login, name: login, kind: 'local' },
    place: PLACE,
    attempt: null,
    at,
  }
}
