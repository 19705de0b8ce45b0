import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { ConfigFile } from '../../src/config/schema.ts'
import { load, SMALL } from './folder.ts'

const ROOT = join(import.meta.dirname, '../..')
const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const GUIDE = 'docs/guide/configuration.md'

/** The YAML of a page, one after the other: what somebody has who copied all of it. */
const yamlOf = (page: string) =>
  [...textOf(page).matchAll(/^```ya?ml\n([\s\S]*?)^```$/gm)].map(([, yaml]) => yaml).join('')

const pages = ['README.md', ...globSync('docs/**/*.md', { cwd: ROOT })].filter((page) => yamlOf(page) !== '')

test.each(pages)('the YAML of %s loads as it stands', (page) => {
  const loaded = load(yamlOf(page), { QWEN_API_KEY: 'sesame' })
  expect(loaded.kind === 'problems' ? loaded.text : loaded.kind).toBe('config')
})

test('the guide shows every section', () => {
  expect(Object.keys(parse(yamlOf(GUIDE))).toSorted()).toEqual(Object.keys(ConfigFile.shape).toSorted())
})

test.each([GUIDE, 'pilotflame.example.yml'])('%s: a store in memory is one', (page) => {
  const [, value = ''] = /\bstore: (\S*:memory:\S*)/.exec(textOf(page)) ?? []
  expect(load(`${SMALL}store: ${value}\n`)).toMatchObject({ config: { storePath: ':memory:' } })
})
