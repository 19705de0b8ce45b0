import { afterEach, beforeEach, expect, test } from 'vitest'
import { reacher } from '../../src/app/reach.ts'
import type { Evidence } from '../../src/domain/finding.ts'
import type { SmokeRequest } from '../../src/domain/smoke.ts'
import { lookAround } from '../../src/gather/look.ts'
import { gatherSmoke } from '../../src/gather.ts'
import { diagnose } from '../../src/judge/diagnose.ts'
import { rules } from '../../src/judge/rules/index.ts'
import type { FieldStory } from '../../src/lab/field-story.ts'
import { startFieldStory } from '../../src/lab/field-story.ts'
import { silent } from '../adapters/http-server.ts'
import { never } from '../adapters/tidy.ts'
import type { Verbs } from '../far/verbs-over.ts'
import { verbsOver } from '../far/verbs-over.ts'

let story: FieldStory
let way: Verbs
let house: ReturnType<typeof reacher>

// each test begins with the first failed start
beforeEach(async () => {
  story = await startFieldStory({ tokensPerSecond: 5000, patienceMs: 500 })
  way = verbsOver([story.host])
  house = reacher(way.pool, silent)
})

afterEach(async () => {
  await house.close()
  await way.close()
  await story.close()
})

/** What the product sees of it: one smoke, and a look at its box. */
async function seen(prompt: string, budget: number): Promise<Evidence> {
  const request: SmokeRequest = { prompt, budget, temperature: null, thinking: null, stream: true, model: null }
  const { target } = story
  const { reach } = house
  const evidence = await gatherSmoke({ target, request, signal: never, reach, onPiece() {} })
  const { facts } = await lookAround({
    target,
    host: way.host(story.host.name),
    signal: never,
    answers: evidence.smoke?.exchange?.status != null,
    reach,
    redact: (text) => text,
    after(ms, run) {
      const timer = setTimeout(run, ms)
      return () => clearTimeout(timer)
    },
    onProgress() {},
  })
  return { ...evidence, ...facts }
}

async function judged(prompt: string, budget = 2000) {
  const { verdict, code, findings } = diagnose(await seen(prompt, budget), rules)
  return { verdict, code, findings, because: findings[0].because.join('\n'), todo: findings[0].remedy.join('\n') }
}

/** The team's next deed, and a restart where it waits for one. */
function done(): void {
  expect(story.team.act()).not.toBeNull()
  if (story.team.isDue()) restart()
}

function restart(): void {
  story.gate.byHand(story.target.name, 'restart')
}

const HELLO = 'Say hello in one sentence.'

test('each moment of the field story is named, and what is named leads to the next one', {
  timeout: 60_000,
}, async () => {
  const first = await judged(HELLO)
  expect(first).toMatchObject({ verdict: 'misconfigured', code: 'mem.static-too-small' })
  expect(first.because).toContain('RuntimeError: Not enough memory. Please try to increase --mem-fraction-static.')
  for (const advice of ['--mem-fraction-static 0.88', '--max-running-requests 16', '--mamba-full-memory-ratio 0.5'])
    expect(first.todo).toContain(advice)
  expect(first.findings.map(({ code }) => code)).toEqual(['mem.static-too-small', 'server.unreachable'])

  done()
  const ended = await judged(HELLO, 200)
  expect(ended).toMatchObject({ verdict: 'broken', code: 'model.immediate-eos' })
  expect(ended.because).toContain('SGLang 0.5.9 with --tp-size 2')
  expect(ended.todo).toContain('Upgrade SGLang 0.5.9 to 0.5.11')
  const looped = await judged('What is 2 + 2?')
  expect(looped).toMatchObject({ verdict: 'broken', code: 'model.degenerate-loop' })
  expect(looped.findings.map(({ code }) => code)).toContain('model.tp-comm-suspect')

  done()
  const taken = await judged(HELLO)
  expect(taken).toMatchObject({ verdict: 'misconfigured', code: 'proc.port-taken' })
  expect(taken.because).toContain("[Errno 98] error while attempting to bind on address ('127.0.0.1', 30000)")
  expect(taken.todo).toContain("ss -ltnp 'sport = :30000'")

  done()
  // another attention backend cures no wrong sum
  expect(await judged(HELLO)).toMatchObject({ code: 'model.immediate-eos' })

  done()
  const refused = await judged(HELLO)
  expect(refused).toMatchObject({ verdict: 'misconfigured', code: 'config.spec-mamba' })
  expect(refused.todo).toContain('--mamba-scheduler-strategy extra_buffer')

  done()
  const prime = 'Write a Python is_prime function'
  const empty = await judged(prime, 2000)
  expect(empty).toMatchObject({ verdict: 'request-limit', code: 'budget.reasoning-exhausted' })
  expect(empty.because).toContain('1,996 of 2,000 tokens used, finish "stop"')
  expect(empty.todo).toContain('max_tokens=4000')
  expect([story.team.next(), story.team.isProved()]).toEqual([null, false])
  expect(await judged(prime, 4000)).toMatchObject({ verdict: 'healthy', code: 'ok.answered' })
  expect(story.team.isProved()).toBe(true)
  expect(story.team.act()).toBeNull()
})

test('a restart beside a server that works finds the cards taken, and the old one still answers', async () => {
  done()
  restart()
  const { code, findings } = await judged(HELLO)
  expect(code).toBe('model.immediate-eos')
  const left = findings.find((finding) => finding.code === 'proc.stale-gpu-user')
  expect(left?.because.join('\n')).toContain('torch.OutOfMemoryError: CUDA out of memory')
})

test('without its schedulers the old server listens and answers nobody', async () => {
  done()
  story.team.act()
  expect(await judged(HELLO)).toMatchObject({ verdict: 'inconclusive', code: 'engine.hang' })
})

test('no line of a log is of a time to come', async () => {
  done()
  const { log } = await seen(HELLO, 200)
  const moments = (log?.end ?? []).flatMap((line) => /^\[(\S+ \S+?)(?: TP\d)?\]/.exec(line)?.[1] ?? [])
  expect(moments.length).toBeGreaterThan(5)
  for (const moment of moments) expect(Date.parse(`${moment.replace(' ', 'T')}Z`)).toBeLessThanOrEqual(Date.now())
})
