import { homedir } from 'node:os'
import { basename, join } from 'node:path'
import { messages, packed, plain, soundLog, unroffed } from './read.ts'

/** Texts of one kind: where they lie on a machine, and what a person would have asked for to get one. */
export interface Kind {
  readonly name: string
  readonly nature: Nature
  readonly roots: readonly string[]
  /** which files below the roots, by their whole path */
  readonly files: RegExp
  /** a long file gives at most so many pieces */
  readonly pieces: number
  /** the text in a file; null where it holds none */
  read(bytes: Buffer): string | null
  prompt(path: string): string
}

export type Nature = 'prose' | 'markdown' | 'code' | 'data' | 'requested' | 'log'

const MODULES = join(import.meta.dirname, '../../node_modules')
const DOCS = '/usr/share/doc'
const MANUALS = '/usr/share/man'

/** There are few files of them, and long ones. */
const FEW = /^(?:log|fortunes|style sheet)/

/** Kinds of answers. Where a machine lacks the packages a kind stays empty, and the others give more. */
export const ANSWERS: readonly Kind[] = [
  kind('README', 'markdown', [MODULES], /\.(?:md|markdown)$/i, written('README')),
  kind('JavaScript', 'code', [MODULES], /\.[cm]?js$/, written('JavaScript')),
  kind('TypeScript', 'code', [MODULES], /\.[cm]?tsx?$/, written('TypeScript')),
  kind('JSON', 'data', [MODULES], /\.json$/, written('JSON file')),
  kind('style sheet', 'code', [MODULES, DOCS, '/usr/share/fish'], /\.css$/, written('style sheet')),
  kind('web page', 'code', [MODULES, DOCS], /\.html?$/, written('web page')),
  kind('YAML', 'data', [MODULES, '/usr/lib/python3'], /\.ya?ml$/, written('YAML file')),
  kind('Python', 'code', ['/usr/lib/python3.11', '/usr/lib/python3'], /\.py$/, written('Python module')),
  kind('Perl', 'code', ['/usr/share/perl', '/usr/share/perl5'], /\.p[lm]$/, written('Perl module')),
  kind(
    'licence',
    'prose',
    [MODULES, '/usr/share/common-licenses'],
    /\/(?:LICEN[CS]E[^/]*|[A-Z]+-[\d.]+)$/i,
    written('licence'),
  ),
  kind('copyright form', 'data', [DOCS], /\/copyright$/, written('copyright file')),
  kind('change log', 'prose', [DOCS], /\/changelog[^/]*\.gz$/i, written('change log'), packed),
  kind('manual', 'prose', [MANUALS], /\/man\/man\d\/[^/]+\.gz$/, written('manual page'), unroffed),
  kind('manual, translated', 'prose', [MANUALS], /\/man\/\w+\/man\d\/[^/]+\.gz$/, translated, unroffed),
  kind('messages, translated', 'prose', ['/usr/share/locale'], /\/LC_MESSAGES\/[^/]+\.mo$/, translated, messages),
  kind('fortunes', 'prose', ['/usr/share/games/fortunes'], /\/[a-z-]+$/, () => 'Tell me fortunes, quotes and verses.'),
]

const CASES = join(import.meta.dirname, '../../test/fixtures/logs')

/** Kinds of logs in which no model server fails, the same on every machine with the same packages. */
export const PACKAGED_LOGS: readonly Kind[] = [
  kind('log of a package', 'log', [DOCS], /\.log(?:\.gz)?$/, written('log'), packed),
  kind('log of a sound server', 'log', [CASES], /\.json$/, written('log'), soundLog),
]

/** What this machine wrote itself; somebody who reads them may find that something did fail. */
export const MACHINE_LOGS: readonly Kind[] = [
  kind('log of the machine', 'log', ['/var/log'], /\.log$/, written('log')),
  kind('log of npm', 'log', [join(homedir(), '.npm/_logs')], /\.log$/, written('log')),
]

function kind(
  name: string,
  nature: Nature,
  roots: readonly string[],
  files: RegExp,
  prompt: Kind['prompt'],
  read: Kind['read'] = plain,
): Kind {
  return { name, nature, roots, files, prompt, read, pieces: FEW.test(name) ? 30 : 3 }
}

function written(what: string): Kind['prompt'] {
  return (path) => {
    const tag = /\.(\w{2})(?:[-_]\w+)?\.\w+$/.exec(path)?.[1]
    const language = (what === 'README' || what === 'web page') && tag !== undefined ? ` in ${languageOf(tag)}` : ''
    return `Write the ${what} of ${subjectOf(path)}${language}.`
  }
}

/**
 * Folders are called after their language: /usr/share/man/de/man1, /usr/share/locale/pt_BR/LC_MESSAGES. Many pages are
 * translated in part, so that the prompt asks for no language.
 */
function translated(path: string): string {
  const tag = /\/(?:man|locale)\/([\w@]+)\//.exec(path)?.[1] ?? 'en'
  const letters = /@(?:cyrillic|latin)/.exec(tag)?.[0].slice(1)
  const how = letters === undefined ? '' : ` with ${letters} letters`
  return `Write the texts of ${subjectOf(path)} for ${languageOf(tag)} readers${how}.`
}

function languageOf(tag: string): string {
  const [language = 'en'] = tag.split(/[_@]/)
  return new Intl.DisplayNames(['en'], { type: 'language', fallback: 'code' }).of(language) ?? language
}

/** The last two names of a path: what a file is called, and where it lies. */
function subjectOf(path: string): string {
  return path
    .split('/')
    .slice(-2)
    .map((name) => basename(name).slice(0, 60))
    .join(' in ')
}
