import { describe, expect, it } from 'vitest'
import type { EngineInfo } from '../../src/domain/engine.ts'
import type { Evidence } from '../../src/domain/finding.ts'
import { suspectOf } from '../../src/judge/suspects.ts'
import { engineOf, evidenceOf } from './samples.ts'

const served = (engine: EngineInfo | undefined): Evidence => ({
  ...evidenceOf({ content: null }),
  ...(engine === undefined ? {} : { engine }),
})

describe('the engine of the field story', () => {
  it.each([
    ['as it was', engineOf()],
    ['with a path', engineOf({ loaded: '/srv/models/qwen3_5-27b' })],
    ['in a later build of it', engineOf({ version: '0.5.9.post1+cu129' })],
    ['with four cards', engineOf({ tensorParallel: 4 })],
  ])('is suspected %s', (_, engine) => {
    const suspect = suspectOf(served(engine))
    expect(suspect?.because).toContain(`SGLang ${engine.version} with --tp-size ${engine.tensorParallel}`)
    expect(suspect?.remedy[0]).toContain('0.5.11')
    expect(suspect?.remedy[1]).toContain('driver 580')
  })

  it.each([
    ['before it knew the model', engineOf({ version: '0.5.8.post1' })],
    ['once mended', engineOf({ version: '0.5.10rc0' })],
    ['upgraded', engineOf({ version: '0.5.11' })],
    ['on one card', engineOf({ tensorParallel: 1 })],
    ['where the cards are not known', engineOf({ tensorParallel: null })],
    ['where the version is not known', engineOf({ version: null })],
    ['with a version that cannot be read', engineOf({ version: 'main' })],
    ['where the model is not known', engineOf({ loaded: null })],
    ['with a mixture of experts', engineOf({ loaded: 'Qwen/Qwen3.6-35B-A3B' })],
    ['with an older model', engineOf({ loaded: 'Qwen/Qwen3-32B' })],
    ['with another engine', engineOf({ kind: 'vllm' })],
    ['unknown', undefined],
  ])('is not suspected %s', (_, engine) => {
    expect(suspectOf(served(engine))).toBeNull()
  })
})

it('a driver that is new enough is not asked for', () => {
  const installed = { packages: [], driver: '580.95.05', os: null, kernel: null }
  expect(suspectOf({ ...served(engineOf()), installed })?.remedy).toHaveLength(1)
  expect(suspectOf({ ...served(engineOf()), installed: { ...installed, driver: '550.54.14' } })?.remedy[1]).toContain(
    '550.54.14 is loaded',
  )
})
