import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newKey } from '../sshd.ts'

/** A pair as OpenSSH writes it: the public line without a comment, the private key as text. */
export interface KeyPair {
  readonly publicLine: string
  readonly privateKey: string
}

/** `folder` keeps the files; the name must be new in it. */
export async function makeKey(folder: string, name: string): Promise<KeyPair> {
  const path = join(folder, 'keys', name)
  await mkdir(join(folder, 'keys'), { recursive: true })
  return { publicLine: await newKey(path), privateKey: await readFile(path, 'utf8') }
}
