import { kindsJudged } from './document.ts'

export const USAGE =
  'Usage: pilotflame diagnose [--json] [--full] < FILE; pilotflame diagnose --help says what FILE holds'

/** What is wrong with a word that is no flag of ours: most likely the file, which a shell has to open. */
export function foreignWord(word: string): string {
  if (/^-./.test(word)) return `diagnose: "${word}" is not known. ${USAGE}`
  const file = /^[\w./+@%:,=][\w./+@%:,=-]*$/.test(word) ? word : 'FILE'
  return `diagnose: "${word}" is not opened; standard input is read. Next: pilotflame diagnose < ${file}`
}

/** What `diagnose --help` prints. */
export function help(): string {
  return `Judges recorded failures, without any host and without configuration.

Usage: pilotflame diagnose [--json] [--full] < FILE

FILE is text as it stands, and found out by what it holds:

  a log of a start or of a run
      pilotflame diagnose < start.log
      journalctl -u sglang -n 2000 | pilotflame diagnose
  the answer of a model server: JSON or the text of a stream, with its HTTP head
  or without
      curl -sSi $URL/v1/chat/completions … 2>&1 | pilotflame diagnose
  what nvidia-smi, rocm-smi or amd-smi printed
      nvidia-smi | pilotflame diagnose
  the few lines that ssh left
      ssh gpu1 true 2>&1 | pilotflame diagnose

or it holds JSON, one document a line, or one document over several lines, which
can say more:
  {"id": "any name", "kind": "B", "input": {…}}
"id" may be missing. As to "kind": ${kindsJudged()}.

A is one answer of a model server:

  "request"  what was asked: {"prompt": "…", "max_tokens": 1000}
  "response" {"status": 200, "headers": {…}, "body": "…", "end": "eof"}
  "context"  what else is known:
             {"engine": "sglang", "version": "0.5.11", "flags": "--tp-size 2"}

B is a log:

  "engine"   who wrote it: sglang, vllm, llama.cpp, ollama, systemd
  "log"      its lines, as one text
  "context"  what else is known: {"systemctl": "active (running)",
             "health": "connection refused", "dmesg": "…"}

C is what a GPU tool printed:

  "command", "stdout", "stderr", "exit_code"
             and what else is known: "dmesg", "expected_gpus", "timed_out"

D is one command on a host, as an SSH library reported it:

  "command"  the command line; null where none was begun
  "event"    how it ended:
             {"type": "close", "code": 0}            with this exit status
             {"type": "close", "code": null, "signal": "KILL"}
             {"type": "close", "code": null}         no status: it was cut off
             {"type": "error", "message": "…", "level": "client-authentication",
              "code": "ECONNREFUSED"}
             {"type": "timeout", "after_ms": 20000}  not within our limit
             {"type": "limit", "bytes": 1048576}     we cut its output
  "stdout", "stderr"
             what it printed
  "context"  what else is known: {"dmesg": "…", "jump_host": "bastion"}

E is what Slack delivered to us, or answered us:

  "surface"  slash, event or api-error
  "command"  of a slash command: /smoke
  "text"     what was typed, or the error

For example:
  ${EXAMPLE}

  --json   answers in JSON, one line a document: id, verdict, code, cause,
           because, remedy, confidence, parsed
  --full   shows long texts whole

A log may be of any size; an answer has up to 16 MiB, a document up to 4 MiB.

Exit status, of the worst document: 0 healthy, 1 not fine, 2 no document,
3 could not tell.
`
}

const EXAMPLE = String.raw`{"id":"try","kind":"D","input":{"command":"nvidia-smi","event":{"type":"close","code":127},"stdout":"","stderr":"sh: 1: nvidia-smi: not found\n"}}`
