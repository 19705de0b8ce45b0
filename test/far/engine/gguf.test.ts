import { expect, test } from 'vitest'
import { writeGguf } from './models/gguf.ts'
import { modelFile, modelNames } from './models/index.ts'

test('writes the bytes of the format', () => {
  const file = writeGguf(new Map([['k', { type: 'u32', value: 7 }]]), [
    { name: 't', dims: [2], data: Float32Array.of(1, -1) },
    { name: 'u', dims: [1, 1], data: Float32Array.of(0.5) },
  ])
  const head = [
    '47475546 03000000 0200000000000000 0100000000000000', // GGUF, version 3, 2 tensors, 1 value
    '0100000000000000 6b 04000000 07000000', // k = u32 7
    '0100000000000000 74 01000000 0200000000000000 00000000 0000000000000000', // t[2], f32, at 0
    '0100000000000000 75 02000000 0100000000000000 0100000000000000 00000000 2000000000000000', // u[1, 1], f32, at 32
  ]
  const body = ['0000803f 000080bf', '0000003f'].map((hex) => padded(hex, 32))
  expect(file.toString('hex')).toBe([padded(head.join(''), 32), ...body].join(''))
})

test.each([
  [{ type: 'i32', value: -1 }, '05000000 ffffffff'],
  [{ type: 'f32', value: 1 }, '06000000 0000803f'],
  [{ type: 'bool', value: true }, '07000000 01'],
  [{ type: 'string', value: 'é' }, '08000000 0200000000000000 c3a9'],
  [{ type: 'strings', value: ['a', ''] }, '09000000 08000000 0200000000000000 0100000000000000 61 0000000000000000'],
  [{ type: 'i32s', value: [-1] }, '09000000 05000000 0100000000000000 ffffffff'],
] as const)('writes %j', (value, hex) => {
  const file = writeGguf(new Map([['k', value]]), [])
  const head = '47475546 03000000 0000000000000000 0100000000000000 0100000000000000 6b'
  expect(file.toString('hex')).toBe(padded(head + hex, 32))
})

test.each(modelNames)('%s is a model of about 4 MB, the same each time', (name) => {
  const file = modelFile(name)
  expect(file.length).toBeGreaterThan(4_000_000)
  expect(file.length).toBeLessThan(4_500_000)
  expect(file.equals(modelFile(name))).toBe(true)
})

/** Hex without spaces, filled with zeros to a multiple of this many bytes. */
function padded(hex: string, bytes: number): string {
  const bare = hex.replaceAll(' ', '')
  return bare.padEnd(Math.ceil(bare.length / 2 / bytes) * bytes * 2, '0')
}
