import { expect, test } from 'vitest'

import { sshPool } from '../../src/adapters/ssh.ts'
import { reacher } from '../../src/app/reach.ts'
import type { Target } from '../../src/domain/target.ts'
import { serve, silent } from '../adapters/http-server.ts'
import { closeLater, keep, never, valueIn } from '../adapters/tidy.ts'

test('all who ask one target share its 8 requests at once and its 32 places in line', async () => {
  const server = await keep(serve(() => {}))
  const ssh = sshPool([], { clock: { now: () => 0, monotonic: () => 0 }, log: silent })
  const way = reacher(ssh, silent)
  closeLater(way)
  const target: Target = {
    name: 'qwen',
    engine: 'openai',
    url: server.url,
    host: null,
    model: null,
    apiKey: null,
    budget: 1,
    patienceMs: 5_000,
    ca: null,
    proxy: null,
    protected: false,
    unit: null,
  }
  const stop = new AbortController()
  const asks = Array.from({ length: 40 }, async () => {
    const { api } = valueIn(await way.reach(target, never))
    return api.json({ method: 'GET', path: '/x', patienceMs: 5_000 }, stop.signal)
  })
  const { api } = valueIn(await way.reach(target, never))
  const one = await api.json({ method: 'GET', path: '/x', patienceMs: 5_000 }, stop.signal)
  expect(one).toMatchObject({ failure: { kind: 'busy', thing: 'target qwen' } })
  stop.abort()
  const ends = await Promise.all(asks)
  expect(ends.every((end) => !end.ok && end.failure.kind === 'stopped')).toBe(true)
})
