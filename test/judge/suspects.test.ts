import { describe, expect, it } from 'vitest'
import { suspectOf } from '../../src/judge/suspects.ts'
import { engineOf } from './samples.ts'

describe('the engine of the field story', () => {
  it.each([
    ['as it was', engineOf()],
    ['with a path', engineOf({ loaded: '/srv/models/qwen3_5-27b' })],
    ['one version earlier', engineOf({ version: '0.5.8.post1' })],
    ['with four cards', engineOf({ tensorParallel: 4 })],
  ])('is suspected %s', (_, engine) => {
    const suspect = suspectOf(engine)
    expect(suspect?.because).toContain(`SGLang ${engine.version} with --tp-size ${engine.tensorParallel}`)
    expect(suspect?.remedy).toContain('0.5.11')
  })

  it.each([
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
    expect(suspectOf(engine)).toBeNull()
  })
})
