import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { adHocConfig } from '../../src/config/ad-hoc.ts'
import { configSchema } from '../../src/config/schema.ts'
import { ENGINE_KINDS } from '../../src/domain/target.ts'

const ROOT = join(import.meta.dirname, '../..')
const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8')

// what a judgement says for each engine stands in tables over `EngineKind`: a new kind breaks their build
test('beside the engines and the judgement, the kinds are listed in one place', () => {
  const lists = globSync('src/**/*.ts', { cwd: ROOT, exclude: ['src/judge/**'] }).filter(
    (path) => ENGINE_KINDS.filter((kind) => textOf(path).includes(kind)).length > 3,
  )
  expect(lists.toSorted()).toEqual(['src/domain/target.ts', 'src/engines/index.ts'])
})

test('whoever takes an engine takes every kind and nothing else', () => {
  const given = { url: 'http://127.0.0.1:30000', model: null, env: {}, cwd: '/' }
  for (const engine of ENGINE_KINDS) {
    expect(adHocConfig({ ...given, engine })).toMatchObject({ value: { targets: [{ engine }] } })
  }
  expect(adHocConfig({ ...given, engine: 'abacus' })).toMatchObject({
    failure: { next: `use one of ${ENGINE_KINDS.join(', ')}` },
  })
  expect(JSON.stringify(configSchema())).toContain(JSON.stringify({ enum: ENGINE_KINDS }).slice(1, -1))
})

test.for(['docs/guide/configuration.md', 'pilotflame.example.yml'])('%s names every kind', (page) => {
  expect(ENGINE_KINDS.filter((kind) => !textOf(page).includes(kind))).toEqual([])
})
