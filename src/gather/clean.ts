import type { GpuProcess } from '../domain/gpu.ts'
import { withoutRequest } from '../domain/redact/requests.ts'
import { HIDDEN, namesSecret } from '../domain/redact.ts'
import { sanitise } from '../domain/sanitise.ts'
import type { LogLine } from '../domain/verbs/log-line.ts'

type Redact = (text: string) => string

/** The text of a log as it may be read and quoted: without secrets, and without what other people asked. */
export function cleanLog(lines: readonly LogLine[], redact: Redact): string {
  // entry by entry: the scanner hides what was asked too, but sees lines, and one entry may hold several; then whole, since a key spans lines
  return redact(sanitise(lines.map(({ text }) => withoutRequest(text ?? '')).join('\n')))
}

/** Arguments without secrets: the value of `--api-key` has no shape of its own. */
export function cleanArgv(argv: readonly string[], redact: Redact): readonly string[] {
  return argv.map((word, at) => (namesValue(argv[at - 1]) ? HIDDEN : redact(sanitise(word))))
}

function namesValue(before: string | undefined): boolean {
  const [, name] = /^--?([A-Za-z][\w-]{0,60})$/.exec(before ?? '') ?? []
  return name !== undefined && namesSecret(name)
}

export function cleanProcess(process: GpuProcess, redact: Redact): GpuProcess {
  const { name, facts } = process
  return {
    ...process,
    name: name === null ? null : redact(sanitise(name)),
    facts: facts === null ? null : { ...facts, argv: cleanArgv(facts.argv, redact) },
  }
}
