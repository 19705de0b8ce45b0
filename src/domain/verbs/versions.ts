import { sectionOf } from '../gate.ts'
import { ok } from '../outcome.ts'
import type { Verb } from '../verb.ts'
import { keyValues, linesOf, READ_DEADLINE_MS, readSection, textOrNull } from './reading.ts'
import type { UnitArgs } from './unit.ts'

/** What is installed for a unit. What runs may be older: the server's own word counts for that. */
export const versions: Verb<UnitArgs, Versions> = {
  name: 'versions',
  access: 'read',
  deadlineMs: READ_DEADLINE_MS,
  words: (args) => [args.unit],
  parse: (reply) =>
    readSection(reply, 'packages', (section) => {
      const os = keyValues(sectionOf(reply, 'os'))
      return ok({
        packages: linesOf(section).flatMap((line) => readPackage(line) ?? []),
        driver: driverOf(sectionOf(reply, 'driver')?.text ?? ''),
        os: textOrNull(os.get('PRETTY_NAME')),
        kernel: textOrNull(os.get('kernel')),
      })
    }),
}

export interface Versions {
  readonly packages: readonly InstalledPackage[]
  /** of the NVIDIA driver that is loaded: `580.95.05` */
  readonly driver: string | null
  readonly os: string | null
  readonly kernel: string | null
}

export interface InstalledPackage {
  /** with underscores, as in `flashinfer_python` */
  readonly name: string
  /** by PEP 440 */
  readonly version: string
}

/** Reads `sglang-0.5.9.dist-info`. */
function readPackage(line: string): InstalledPackage | null {
  const [, name, version] = /^([A-Za-z0-9_.]{1,80})-(\d[A-Za-z0-9_.+!]{0,80})\.dist-info$/.exec(line.trim()) ?? []
  return name === undefined || version === undefined ? null : { name, version }
}

/** `NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.95.05  Release Build …` */
function driverOf(text: string): string | null {
  return (
    /\bKernel Module\b[^\d\n]{0,20}(?:x86_64|aarch64)?\s{1,9}(\d{3}\.\d{1,3}(?:\.\d{1,3})?)\b/.exec(text)?.[1] ?? null
  )
}
