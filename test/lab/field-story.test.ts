import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Code } from '../../src/domain/code.ts'
import type { SmokeRequest } from '../../src/domain/smoke.ts'
import type { Verdict } from '../../src/domain/verdict.ts'
import { diagnose } from '../../src/judge/diagnose.ts'
import { rules } from '../../src/judge/rules/index.ts'
import type { Lab } from '../../src/lab/index.ts'
import { startLab } from '../../src/lab/index.ts'
import type { ModelServer } from '../../src/lab/model-server.ts'
import { startModelServer } from '../../src/lab/model-server.ts'
import * as stories from '../../src/lab/stories.ts'
import type { Story } from '../../src/lab/story.ts'
import type { House } from '../far/house.ts'
import { openHouse } from '../far/house.ts'

let lab: Lab
let house: House
let spare: ModelServer

beforeAll(async () => {
  spare = await startModelServer({ story: stories.healthy })
  lab = await startLab({ tokensPerSecond: Number.POSITIVE_INFINITY, ports: [Number(new URL(spare.url).port)] })
  const [host] = lab.hosts
  if (host === undefined) throw new Error('the lab has no host')
  house = openHouse(host)
})

afterAll(async () => {
  await house.close()
  await Promise.all([lab.close(), spare.close()])
})

async function judged(url: string, request: Partial<SmokeRequest>) {
  const { verdict, code } = diagnose(await house.smoke(url, { request }), rules)
  return [verdict, code]
}

const PRIME = 'Write a Python is_prime function'

/** The field story from its first symptom to its cure, on the demo's own servers. */
test.each<[string, Partial<SmokeRequest>, Verdict, Code]>([
  ['qwen-059', { prompt: 'Say hello in one sentence.', budget: 200 }, 'broken', 'model.immediate-eos'],
  ['looper', { prompt: 'What is 2 + 2?' }, 'broken', 'model.degenerate-loop'],
  ['thinker', { prompt: PRIME, budget: 2000 }, 'request-limit', 'budget.reasoning-exhausted'],
  ['thinker', { prompt: PRIME, budget: 4000 }, 'healthy', 'ok.answered'],
  ['thinker', { prompt: PRIME, budget: 2000, thinking: false }, 'healthy', 'ok.no-reasoning'],
  ['qwen', { prompt: PRIME }, 'healthy', 'ok.answered'],
  ['qwen', { prompt: 'Why is the sky blue?' }, 'healthy', 'ok.answered'],
  ['qwen', { prompt: 'Say hello' }, 'healthy', 'ok.answered'],
  ['qwen', { prompt: 'Say hello', stream: false }, 'healthy', 'ok.answered'],
  ['qwen', { prompt: 'Recite the periodic table' }, 'healthy', 'ok.answered'],
])('%s, asked %j, is %s: %s', async (name, request, verdict, code) => {
  const target = lab.targets.find((one) => one.name === name)
  expect(await judged(target?.url ?? '', request)).toEqual([verdict, code])
})

test.each<[Story, Verdict, Code]>([
  [stories.eosInReasoning, 'broken', 'model.eos-in-reasoning'],
  [stories.nan, 'broken', 'model.nan-logits'],
  [stories.toolCall, 'healthy', 'ok.tool-call'],
  [stories.abort, 'broken', 'engine.aborted'],
  [stories.noDone, 'broken', 'stream.ended-without-finish'],
  [stories.cut, 'inconclusive', 'transport.truncated'],
  [stories.loading, 'not-ready', 'state.loading'],
  [stories.overloaded, 'overloaded', 'load.queue-full'],
  [stories.wrongModel, 'client-error', 'request.model-name'],
])('story $name', async (story, verdict, code) => {
  spare.setStory(story)
  expect(await judged(spare.url, {})).toEqual([verdict, code])
})
