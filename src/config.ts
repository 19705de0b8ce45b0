import { resolve } from 'node:path'
import { authorities } from './config/authorities.ts'
import { buildConfig } from './config/build.ts'
import { readDocument } from './config/document.ts'
import type { Env, EnvironmentRead } from './config/environment.ts'
import { readEnvironment } from './config/environment.ts'
import { hostsOf } from './config/hosts.ts'
import { checkKnowledge } from './config/knowledge-check.ts'
import { namedSecrets } from './config/named-secrets.ts'
import type { Problem } from './config/problem.ts'
import { environmentProblem, failureOf } from './config/problem.ts'
import { readSmallFile } from './config/read-file.ts'
import { checkReferences } from './config/references.ts'
import { blamer, shaped } from './config/shape.ts'
import { checkWords } from './config/words.ts'
import type { Config } from './domain/config.ts'
import { sentence } from './domain/failure.ts'

export { adHocConfig, nothingSet } from './config/ad-hoc.ts'
export { configSchema } from './config/schema.ts'

/** none: nothing is set at all, so the console may open. problems: every one of them, and all in words. */
export type Loaded =
  | { readonly kind: 'config'; readonly config: Config; readonly file: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'problems'; readonly problems: readonly Problem[]; readonly text: string }

export interface Sources {
  /** path of the file; null: PILOTFLAME_CONFIG, else ./pilotflame.yml */
  readonly file: string | null
  readonly env: Env
  /** where relative paths of the command line and the environment start */
  readonly cwd: string
}

/** Reads pilotflame.yml and the environment. Whatever is wrong is told at once, each with its place and the way out. */
export function loadConfig(sources: Sources): Loaded {
  const { env, cwd } = sources
  const named = sources.file ?? (env['PILOTFLAME_CONFIG'] || null)
  const file = named ?? DEFAULT_FILE
  const tokens = readEnvironment(env, cwd)
  const read = readSmallFile(resolve(cwd, file), LARGEST_FILE)
  switch (read.kind) {
    case 'missing': {
      const started = named !== null || tokens.tried
      if (!started && tokens.problems.length === 0) return { kind: 'none' }
      return refused([...(started ? [missing(file, named)] : []), ...tokens.problems])
    }
    case 'unreadable':
      return refused([
        whole(file, read.found, `name a file of at most ${LARGEST_FILE / 1024} KiB that this user may read`),
        ...tokens.problems,
      ])
    case 'text':
      return fromText(read.text, file, tokens, sources)
  }
}

const DEFAULT_FILE = 'pilotflame.yml'
const LARGEST_FILE = 256 * 1024

function fromText(text: string, file: string, tokens: EnvironmentRead, { env, cwd }: Sources): Loaded {
  const read = readDocument(text, file)
  if (!read.ok) return refused([...read.problems, ...tokens.problems])
  const blame = blamer(file, read.document)
  const shape = shaped(read.document, blame)
  const secrets = namedSecrets(read.document.value, env, cwd, blame)
  const around = {
    file: resolve(cwd, file),
    home: env['HOME'] ?? '~',
    env,
    slack: tokens.slack,
    prefix: tokens.prefix,
    ...secrets,
  }
  const { ca, problems: unreadable } = authorities(read.document.value, around, blame)
  const hosts = shape.ok ? hostsOf(shape.value, around, blame) : { hosts: [], problems: [] }
  const problems = [
    ...(shape.ok ? [] : shape.problems),
    ...checkReferences(read.document.value, blame),
    ...checkWords(read.document.value, tokens.prefix, blame),
    ...(shape.ok ? checkKnowledge(shape.value.knowledge ?? [], blame) : []),
    ...secrets.problems,
    ...unreadable,
    ...hosts.problems,
    ...tokens.problems,
  ]
  if (!shape.ok || problems.length > 0) return refused(problems)
  const config = buildConfig(shape.value, { ...around, hosts: hosts.hosts, ca })
  return { kind: 'config', config, file: around.file }
}

function refused(problems: readonly Problem[]): Loaded {
  const sorted = problems.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0))
  const shown = sorted.slice(0, MOST_SHOWN).map((problem) => `  ${sentence(failureOf(problem))}`)
  const rest = sorted.length > MOST_SHOWN ? [`  … and ${sorted.length - MOST_SHOWN} more`] : []
  const title =
    sorted.length === 1 ? 'The configuration has a problem:' : `The configuration has ${sorted.length} problems:`
  return { kind: 'problems', problems: sorted, text: [title, ...shown, ...rest].join('\n') }
}

const MOST_SHOWN = 50

function missing(file: string, named: string | null): Problem {
  if (named === null)
    return whole(
      file,
      'Slack tokens in the environment, but no such file',
      'start with: cp pilotflame.example.yml pilotflame.yml',
    )
  return {
    ...environmentProblem(
      '',
      'no such file',
      'correct PILOTFLAME_CONFIG, or: cp pilotflame.example.yml pilotflame.yml',
    ),
    file,
  }
}

function whole(file: string, found: string, next: string): Problem {
  return { file, line: null, column: null, key: '', found, nearest: null, next }
}
