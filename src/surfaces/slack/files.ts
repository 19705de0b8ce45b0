import type { ReportFile } from '../../domain/report.ts'

/** What a file is called by: the title of its text, or where that has no letter, another word. */
export interface Called {
  readonly title: string
  readonly or: string
}

/** The file that holds a text whole; made under a name of its own where none does. */
export function fileFor(text: string, called: Called, files: ReportFile[]): string {
  const there = files.find((file) => file.text.includes(text))
  if (there !== undefined) return there.name
  const name = freeName(baseOf(called), files)
  files.push({ name, text })
  return name
}

function freeName(base: string, files: readonly ReportFile[]): string {
  const taken = new Set(files.map(({ name }) => name))
  let name = `${base}.txt`
  for (let no = 2; taken.has(name); no += 1) name = `${base}-${no}.txt`
  return name
}

/** A title as the name of a file, without an ending. */
function baseOf({ title, or }: Called): string {
  const [words = ''] = title.slice(0, 200).split('(')
  const word = words
    .replace(/[^A-Za-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-|-$/g, '')
  return word === '' ? or : word.toLowerCase()
}
