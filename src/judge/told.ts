import type { Evidence } from '../domain/finding.ts'
import { quoted } from './answer.ts'

/** The first line of what was told that a pattern takes; null where there is none. */
export function toldLine({ told = [] }: Pick<Evidence, 'told'>, pattern: RegExp): string | null {
  return told.find((line) => pattern.test(line)) ?? null
}

/** `told: nvidia_smi “GPU0 44012MiB used by PID 4242”`, for `because`, of a line `name: value`. */
export function quotedTold(line: string): string {
  const cut = line.indexOf(': ')
  return cut < 0
    ? `told: ${quoted(line, LONGEST)}`
    : `told: ${line.slice(0, cut)} ${quoted(line.slice(cut + 2), LONGEST)}`
}

const LONGEST = 200
