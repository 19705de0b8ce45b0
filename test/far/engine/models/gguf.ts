/** One metadata value of a GGUF file, with the type that the format wants beside it. */
export type GgufValue =
  | { readonly type: 'u32' | 'i32' | 'f32'; readonly value: number }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'strings'; readonly value: readonly string[] }
  | { readonly type: 'i32s'; readonly value: readonly number[] }

/** A tensor of 32-bit floats. `dims` is [row length, rows], or [length]. */
export interface GgufTensor {
  readonly name: string
  readonly dims: readonly number[]
  readonly data: Float32Array
}

/** Writes a GGUF file, version 3, little endian: header, metadata, tensor table, tensor data (docs/gguf.md of ggml). */
export function writeGguf(metadata: ReadonlyMap<string, GgufValue>, tensors: readonly GgufTensor[]): Buffer {
  const head = [Buffer.from('GGUF'), u32(3), u64(tensors.length), u64(metadata.size)]
  for (const [key, value] of metadata) head.push(text(key), typed(value))
  let offset = 0
  for (const { name, dims, data } of tensors) {
    head.push(text(name), u32(dims.length), ...dims.map(u64), u32(F32), u64(offset))
    offset += padded(data.byteLength)
  }
  const body = tensors.flatMap(({ data }) => {
    const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
    return [bytes, Buffer.alloc(padded(bytes.length) - bytes.length)]
  })
  const start = Buffer.concat(head)
  return Buffer.concat([start, Buffer.alloc(padded(start.length) - start.length), ...body])
}

const ALIGNMENT = 32
const F32 = 0

function padded(length: number): number {
  return Math.ceil(length / ALIGNMENT) * ALIGNMENT
}

/** The type's number, then the value. */
function typed(item: GgufValue): Buffer {
  switch (item.type) {
    case 'u32':
      return Buffer.concat([u32(4), u32(item.value)])
    case 'i32':
      return Buffer.concat([u32(5), i32(item.value)])
    case 'f32':
      return Buffer.concat([u32(6), f32(item.value)])
    case 'bool':
      return Buffer.concat([u32(7), Buffer.of(item.value ? 1 : 0)])
    case 'string':
      return Buffer.concat([u32(8), text(item.value)])
    case 'strings':
      return Buffer.concat([u32(9), u32(8), u64(item.value.length), ...item.value.map(text)])
    case 'i32s':
      return Buffer.concat([u32(9), u32(5), u64(item.value.length), ...item.value.map(i32)])
  }
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([u64(bytes.length), bytes])
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function i32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32LE(value)
  return bytes
}

function f32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeFloatLE(value)
  return bytes
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}
