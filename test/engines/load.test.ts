import { expect, test } from 'vitest'

import type { FailureKind } from '../../src/domain/failure.ts'
import { failed } from '../../src/domain/outcome.ts'
import type { Api, ApiRequest } from '../../src/domain/ports.ts'
import { engines } from '../../src/engines/index.ts'
import { openai } from '../../src/engines/openai.ts'
import { failureIn, kindOf, never } from '../adapters/tidy.ts'

/** A way on which every request ends so, and what was asked on it. */
function apiThatEnds(kind: FailureKind) {
  const asked: ApiRequest[] = []
  const end = async (request: ApiRequest) => {
    asked.push(request)
    return failed<never>({ kind, thing: 'target qwen', observed: 'no answer', next: 'wait' })
  }
  const api: Api = { url: 'http://127.0.0.1:30000', json: end, text: end, events: end }
  return { api, asked }
}

const TELLING = engines.filter((engine) => engine !== openai)

test.for(TELLING.map((engine) => [engine.kind, engine] as const))(
  '%s: a load that does not come in time is told within seconds, and asked once',
  async ([, engine]) => {
    for (const kind of ['headers-timeout', 'stalled', 'deadline'] as const) {
      const { api, asked } = apiThatEnds(kind)
      const failure = failureIn(await engine.load(api, never))
      expect(failure).toMatchObject({ kind, next: expect.stringContaining('a smoke tells') })
      expect(asked).toEqual([expect.objectContaining({ method: 'GET', patienceMs: 3_000, deadlineMs: 3_000 })])
    }
  },
)

test.for(['refused', 'lost', 'stopped', 'busy', 'too-large'] as const)('%s is no missing route', async (kind) => {
  for (const engine of TELLING) {
    expect(kindOf(await engine.load(apiThatEnds(kind).api, never))).toBe(kind)
  }
})

test('the common dialect has no route for its load and asks none', async () => {
  const { api, asked } = apiThatEnds('bug')
  expect(await openai.load(api, never)).toMatchObject({ ok: true, value: { asked: null } })
  expect(asked).toEqual([])
})
