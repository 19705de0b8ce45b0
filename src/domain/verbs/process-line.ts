import type { GateSection } from '../gate.ts'
import type { ProcessFacts } from '../process.ts'
import { fromBase64 } from './encoding.ts'
import { linesOf, wholeNumber } from './reading.ts'

/** The processes of a section; a line that is none is left out. */
export function processesOf(section: GateSection | null): readonly ProcessFacts[] {
  return linesOf(section).flatMap((line) => readProcess(line) ?? [])
}

/** Reads `PID PPID START OWNER STATE RSSKIB CGROUP COMM ARGV`. */
export function readProcess(line: string): ProcessFacts | null {
  const words = line.trim().split(/ +/)
  const [, , , owner = '', state = '', , cgroup = '', comm = '', argv = ''] = words
  const pid = wholeNumber(words[0])
  const ppid = wholeNumber(words[1])
  const start = wholeNumber(words[2])
  const rssKiB = wholeNumber(words[5])
  if (words.length !== 9 || pid === null || ppid === null || start === null || rssKiB === null) return null
  if (!/^[A-Za-z]$/.test(state)) return null
  return {
    pid,
    ppid,
    start,
    owner,
    state,
    rssKiB,
    cgroup: decoded(cgroup),
    comm: decoded(comm)?.replace(/\n$/, '') ?? null,
    argv: argumentsOf(decoded(argv)),
  }
}

function decoded(word: string): string | null {
  return word === '-' ? null : fromBase64(word)
}

/** A program that writes its title over its arguments leaves NULs behind it. */
function argumentsOf(cmdline: string | null): readonly string[] {
  const words = (cmdline ?? '').split('\0')
  return words.slice(0, words.findLastIndex((word) => word !== '') + 1)
}
