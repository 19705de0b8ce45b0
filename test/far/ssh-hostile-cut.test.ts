import { mkdtemp, readFile, rm } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { relayTo } from '../adapters/ssh-box.ts'
import { kindOf, never } from '../adapters/tidy.ts'
import { random, seedOf } from '../random.ts'
import { test } from './far-test.ts'
import { act, littleGate } from './little-gate.ts'
import { LEAN } from './over-sshd.ts'
import { newOp, verbsOver } from './verbs-over.ts'

const CASES = 100
const AT_ONCE = 5
const LIMITS = { dialMs: 2000, openMs: 2000, firstByteMs: 2000, keepaliveMs: 150, retryMs: 20 }
/** Two tries at most, each to its end by the limit for a login. */
const LONGEST_MS = 8000

type Way = 'down' | 'up'

interface Cut {
  /** what the bytes that are counted do */
  readonly way: Way
  readonly after: number
  readonly how: 'end' | 'reset' | 'silence'
}

/** A relay that cuts each connection after some bytes one way; gives how many passed. */
async function cutting(port: number, cut: Cut) {
  const passed = { down: 0, up: 0 }
  const relay = await relayTo(port, (near, far) => {
    const seen = { down: 0, up: 0 }
    const pass = (way: Way, from: Socket, to: Socket) =>
      from.on('data', (bytes: Buffer) => {
        const left = way === cut.way ? cut.after - seen[way] : Number.POSITIVE_INFINITY
        const part = bytes.subarray(0, Math.max(left, 0))
        seen[way] += part.length
        passed[way] = Math.max(passed[way], seen[way])
        to.write(part)
        if (part.length < bytes.length) ended(cut.how, near, far)
      })
    pass('up', near, far)
    pass('down', far, near)
    far.on('end', () => near.end())
  })
  return { port: relay.port, passed }
}

function ended(how: Cut['how'], near: Socket, far: Socket): void {
  if (how === 'reset') near.resetAndDestroy()
  else if (how === 'end') near.end()
  else for (const socket of [near, far]) socket.removeAllListeners('data').pause()
}

test(`a change whose way is cut after any number of bytes is done once or not, and never called a success unless it was (${CASES} random places)`, async ({
  sshd,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'pilotflame-cut-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const { host } = await sshd([LEAN])
  // a long answer, so that many cuts fall into it
  const script = littleGate(`echo "$2" >>${folder}/done; head -c 6000 /dev/zero | tr '\\0' x`)
  const done = async (op: string) =>
    (await readFile(join(folder, 'done'), 'utf8').catch(() => '')).split('\n').filter((line) => line === op).length
  const once = async (cut: Cut) => {
    const relay = await cutting(host.port, cut)
    const verbs = verbsOver([{ ...host, port: relay.port }], LIMITS, script)
    const op = newOp()
    const began = performance.now()
    const kind = kindOf(await verbs.host(host.name).run(act, {}, { signal: never, op }))
    const ms = performance.now() - began
    await verbs.close()
    return { cut, kind, ms, op, passed: relay.passed }
  }
  const whole = await once({ way: 'down', after: Number.POSITIVE_INFINITY, how: 'end' })
  expect(whole.kind).toBe('ok')

  const seed = seedOf('SEED', 4)
  const { below, pick } = random(seed)
  const cuts = Array.from({ length: CASES }, (): Cut => {
    const way = pick(['down', 'down', 'up'] as const) ?? 'down'
    return { way, after: below(whole.passed[way]), how: pick(['end', 'reset', 'silence'] as const) ?? 'end' }
  })
  const kinds = new Map<string, number>()
  const next = cuts.values()
  const work = async () => {
    for (const cut of next) {
      const { kind, ms, op } = await once(cut)
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
      const times = await done(op)
      const told = { seed, cut, kind, times, ms }
      expect(told, JSON.stringify(told)).toMatchObject({
        kind: expect.stringMatching(/^(?:ok|lost|keepalive|reset|banned|not-ssh|kex|connect-timeout|no-end)$/),
      })
      expect(times, JSON.stringify(told)).toBeLessThanOrEqual(1)
      if (kind === 'ok') expect(times, JSON.stringify(told)).toBe(1)
      expect(ms, JSON.stringify(told)).toBeLessThan(LONGEST_MS)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  expect(kinds.get('lost')).toBeGreaterThan(CASES / 10)
  expect(kinds.get('ok') ?? 0).toBeLessThan(CASES / 5)
}, 60_000)
