import { kindsJudged } from './document.ts'

export const USAGE =
  'Usage: pilotflame diagnose [--json] [--full] < FILE; pilotflame diagnose --help says what FILE holds'

/** What `diagnose --help` prints. */
export function help(): string {
  return `Judges recorded failures, without any host and without configuration.

Usage: pilotflame diagnose [--json] [--full] < FILE

FILE holds JSON, one document a line, or one document over several lines:
  {"id": "any name", "kind": "D", "input": {…}}
"id" may be missing. As to "kind": ${kindsJudged()}.

D is one command on a host, as an SSH library reported it:

  "command"  the command line; null where none was begun
  "event"    how it ended:
             {"type": "close", "code": 0}                    with this exit status
             {"type": "close", "code": null, "signal": "KILL"}
             {"type": "close", "code": null}                 without a status: it was cut off
             {"type": "error", "message": "…", "level": "client-authentication", "code": "ECONNREFUSED"}
             {"type": "timeout", "after_ms": 20000}          not within our limit
             {"type": "limit", "bytes": 1048576}             we cut its output
  "stdout", "stderr"
             what it printed
  "context"  what else is known: {"dmesg": "…", "jump_host": "bastion"}

E is what Slack delivered to us, or answered us:

  "surface"  slash, event or api-error
  "command"  of a slash command: /smoke
  "text"     what was typed, or the error

For example:
  ${EXAMPLE}

  --json   answers in JSON, one line a document: id, verdict, code, cause, because, remedy, confidence, parsed
  --full   shows long texts whole

Exit status, of the worst document: 0 healthy, 1 not fine, 2 no document, 3 could not tell.
`
}

const EXAMPLE = String.raw`{"id":"try","kind":"D","input":{"command":"nvidia-smi","event":{"type":"close","code":127},"stdout":"","stderr":"sh: 1: nvidia-smi: not found\n"}}`
