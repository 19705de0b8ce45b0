import type { Evidence } from '../../domain/finding.ts'
import type { InstalledPackage } from '../../domain/verbs/versions.ts'
import { compareVersions } from '../version.ts'

/** Software that was built for a CUDA which the loaded driver is too old for, in words for its finding; null: none, or not known. */
export function newerCuda({
  installed,
  machine,
}: Evidence): { readonly words: string; readonly because: readonly string[] } | null {
  const driver = machine?.driver ?? installed?.driver ?? null
  const built = (installed?.packages ?? []).flatMap((one) => builtFor(one) ?? [])
  const [newest] = built.toSorted((one, other) => other.major - one.major)
  const least = newest === undefined ? undefined : OLDEST[newest.major]
  if (driver === null || newest === undefined || least === undefined) return null
  if ((compareVersions(driver, least) ?? 0) >= 0) return null
  return {
    words: `: ${newest.name} is built for CUDA ${newest.major}, which wants ${least} or newer, and ${driver} is loaded`,
    because: [`installed: ${newest.name} ${newest.version}`, `loaded: ${driver}`],
  }
}

/**
 * The oldest driver on Linux that runs programs of a CUDA major
 * (docs.nvidia.com/deploy/cuda-compatibility/minor-version-compatibility.html, read 2026-08).
 */
const OLDEST: Readonly<Record<number, string>> = { 12: '525.60.13', 13: '580.65.06' }

interface Built extends InstalledPackage {
  readonly major: number
}

/** `torch 2.9.1+cu130`, `nvidia_cuda_runtime_cu12 12.8.90`, `nvidia_cuda_runtime 13.0.96` */
function builtFor(one: InstalledPackage): Built | null {
  const [, ofTorch] = one.name === 'torch' ? (/\+cu(\d{2})\d$/.exec(one.version) ?? []) : []
  const [, ofRuntime] = /^nvidia_cuda_runtime(?:_cu\d{2})?$/.test(one.name)
    ? (/^(\d{2})\./.exec(one.version) ?? [])
    : []
  const major = ofTorch ?? ofRuntime
  return major === undefined ? null : { ...one, major: Number(major) }
}
