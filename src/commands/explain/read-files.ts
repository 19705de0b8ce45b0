import type { Tools } from '../../domain/command.ts'
import { excerpt } from '../../domain/excerpt.ts'
import type { Failure } from '../../domain/failure.ts'
import type { Outcome } from '../../domain/outcome.ts'
import { failed } from '../../domain/outcome.ts'
import { counted, report, seconds } from '../../domain/report.ts'
import { sanitise } from '../../domain/sanitise.ts'
import type { ShownFile } from '../../domain/shown.ts'
import type { Material } from './material.ts'

/** How long all files of a message may take together, in ms. */
const LIMIT_MS = 30_000
/** How often the message is brought up to date, in ms: it may not stand yet when the next file begins. */
const HEARTBEAT_MS = 1000

type Reader = Pick<Tools, 'signal' | 'every' | 'progress' | 'redact' | 'stopLine' | 'ask'>

/** One after the other, since each may have a megabyte; meanwhile it says which one is read. */
export async function readFiles(files: readonly ShownFile[], tools: Reader): Promise<readonly Material[]> {
  const all: Material[] = []
  const late = new AbortController()
  const signal = AbortSignal.any([tools.signal, late.signal])
  const show = () => tell(files, all.length, tools)
  const ends = [tools.every(LIMIT_MS, () => late.abort()), tools.every(HEARTBEAT_MS, show)]
  try {
    for (const file of files) {
      show()
      all.push({ name: file.name, text: await within(file, signal, tools.signal) })
    }
    return all
  } finally {
    for (const end of ends) end()
  }
}

function tell(files: readonly ShownFile[], read: number, { progress, redact, stopLine, ask }: Reader): void {
  const now = files[read]
  if (now === undefined) return
  progress(
    report({
      tone: 'running',
      status: 'running',
      title: `Reading ${excerpt(redact(sanitise(now.name)), 80)}: ${read} of ${counted(files.length, 'file')} read`,
      lead: `${ask.person.name} asked what is wrong in it`,
      actions: [{ label: 'Stop', line: stopLine, style: 'danger' }],
    }),
  )
}

/** A file whose reader does not heed the signal is left to itself. */
async function within(file: ShownFile, signal: AbortSignal, stopped: AbortSignal): Promise<Outcome<string>> {
  const ended = Promise.withResolvers<Outcome<string>>()
  const end = () => ended.resolve(failed(unread(file, stopped.aborted)))
  if (signal.aborted) end()
  signal.addEventListener('abort', end)
  try {
    return await (signal.aborted ? ended.promise : Promise.race([file.read(signal), ended.promise]))
  } finally {
    signal.removeEventListener('abort', end)
  }
}

function unread({ name }: ShownFile, isStopped: boolean): Failure {
  const thing = `file ${name}`
  if (isStopped) return { kind: 'stopped', thing, observed: 'its reading was stopped', next: 'ask again' }
  const observed = `it did not come within the ${seconds(LIMIT_MS)} that all files of a message have`
  return { kind: 'deadline', thing, observed, next: 'paste its text instead' }
}
