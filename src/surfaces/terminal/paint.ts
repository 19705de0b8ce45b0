import type { Tone } from '../../domain/report.ts'

/** How emphasis looks: colours on a screen, nothing in a pipe. */
export interface Style {
  tone(tone: Tone, text: string): string
  bold(text: string): string
  dim(text: string): string
}

export function paint(coloured: boolean): Style {
  const wrap = (code: string, text: string): string =>
    coloured && text !== '' ? `\u001b[${code}m${text}\u001b[0m` : text
  return {
    tone: (tone, text) => wrap(COLOURS[tone], text),
    bold: (text) => wrap('1', text),
    dim: (text) => wrap('2', text),
  }
}

export const SYMBOLS: Readonly<Record<Tone, string>> = { good: '✓', bad: '✗', warning: '!', neutral: '•', running: '…' }

const COLOURS: Readonly<Record<Tone, string>> = {
  good: '1;32',
  bad: '1;31',
  warning: '1;33',
  neutral: '1',
  running: '36',
}
