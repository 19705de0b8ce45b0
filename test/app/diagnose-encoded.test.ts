import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { diagnose } from '../../src/app/diagnose.ts'

const LOG = 'RuntimeError: Not enough memory. Please try to increase --mem-fraction-static.\r\n'

function bigEndian(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16()
}

async function told(bytes: Buffer, size = bytes.length): Promise<{ status: number; out: string; err: string }> {
  const said = { out: '', err: '' }
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  )
  const screen = (name: 'out' | 'err') => ({ write: (text: string) => (said[name] += text) })
  const status = await diagnose([], Readable.from(pieces), screen('out'), screen('err'))
  return { status, ...said }
}

test.each([
  ['UTF-8', Buffer.from(LOG)],
  ['UTF-16 with its mark', Buffer.from(`\uFEFF${LOG}`, 'utf16le')],
  ['UTF-16 without', Buffer.from(LOG, 'utf16le')],
  ['UTF-16, the other way round', bigEndian(`\uFEFF${LOG}`)],
])('a log in %s is read', async (_, bytes) => {
  for (const size of [bytes.length, 7]) {
    const { status, out, err } = await told(bytes, size)
    expect({ status, err }).toEqual({ status: 1, err: '' })
    expect(out).toContain('mem.static-too-small')
  }
})

test.each([
  ['what is compressed', gzipSync(LOG), 'is compressed; unpack it before: zcat FILE'],
  ['a program', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 0, 0, 3, 0, 0, 0, 9]), 'is no text'],
])('%s is said to be so, in one line', async (_, bytes, words) => {
  const { status, out, err } = await told(bytes)
  expect({ status, out }).toEqual({ status: 2, out: '' })
  expect(err).toContain(words)
  expect(err.trim().split('\n')).toHaveLength(1)
})
