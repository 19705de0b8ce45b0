import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { SECRET_VARIABLES, Variables } from '../../src/config/environment.ts'
import { configSchema, loadConfig } from '../../src/config.ts'

const ROOT = join(import.meta.dirname, '../..')
const example = readFileSync(join(ROOT, 'pilotflame.example.yml'), 'utf8')
const guide = readFileSync(join(ROOT, 'docs/guide/configuration.md'), 'utf8')

/** What the session gives, not the person who configures. */
const SESSION = ['HOME', 'NO_COLOR', 'SSH_AUTH_SOCK']
const ours = Object.keys(Variables.shape)
const withFiles = [...ours, ...SECRET_VARIABLES.map((name) => `${name}_FILE`)]

test('pilotflame.example.yml is fine as it stands', () => {
  const loaded = loadConfig({ file: 'pilotflame.example.yml', env: { HOME: '/home/dana' }, cwd: ROOT })
  expect(loaded.kind === 'problems' ? loaded.text : loaded.kind).toBe('config')
})

test('pilotflame.example.yml and the guide show every key that may be set, and no other', () => {
  const known = new Set(keysOf(configSchema()))
  const shown = [
    ...example.matchAll(/^[ #-]*([a-z][a-z_]*):/gm),
    ...example.matchAll(/\b([a-z]+_env|agent|host_key|known_hosts):/g),
  ]
  expect(new Set(shown.flatMap((hit) => hit[1] ?? []).filter((key) => key !== 'qwen'))).toEqual(known)
  for (const key of known) expect(guide).toContain(`\`${key}\``)
})

test('.env.example names every variable that is read, and no other', () => {
  const text = readFileSync(join(ROOT, '.env.example'), 'utf8')
  const named = [...text.matchAll(/^(?:# )?([A-Z][A-Z0-9_]+)=/gm)].map((hit) => hit[1])
  expect(named.toSorted()).toEqual(withFiles.toSorted())
  for (const name of SESSION) expect(text).toContain(name)
})

test('no source file reads a variable that the schema does not know', () => {
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  )
  const read = files.flatMap((name) => {
    const source = readFileSync(join(ROOT, 'src', name), 'utf8')
    return [...source.matchAll(/\benv(?:\.|\[')([A-Z][A-Z0-9_]*)/g)].map((hit) => hit[1] ?? '')
  })
  expect(read.length).toBeGreaterThan(0)
  expect(read.filter((name) => !withFiles.includes(name) && !SESSION.includes(name))).toEqual([])
})

test('the JSON Schema for editors accepts the keys of the example and says what each is', () => {
  const schema = configSchema()
  expect(schema).toMatchObject({ type: 'object', additionalProperties: false })
  expect(keysOf(schema)).toEqual(expect.arrayContaining(Object.keys(parse(example))))
  expect(JSON.stringify(schema)).toContain('a port from 1 to 65535')
})

/** Every property name in a JSON Schema. */
function keysOf(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([name, value]: [string, unknown]) => {
    const here = name === 'properties' && typeof value === 'object' && value !== null ? Object.keys(value) : []
    return [...here, ...(Array.isArray(value) ? value.flatMap(keysOf) : keysOf(value))]
  })
}
