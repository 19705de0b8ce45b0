import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { brokenRules } from './architecture/house-rules.ts'
import { forbidden } from './architecture/import-rules.ts'
import { importsOf } from './architecture/source.ts'

const SRC = fileURLToPath(new URL('../src/', import.meta.url))
const files = globSync('**/*.ts', { cwd: SRC }).map((file) => file.replaceAll('\\', '/'))
const sourceOf = (file: string) => readFileSync(`${SRC}${file}`, 'utf8')

/** A list or a table of what is known. The families are reached by family-of.ts. */
const KNOWLEDGE = /^export const \w+: (?:readonly (?!Family\b)[A-Z]\w*\[\]|ReadonlyMap<)/m

interface OpenSet {
  readonly folder: string
  readonly members: RegExp
  /** the file that lists them; absent: index.ts */
  readonly list?: string
}

/** Folders in which a new file is a new thing. `members`: how a file shows that it is one, and no part of another. */
const OPEN_SETS: readonly OpenSet[] = [
  { folder: 'domain/verbs', members: /: (?:Follow)?Verb</ },
  { folder: 'commands', members: /\bdefineCommand\(/ },
  { folder: 'engines', members: /:\s*Engine = / },
  { folder: 'judge/rules', members: /:\s*Rule = / },
  { folder: 'judge/experiments', members: /:\s*Experiment = / },
  // what is known is asked through the index, and looked over by the review
  { folder: 'knowledge', members: KNOWLEDGE },
  { folder: 'knowledge', members: KNOWLEDGE, list: 'review.ts' },
  { folder: 'lab/slack/methods', members: /:\s*(?:Readonly<)?Record<string, Method>/ },
]

test('every file imports only what its layer may', () => {
  expect(files.length).toBeGreaterThan(50)
  expect(files.flatMap((file) => wrongImports(file, sourceOf(file)))).toEqual([])
})

test('every file keeps the rules of the house', () => {
  expect(files.flatMap((file) => wrongLines(file, sourceOf(file)))).toEqual([])
})

describe('the index of an open set lists every file in it', () => {
  test.each(OPEN_SETS)('$folder', ({ folder, members, list = 'index.ts' }) => {
    const listed = importsOf(sourceOf(`${folder}/${list}`)).map(({ from }) => from.replace('./', ''))
    const there = globSync('*.ts', { cwd: `${SRC}${folder}` }).filter((file) => file !== 'index.ts')
    const made = there.filter((file) => members.test(sourceOf(`${folder}/${file}`)))
    expect(made.length).toBeGreaterThan(1)
    expect(made.filter((file) => !listed.includes(file))).toEqual([])
  })
})

const IMPORTS: readonly (readonly [file: string, line: string, says: RegExp | null])[] = [
  ['domain/a.ts', `import { readFile } from 'node:fs/promises'`, /domain may not use Node's modules/],
  ['domain/a.ts', `import type { Rule } from '../judge/rules/nan.ts'`, /domain may not know judge/],
  ['domain/a.ts', `import type { Code } from './code.ts'`, null],
  ['judge/rules/a.ts', `import { z } from 'zod'`, /judge may import no package/],
  ['judge/rules/a.ts', `import {\n  a,\n  b,\n} from '../../engines/openai.ts'`, /judge may not know engines/],
  ['judge/rules/a.ts', `import { answer } from '../answer.ts'`, null],
  ['judge/a.ts', `import { knownBad } from '../knowledge/index.ts'`, null],
  ['knowledge/a.ts', `import { isWithin } from '../judge/specifier.ts'`, null],
  ['knowledge/a.ts', `import { z } from 'zod'`, /knowledge may import no package/],
  ['knowledge/a.ts', `import { sglang } from '../engines/sglang.ts'`, /knowledge may not know engines/],
  ['engines/a.ts', `import { fetch } from 'undici'`, /only .*http.* may/],
  ['engines/a.ts', `import { z } from 'zod'`, null],
  ['commands/a.ts', `export * from '../adapters/ssh.ts'`, /commands may not know adapters/],
  ['commands/a.ts', `const ssh = await import('../adapters/ssh.ts')`, /commands may not know adapters/],
  ['commands/a.ts', `import { smoke } from '../gather.ts'`, null],
  ['adapters/store-a.ts', `import ssh2 from 'ssh2'`, /only .*ssh.* may/],
  ['adapters/http.ts', `import { sshPool } from './ssh.ts'`, /another library/],
  ['adapters/http.ts', `import { cut } from './transcript.ts'`, null],
  ['adapters/store-a.ts', `import { DatabaseSync } from 'node:sqlite'`, null],
  ['config/a.ts', `import { DatabaseSync } from 'node:sqlite'`, /only .*store.* may/],
  ['surfaces/terminal/a.ts', `import type { App } from '@slack/bolt'`, /only .*slack.* may/],
  ['surfaces/terminal/a.ts', `import { render } from '../slack/render.ts'`, /a surface may not know another/],
  ['dispatch.ts', `import { commands } from './commands/index.ts'`, /dispatch may not know commands/],
  ['app/start.ts', `import { startBox } from '../lab/box.ts'`, /app may not know lab/],
  ['app/start.ts', `import { startDemo } from '../demo.ts'`, /on first use only/],
  ['app/start.ts', `const { startDemo } = await import('../demo.ts')`, null],
  ['demo.ts', `import { startBox } from './lab/box.ts'`, null],
  ['lab/a.ts', `import { WebSocketServer } from 'ws'`, /only .*lab.*slack.* may/],
  ['helpers/a.ts', `import { a } from './b.ts'`, /helpers is no layer/],
  ['main.ts', `import 'left-pad'`, /main may import no package/],
]

const LINES: readonly (readonly [source: string, rule: RegExp | null])[] = [
  ['export default 1', /1: no default export/],
  ['\nenum Kind { a }', /2: no enum/],
  ['export class Store {}', /no class/],
  ['const a = b as string', /no cast but/],
  ['const a = b as { c: 1 }', /no cast but/],
  ['const a = b!.c', /no non-null/],
  ['function f(a: any) {}', /no any/],
  ['  if (a) {\n    return 1\n  } else {', /no else after return/],
  [`import { type A } from './a.ts'`, /apart/],
  ['a\n'.repeat(301), /301: no file over 300 lines/],
  ['const a = [1] as const', null],
  [`import * as all from './a.ts'`, null],
  [`import {\n  a as b,\n} from './a.ts'`, null],
  ['// as Store, any class', null],
  [`const a = 'such as Store'`, null],
  ['const a: number = b !== c ? 1 : 2', null],
  ['a\n'.repeat(300), null],
]

describe('the rules can fail', () => {
  test.each(IMPORTS)('%s: %s', (file, line, says) => {
    const wrong = wrongImports(file, line)
    if (says === null) expect(wrong).toEqual([])
    else expect(wrong).toEqual([expect.stringMatching(says)])
  })

  test.each(LINES.map(([source, rule]) => ({ shown: source.slice(0, 60), source, rule })))(
    '$shown',
    ({ source, rule }) => {
      const wrong = brokenRules(source)
      if (rule === null) expect(wrong).toEqual([])
      else expect(wrong).toEqual([expect.stringMatching(rule)])
    },
  )
})

function wrongImports(file: string, source: string): readonly string[] {
  return importsOf(source).flatMap((wanted) => {
    const why = forbidden(file, wanted)
    return why === null ? [] : [`src/${file} imports ${wanted.from}: ${why}`]
  })
}

function wrongLines(file: string, source: string): readonly string[] {
  return brokenRules(source).map((rule) => `src/${file}:${rule}`)
}
