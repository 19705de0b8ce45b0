import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A Markdown table. The first row is its head; the first column is text, the others are centred. */
export function markdown([head = [], ...rows]: readonly (readonly string[])[]): string {
  const rule = head.map((_, column) => (column === 0 ? '---' : ':-:'))
  return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** Whether the README is to be written anew: `npm run bench -- rivals --write`. */
export function wantsWrite(): boolean {
  return process.argv.includes('--write')
}

const README = join(import.meta.dirname, '../../README.md')

/** Puts a text between the README's two marks of this name. */
export function writeReadme(name: string, text: string): void {
  const readme = readFileSync(README, 'utf8')
  const [open, close] = [`<!-- bench:${name} -->`, `<!-- /bench:${name} -->`]
  const [start, end] = [readme.indexOf(open), readme.indexOf(close)]
  if (start < 0 || end < start) throw new Error(`README.md has no place for ${name}: ${open} … ${close}`)
  writeFileSync(README, `${readme.slice(0, start + open.length)}\n\n${text}\n\n${readme.slice(end)}`)
}
