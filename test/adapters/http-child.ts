import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** What a call came to in another process, and how far its memory had grown at the highest. */
export interface Told {
  /** of the failure, or `ok` */
  readonly kind: string
  /** the whole sentence */
  readonly said: string
  readonly ms: number
  readonly grownMb: number
}

export interface Asker {
  /** `json` and `events` are our client, `whole` and `streamed` an engine on top of it, `fetch` is Node's own. */
  ask(way: string, url: string): Promise<Told>
  close(): Promise<void>
}

/** Starts http-hostile-child.ts, which first asks the good server until its memory is that of a bot at work. */
export async function askerInChild(good: string, env: Readonly<Record<string, string>> = {}): Promise<Asker> {
  // V8 lets its nursery grow to 100 MB for any lively program: held small, so that what an answer costs is seen
  const flags = ['--expose-gc', '--max-semi-space-size=8']
  const program = fileURLToPath(new URL('./http-hostile-child.ts', import.meta.url))
  const child = spawn(process.execPath, [...flags, program, good], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async () => {
    const { value, done } = await lines.next()
    if (done === true) throw new Error('the process ended')
    return value
  }
  await next()
  return {
    async ask(way, url) {
      child.stdin.write(`${way} ${url}\n`)
      return JSON.parse(await next())
    },
    close: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve())
        child.kill()
      }),
  }
}
