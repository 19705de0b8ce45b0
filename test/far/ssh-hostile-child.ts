/**
 * A process of its own that goes to hostile hosts, and tells how far its memory grew: `node --expose-gc ssh-hostile-child.ts`.
 * The first line of its standard input names a good host: it is asked until the memory is that of a bot at work. Each further
 * line is an `Errand`, answered with one line of JSON, a `Homecoming`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Failure } from '../../src/domain/failure.ts'
import { sentence } from '../../src/domain/failure.ts'
import type { HostSettings } from '../../src/domain/target.ts'
import { follow } from '../../src/domain/verbs/index.ts'
import { littleGate, look } from './little-gate.ts'
import { verbsOver } from './verbs-over.ts'

/** What to do with a host: ask it, follow its log, or open a way to this port. */
export interface Errand {
  readonly host: HostSettings
  readonly way: 'ask' | 'follow' | number
  /** what the gate runs */
  readonly act: string
  readonly limits: Readonly<Record<string, number>>
}

export interface Homecoming {
  readonly kind: string
  readonly said: string
  readonly ms: number
  /** beyond the memory of a bot at work, at its highest */
  readonly grownMb: number
}

const MB = 1024 * 1024
/**
 * Bytes that come fast lie about for a while until they are collected: some 80 MB of them, whether 40 MB or 200 MB come.
 * Lines are in it too, as in a bot at work: they make V8's young generation grow to its full size, once.
 */
const WARM = ['head -c 40000000 /dev/zero | tr "\\0" x', `yes ${'word '.repeat(8)} | head -c 40000000`]
const never = new AbortController().signal
let atWork = 0

for await (const line of createInterface({ input: process.stdin })) {
  const errand = readErrand(line)
  if (atWork === 0) {
    for (const act of [...WARM, ...WARM]) {
      await run({ ...errand, way: 'ask', act })
      await run({ ...errand, way: 'follow', act })
    }
    globalThis.gc?.()
    atWork = process.memoryUsage().rss
  }
  globalThis.gc?.()
  // the high-water mark begins anew
  writeFileSync('/proc/self/clear_refs', '5')
  const began = performance.now()
  const failure = await run(errand)
  const ms = Math.round(performance.now() - began)
  const grownMb = Math.round((highWater() - atWork) / MB)
  const home: Homecoming = { kind: failure?.kind ?? 'ok', said: failure === null ? '' : sentence(failure), ms, grownMb }
  console.log(JSON.stringify(home))
}

async function run({ host, way, act, limits }: Errand): Promise<Failure | null> {
  const verbs = verbsOver([host], limits, littleGate(act, way === 'follow' ? 'log' : 'said'))
  try {
    const outcome = await go()
    return outcome.ok ? null : outcome.failure
  } finally {
    await verbs.close()
  }

  function go() {
    if (way === 'ask') return verbs.host(host.name).run(look, {}, { signal: never })
    if (way === 'follow') return verbs.host(host.name).follow(follow, { unit: 'x', seconds: 20 }, () => {}, never)
    return verbs.pool.dial(host.name, '127.0.0.1', way, never)
  }
}

function readErrand(line: string): Errand {
  return JSON.parse(line)
}

function highWater(): number {
  const [, kib = ''] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  return Number(kib) * 1024
}
