/** Orders two PEP 440 versions: negative where the first is older. Local parts (`+cu128`) do not count; null where one cannot be read. */
export function compareVersions(one: string, other: string): number | null {
  const a = read(one)
  const b = read(other)
  if (a === null || b === null) return null
  for (let index = 0; index < Math.max(a.release.length, b.release.length); index += 1) {
    const difference = (a.release[index] ?? 0) - (b.release[index] ?? 0)
    if (difference !== 0) return difference
  }
  return a.stage - b.stage || a.pre - b.pre || a.post - b.post || a.dev - b.dev
}

interface Version {
  readonly release: readonly number[]
  /** dev of a release 0 · a 1 · b 2 · rc 3 · the release itself 4 */
  readonly stage: number
  readonly pre: number
  /** -1 without */
  readonly post: number
  /** a development version comes before its version, so without it is the largest */
  readonly dev: number
}

const SHAPE =
  /^\s*v?(?:\d+!)?(\d+(?:\.\d+)*)[-_.]?(?:(a|b|c|rc|alpha|beta|pre|preview)[-_.]?(\d*))?(?:[-_.]?(post|rev|r)[-_.]?(\d*)|-(\d+))?(?:[-_.]?(dev)[-_.]?(\d*))?(?:\+[a-z0-9._-]+)?\s*$/i
const STAGES: Readonly<Record<string, number>> = { a: 1, alpha: 1, b: 2, beta: 2, c: 3, rc: 3, pre: 3, preview: 3 }

function read(text: string): Version | null {
  const [, release, pre, preNumber, post, postNumber, bare, dev, devNumber] = SHAPE.exec(text) ?? []
  if (release === undefined) return null
  const isPost = post !== undefined || bare !== undefined
  const unstaged = dev !== undefined && !isPost ? 0 : 4
  return {
    release: release.split('.').map(Number),
    stage: pre === undefined ? unstaged : (STAGES[pre.toLowerCase()] ?? unstaged),
    pre: Number(preNumber || 0),
    post: isPost ? Number(postNumber || bare || 0) : -1,
    dev: dev === undefined ? Number.MAX_SAFE_INTEGER : Number(devNumber || 0),
  }
}
