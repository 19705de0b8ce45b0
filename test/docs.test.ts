import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { commands } from '../src/commands/index.ts'
import { smokeJson } from '../src/commands/smoke/json.ts'
import type { EngineInfo } from '../src/domain/engine.ts'
import type { Looked } from '../src/domain/looked.ts'
import { exitStatus, VERDICTS } from '../src/domain/verdict.ts'
import { diagnose } from '../src/judge/diagnose.ts'
import { rules } from '../src/judge/rules/index.ts'
import { evidenceOf } from './judge/samples.ts'

const ROOT = join(import.meta.dirname, '..')
const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const pages = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...globSync('docs/**/*.md', { cwd: ROOT })]

test('every link between our pages leads somewhere', () => {
  const links = pages.flatMap((page) =>
    [...textOf(page).matchAll(/\]\(([^)\s#]+)[^)]*\)/g)].map(([, link = '']) => ({ page, link })),
  )
  const ours = links.filter(({ link }) => !/^https?:/.test(link))
  expect(ours.length).toBeGreaterThan(10)
  expect(ours.filter(({ page, link }) => !existsSync(join(ROOT, dirname(page), link)))).toEqual([])
})

describe('CONTRIBUTING.md', () => {
  const blocks = [...textOf('CONTRIBUTING.md').matchAll(/```ts\n\/\/ (\S+)\n([\s\S]*?)```/g)]
  test('has an example of everything that may be added', () => {
    expect(blocks.map(([, path]) => path)).toEqual([
      'src/commands/stop.ts',
      'src/judge/rules/nan.ts',
      'test/judge/rules/nan.test.ts',
      'src/judge/experiments/other-target.ts',
      'src/domain/verbs/pci.ts',
      'src/engines/vllm.ts',
    ])
  })

  test.each(blocks.map(([, path = '', shown]) => ({ path, shown })))('shows $path as it is', ({ path, shown }) => {
    expect(shown).toBe(textOf(path))
  })
})

describe('README.md', () => {
  const readme = textOf('README.md')
  const block = (language: string) => new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(readme)?.[1] ?? ''

  test('its two commands come first', () => {
    expect(
      block('sh')
        .split('\n')
        .map((line) => line.replace(/ *#.*/, '')),
    ).toEqual(['npm ci && npm start', 'npm ci && npm test', ''])
  })

  test('its configuration is a part of the example', () => {
    const example = textOf('pilotflame.example.yml').split('\n')
    const lines = block('yaml').split('\n')
    expect(lines.length).toBeGreaterThan(10)
    expect(lines.filter((line) => !example.includes(line))).toEqual([])
  })

  test('its list of commands is complete, and names no other one', () => {
    const rows = [...(/\| command \|.*\n((?:\|.*\n)+)/.exec(readme)?.[1] ?? '').matchAll(/^\| (`.*?) \|/gm)]
    const named = rows.flatMap(([, cell = '']) => [...cell.matchAll(/`([a-z]+(?: [a-z]+)?)/g)].map(([, name]) => name))
    const words = commands.map(({ word, verb }) => (verb === null ? word : `${word} ${verb}`))
    expect(named.toSorted()).toEqual(words.toSorted())
  })

  test('its JSON has the fields that --json prints', () => {
    const evidence = { ...evidenceOf({ content: null }), engine }
    const printed: unknown = JSON.parse(JSON.stringify(smokeJson(evidence, diagnose(evidence, rules), LOOKED)))
    const shown: unknown = JSON.parse(block('json'))
    expect(shapeOf(shown)).toEqual(shapeOf(printed))
    expect(fields(shown, 'findings')).toEqual(fields(printed, 'findings'))
    expect(fields(shown, 'looked', 'missing')).toEqual(['what', 'why'])
  })

  test('gives every verdict its exit status, and so does the guide', () => {
    for (const status of [0, 1, 3]) {
      const row = readme.split('\n').find((line) => line.startsWith(`| ${status} |`)) ?? ''
      const named = VERDICTS.filter((verdict) => new RegExp(`(?<![\\w-])${verdict}(?![\\w-])`).test(row))
      const due = VERDICTS.filter((verdict) => exitStatus(verdict) === status && verdict !== 'ok-normalized')
      expect(named).toEqual(due)
    }
    const rows = [...textOf('docs/guide/smoke.md').matchAll(/^\| ([a-z-]+) \| (\d) \|/gm)]
    expect(rows.map(([, verdict, status]) => [verdict, Number(status)]).toSorted()).toEqual(
      VERDICTS.map((verdict) => [verdict, exitStatus(verdict)]).toSorted(),
    )
  })
})

const LOOKED: Looked = { seen: [], missing: [{ what: ['log'], why: 'no host' }] }

const engine: EngineInfo = {
  kind: 'sglang',
  version: null,
  models: [],
  loaded: null,
  context: null,
  reasoningParser: null,
  tensorParallel: null,
}

/** Names of fields, one level into objects; what a list or a value holds is not looked at. */
function shapeOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).map(([name, field]) => [name, keys(field)])
    : []
}

/** Names of the fields of the first thing in a list. */
function fields(value: unknown, ...path: readonly string[]): readonly string[] {
  const list = path.reduce<unknown>(
    (found, name) => (typeof found === 'object' && found !== null ? Reflect.get(found, name) : null),
    value,
  )
  return keys(Array.isArray(list) ? list[0] : null)
}

function keys(field: unknown): readonly string[] {
  return typeof field === 'object' && field !== null && !Array.isArray(field) ? Object.keys(field) : []
}
