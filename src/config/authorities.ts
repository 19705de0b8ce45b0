import { X509Certificate } from 'node:crypto'
import { z } from 'zod'
import type { Around } from './hosts.ts'
import { absolute } from './hosts.ts'
import type { Problem } from './problem.ts'
import { readSmallFile } from './read-file.ts'
import type { Blame } from './shape.ts'

export interface Authorities {
  readonly problems: readonly Problem[]
  /** the certificates in PEM that a target names; null where it names none */
  ca(target: string): string | null
}

const Naming = z
  .object({ targets: z.record(z.string(), z.object({ ca: z.string().min(1).optional() }).catch({})).catch({}) })
  .catch({ targets: {} })

/** Reads the PEM files that targets name, so that a wrong one is told at the start and not by a broken connection. */
export function authorities(value: unknown, around: Pick<Around, 'file' | 'home'>, blame: Blame): Authorities {
  const texts = new Map<string, string>()
  const problems = Object.entries(Naming.parse(value).targets).flatMap(([name, { ca }]) => {
    if (ca === undefined) return []
    const read = certificatesIn(absolute(ca, around))
    if (read.ok) texts.set(name, read.pem)
    return read.ok ? [] : [blame(['targets', name, 'ca'], `"${ca.slice(0, 200)}", ${read.found}`, read.next)]
  })
  return { problems, ca: (target) => texts.get(target) ?? null }
}

const LARGEST_PEM = 1024 * 1024
const A_PEM =
  'name a file with -----BEGIN CERTIFICATE----- in it (openssl x509 -in FILE -inform DER -out ca.pem makes one)'

type Certificates =
  | { readonly ok: true; readonly pem: string }
  | { readonly ok: false; readonly found: string; readonly next: string }

function certificatesIn(path: string): Certificates {
  const read = readSmallFile(path, LARGEST_PEM)
  if (read.kind === 'missing') return { ok: false, found: 'where there is no file', next: 'correct the path' }
  if (read.kind === 'unreadable') return { ok: false, found: read.found, next: 'name a file that this user may read' }
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(read.text)) {
    return { ok: false, found: 'in which a private key stands', next: 'name the file of the certificate alone' }
  }
  const blocks = read.text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  const broken = blocks.findIndex((block) => !isCertificate(block))
  if (blocks.length === 0) return { ok: false, found: 'in which no certificate stands', next: A_PEM }
  if (broken !== -1) return { ok: false, found: `whose certificate ${broken + 1} cannot be read`, next: A_PEM }
  return { ok: true, pem: `${blocks.join('\n')}\n` }
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== null
  } catch {
    return false
  }
}
