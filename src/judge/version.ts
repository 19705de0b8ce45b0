/** Orders two PEP 440 versions: negative where the first is older. Local parts (`+cu128`) do not count; null where one cannot be read. */
export function compareVersions(one: string, other: string): number | null {
  const a = readVersion(one)
  const b = readVersion(other)
  return a === null || b === null ? null : order(a, b)
}

/** A version of PEP 440, without its local part. */
export interface Version {
  readonly epoch: number
  readonly release: readonly number[]
  /** dev of a release 0 · a 1 · b 2 · rc 3 · the release itself 4 */
  readonly stage: number
  readonly pre: number
  /** -1 without */
  readonly post: number
  /** a development version comes before its version, so without it is the largest */
  readonly dev: number
}

/** Negative where the first is older. */
export function order(a: Version, b: Version): number {
  return (
    a.epoch - b.epoch ||
    orderReleases(a.release, b.release) ||
    a.stage - b.stage ||
    a.pre - b.pre ||
    a.post - b.post ||
    a.dev - b.dev
  )
}

/** Missing places are zeros: 0.5 is 0.5.0. */
function orderReleases(one: readonly number[], other: readonly number[]): number {
  for (let index = 0; index < Math.max(one.length, other.length); index += 1) {
    const difference = (one[index] ?? 0) - (other[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** Whether it comes before the release that it is named after. */
export function isPreRelease({ stage, dev }: Version): boolean {
  return stage < RELEASED || dev !== UNDEVELOPED
}

const RELEASED = 4
const UNDEVELOPED = Number.MAX_SAFE_INTEGER

const SHAPE =
  /^\s*v?(?:(\d+)[!])?(\d+(?:\.\d+)*)[-_.]?(?:(a|b|c|rc|alpha|beta|pre|preview)[-_.]?(\d*))?(?:[-_.]?(post|rev|r)[-_.]?(\d*)|-(\d+))?(?:[-_.]?(dev)[-_.]?(\d*))?(?:\+[a-z0-9._-]+)?\s*$/i
const STAGES: Readonly<Record<string, number>> = { a: 1, alpha: 1, b: 2, beta: 2, c: 3, rc: 3, pre: 3, preview: 3 }

/** Null where it is no version: `main`, `b9333`. */
export function readVersion(text: string): Version | null {
  const [, epoch, release, pre, preNumber, post, postNumber, bare, dev, devNumber] = SHAPE.exec(text) ?? []
  if (release === undefined) return null
  const isPost = post !== undefined || bare !== undefined
  const unstaged = dev !== undefined && !isPost ? 0 : RELEASED
  return {
    epoch: Number(epoch ?? 0),
    release: release.split('.').map(Number),
    stage: pre === undefined ? unstaged : (STAGES[pre.toLowerCase()] ?? unstaged),
    pre: Number(preNumber || 0),
    post: isPost ? Number(postNumber || bare || 0) : -1,
    dev: dev === undefined ? UNDEVELOPED : Number(devNumber || 0),
  }
}
