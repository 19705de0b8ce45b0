import { excerpt } from '../../domain/excerpt.ts'
import { linesOf } from '../../domain/remote/text.ts'
import type { RemoteRun } from '../../domain/remote.ts'
import { shapeOf } from './shape.ts'

/** Standard output, read: what the command said, and what others had printed into it. */
export interface Output {
  /** the command's own lines, without colours and carriage returns */
  readonly lines: readonly string[]
  /** lines of login scripts before or between them */
  readonly noise: readonly string[]
  /** how many rows of data; null where the command prints no rows */
  readonly rows: number | null
}

/** The same for machines: `contains` is what the command said; of a unit's status the state alone. */
export function parsedOf(run: RemoteRun): { readonly rows: number | null; readonly contains: string } {
  const { lines, rows } = readOutput(run)
  const text = lines.join('\n')
  const state = /\bsystemctl\b.*\bstatus\b/.test(run.command ?? '') ? STATE.exec(text)?.[0] : undefined
  return { rows, contains: excerpt(state?.trim() ?? text, LONGEST) }
}

const STATE = /^\s*Active: \S+(?: \([^)\n]*\))?/m
/** in characters */
const LONGEST = 4096

export function readOutput({ command, stdout }: RemoteRun): Output {
  const lines = linesOf(stdout)
  const shape = shapeOf(command ?? '')
  if (shape === null) return { ...apart(lines, greeting(lines, command ?? '')), rows: null }
  const first = lines.findIndex((line) => shape.isRow(line))
  // not one line as it should be: the tool said something else, or it is another tool
  if (first === -1) return { lines, noise: [], rows: shape.opens ? null : 0 }
  if (shape.opens) {
    const rest = lines.slice(first)
    return { lines: rest, noise: lines.slice(0, first).filter(isForeign), rows: shape.headed ? rest.length - 1 : null }
  }
  const rows = lines.filter((line) => shape.isRow(line))
  const noise = lines.filter((line) => !shape.isRow(line) && isForeign(line))
  return { lines: lines.filter((line) => !noise.includes(line)), noise, rows: rows.length - (shape.headed ? 1 : 0) }
}

function apart(lines: readonly string[], noise: readonly string[]): Pick<Output, 'lines' | 'noise'> {
  return { lines: lines.slice(noise.length), noise }
}

/** The tools' own remarks stand among the rows as well. */
function isForeign(line: string): boolean {
  return !/NVIDIA|NVML|\bGPU ?[\dA-Fa-f]+:|device handle|No devices|^(?:Warning|Hint): |^-- |^LEGEND/.test(line)
}

/** What login scripts are known to say, at the head of output that may be anything. */
function greeting(lines: readonly string[], command: string): readonly string[] {
  if (/\b(?:echo|printf|motd)\b|(?:rc|profile)\b/.test(command)) return []
  const end = lines.findIndex((line) => !GREETING.test(line))
  return lines.slice(0, end === -1 ? lines.length - 1 : end)
}

const GREETING =
  /^(?:welcome to \S|last (?:failed )?login: |you have (?:new |unread )?mail|no mail\.|\s*\* (?:documentation|management|support):|system information \w+ of|\d+ updates? can be |.*\*\*\* system restart required|agent pid \d+$|now using node |\S* ?update available)|\.(?:bash|zsh|k|c)shrc\b|\.bashrc\b|\.(?:bash_)?profile\b/i
