import { expect } from 'vitest'
import { modelFiles, versions } from '../../src/domain/verbs/index.ts'
import { failureIn, valueIn } from '../adapters/tidy.ts'
import { look, MODEL, show, test } from './furnished.ts'

const HUB = '/home/operator/.cache/huggingface/hub/models--acme--tiny/snapshots/ab12'

test.for([
  ['served', 'argv', MODEL],
  ['hub', 'argv', HUB],
  ['listed', 'units', MODEL],
] as const)('%s: the folder that %s name', async ([alias, from, path], { ways, box }) => {
  const files = valueIn(await ways.same(modelFiles, { unit: alias }))
  expect(files).toMatchObject({ from, path, weightsBytes: 123_456 })
  expect(files.config).toEqual({ state: 'read', value: JSON.parse(await box.disk.read(`${path}/config.json`)) })
  expect(files.generationConfig).toEqual({ state: 'read', value: { temperature: 0.6, top_p: 0.95 } })
  expect(files.card).toEqual(['Use sglang>=0.5.2 to serve it.', 'We recommend Temperature=0.6 and Top_P=0.95.'])
  const listed = (await look(box, `cd ${path} && stat -c '%n %s' *`)).split('\n')
  expect(files.files.map(({ name, bytes }) => `${name} ${bytes}`).toSorted()).toEqual(listed.toSorted())
})

test('a model that is one file', async ({ ways }) => {
  expect(valueIn(await ways.same(modelFiles, { unit: 'gguf' }))).toEqual({
    from: 'argv',
    path: `${MODEL}.gguf`,
    files: [{ name: 'tiny.gguf', bytes: 4 }],
    config: { state: 'absent' },
    generationConfig: { state: 'absent' },
    weightsBytes: null,
    card: [],
  })
})

test('settings that are no settings', async ({ ways, box }) => {
  await box.disk.write(`${HUB}/config.json`, `{"a": "${'x'.repeat(300_000)}"}`)
  await box.disk.write(`${HUB}/generation_config.json`, '{"temperature": NaN,')
  const files = valueIn(await ways.same(modelFiles, { unit: 'hub' }))
  expect(files.config).toEqual({ state: 'broken', said: 'it is larger than 256 KiB' })
  expect(files.generationConfig).toEqual({ state: 'broken', said: 'it is no JSON' })
  await look(box, `chmod 600 ${HUB}/config.json`)
  expect(valueIn(await ways.same(modelFiles, { unit: 'hub' })).config).toEqual({
    state: 'broken',
    said: expect.stringContaining('Permission denied'),
  })
})

test.for([
  ['quiet', 'not-there', 'no process of quiet names one'],
  ['stopped', 'not-there', 'no process of stopped names one'],
  ['nobody', 'no-such-unit', 'nobody'],
] as const)('%s: %s', async ([alias, kind, words], { ways }) => {
  const failure = failureIn(await ways.same(modelFiles, { unit: alias }))
  expect(failure).toMatchObject({ kind, observed: expect.stringContaining(words) })
})

test('a folder that the account may not enter, one that is gone', async ({ ways, box }) => {
  await look(box, `chmod 700 ${MODEL}`)
  expect(failureIn(await ways.same(modelFiles, { unit: 'listed' }))).toMatchObject({
    kind: 'permission',
    observed: expect.stringContaining(MODEL),
  })
  await look(box, `mv ${MODEL} ${MODEL}.away`)
  expect(failureIn(await ways.same(modelFiles, { unit: 'served' }))).toMatchObject({ kind: 'not-there' })
})

test('packages of a unit that is stopped, and of one that runs with the system’s own', async ({ ways, box }) => {
  await look(box, 'systemctl stop venv')
  expect(await show(box, 'venv', 'MainPID')).toBe('0')
  const { packages } = valueIn(await ways.same(versions, { unit: 'venv' }))
  expect(packages.map(({ name }) => name)).toEqual(['flashinfer_python', 'sglang', 'torch'])
  await box.disk.write('/usr/local/lib/python3.11/dist-packages/vllm-0.11.0.dist-info/METADATA', '')
  expect(valueIn(await ways.same(versions, { unit: 'quiet' })).packages).toContainEqual({
    name: 'vllm',
    version: '0.11.0',
  })
})
