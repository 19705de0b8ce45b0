import type { Fact, Origin } from '../domain/knowledge.ts'
import { capital } from '../domain/report.ts'
import type { EngineKind } from '../domain/target.ts'
import { platformOf } from '../knowledge/index.ts'
import { titleOf } from './engine-names.ts'
import type { Served } from './served.ts'
import { compareVersions } from './version.ts'

/** What serves, in the words of its makers: `SGLang 0.5.9 with --tp-size 2 and Qwen/Qwen3.6-27B`. */
export function inWords({ engine, version, versionFrom, tensorParallel, model }: Served): string {
  const shared = tensorParallel !== null && tensorParallel > 1 ? [`--tp-size ${tensorParallel}`] : []
  const parts = [...shared, ...(model === null ? [] : [model])]
  const what = `${titleOf(engine)} ${version ?? '(version not known)'}${versionFrom === 'installed' ? ' (installed)' : ''}`
  return parts.length === 0 ? what : `${what} with ${parts.join(' and ')}`
}

/** `SGLang 0.5.9 with --tp-size 2 and Qwen3.6-27B: this version skips an all-reduce …` */
export function becauseOf(fact: Fact, served: Served): string {
  return `${inWords(served)}: ${fact.cause}`
}

/** Where a fact stands, and since when we know it. */
export function sourceOf({ source, date }: Origin): string {
  return `source: ${source} (${date})`
}

/** What to do about a known fault: the upgrade, what it asks of the driver, and what helps besides. Never empty. */
export function remedyOf(fact: Fact, served: Served, driver: string | null): readonly string[] {
  const { engine, fixed, fix } = fact
  const title = titleOf(engine)
  if (fixed === null) return [`${capital(fix ?? `take a version of ${title} outside ${fact.versions}`)}.`]
  const more = fix === null ? '' : `; ${fix}`
  const upgrade = `Upgrade ${title} ${served.version ?? ''} to ${fixed} or newer, then repeat this prompt${more}.`
  return [upgrade, ...driverFor(engine, served.version, fixed, driver)]
}

/** What the newer build asks of the driver, where that is more than the running one does. */
function driverFor(engine: EngineKind, from: string | null, to: string, driver: string | null): readonly string[] {
  const wanted = platformOf(engine, to)
  const now = from === null ? null : platformOf(engine, from)
  if (wanted === null || now?.driver === wanted.driver) return []
  if (driver !== null && (compareVersions(driver, wanted.driver) ?? -1) >= 0) return []
  const there = driver === null ? 'nvidia-smi shows yours' : `${driver} is loaded`
  return [
    `Before that look at the NVIDIA driver: the default build of ${titleOf(engine)} ${to} is for CUDA ${wanted.cuda} and wants driver ${wanted.driver} or newer (${there}); else take a build for the older CUDA (image ending in -cu129).`,
  ]
}
