import { describe, expect, it } from 'vitest'
import {
  contextWithin,
  fractionAbove,
  fractionBelow,
  gib,
  poolAt,
  shareFree,
  shareWith,
  smallestCard,
  smallestFraction,
  weightsPerCard,
  weightsRoom,
} from '../../src/judge/memory.ts'
import { LOADED, logOf } from './fault-log.ts'

const ROOM = { before: 46.82, after: 19.8 }

describe('memory around the weights', () => {
  it('is what SGLang logs; a draft model counts, and other lines do not', () => {
    expect(weightsRoom(logOf('sglang', LOADED))).toEqual({ before: 46.9, after: 30.1 })
    const draft = '[t] Load weight end. type=Draft, avail mem=28.00 GB, mem usage=2.10 GB.'
    expect(weightsRoom(logOf('sglang', [...LOADED, draft]))).toEqual({ before: 46.9, after: 28 })
    expect(weightsRoom(logOf('sglang', LOADED.slice(1)))?.before).toBeCloseTo(46.9, 5)
    expect(weightsRoom(logOf('sglang', ['Load weight begin']))).toBeNull()
  })

  it('bounds the fraction from below', () => {
    expect(smallestFraction(ROOM)).toBeCloseTo(0.577, 3)
    expect(poolAt(0.85, ROOM)).toBeCloseTo(12.78, 2)
    expect(poolAt(0.5, ROOM)).toBeLessThan(0)
  })
})

describe('the next fraction', () => {
  it.each([
    ['a step up', 0.85, ROOM, 0.88],
    ['above what the weights take', 0.5, ROOM, 0.63],
    ['keeps 6 % of the card', 0.93, ROOM, 0.94],
    ['is none at the end', 0.94, ROOM, null],
    ['is none where the weights fill the card', 0.9, { before: 23.6, after: 1.2 }, null],
    ['without numbers of the weights', 0.85, null, 0.88],
    ['without any number', null, null, null],
    ['95 % are most', 0.94, null, 0.95],
  ] as const)('up: %s', (_, now, room, next) => {
    expect(fractionAbove(now, room)).toBe(next)
  })

  it.each([
    ['a step of 5 %', 0.9, null, null, 0.85],
    ['what is missing to 5 GB', 0.95, ROOM, 1, 0.86],
    ['none below the weights', 0.6, ROOM, 1, null],
  ] as const)('down: %s', (_, now, room, free, next) => {
    expect(fractionBelow(now, room, free)).toBe(next)
  })
})

describe("vLLM's share", () => {
  it('is at most what is free', () => {
    expect(shareFree(20.1, 23.6)).toBe(0.84)
    expect(shareFree(1, 23.6)).toBeNull()
  })

  it('grows by what is missing, to 95 % at most', () => {
    expect(shareWith(0.8, 2, 40)).toBe(0.86)
    expect(shareWith(0.9, 5, 24)).toBeNull()
  })
})

it.each([
  [7344, 7168],
  [28_976, 28_928],
  [4096, 4096],
  [1000, 992],
  [3, 16],
])('a context within %i tokens is %i', (stored, context) => {
  expect(contextWithin(stored)).toBe(context)
})

it('the smallest card is that of the tool, else what was told', () => {
  expect(smallestCard(logOf(null, [], { told: ['gpus: 2x48GB', 'ram: 8G'] }))).toBe(48)
  expect(smallestCard(logOf(null, [], { told: ['gpu: RTX 3090 24 GiB, RTX 4090 24GB'] }))).toBe(24)
  expect(smallestCard(logOf(null, []))).toBeNull()
})

it('weights are shared by the cards', () => {
  const absent = { state: 'absent' } as const
  const files = { from: 'units', path: '/m', files: [], config: absent, generationConfig: absent, card: [] } as const
  expect(weightsPerCard(logOf(null, [], { files: { ...files, weightsBytes: 54 * 1024 ** 3 } }), 2)).toBe(27)
  expect(weightsPerCard(logOf(null, [], { files: { ...files, weightsBytes: null } }), 2)).toBeNull()
})

it('amounts are GiB', () => {
  expect([gib('896.00', 'MiB'), gib('2', 'GB'), gib('x', 'GB'), gib('1', undefined)]).toEqual([0.875, 2, null, null])
})
