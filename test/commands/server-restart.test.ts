import { expect, test } from 'vitest'
import type { Failure } from '../../src/domain/failure.ts'
import type { Host } from '../../src/domain/host.ts'
import { ok } from '../../src/domain/outcome.ts'
import { machine } from '../dispatch/machine.ts'
import { reply, SHOW } from '../domain/verbs/replies.ts'
import { CHANNEL, openHouse, target } from './house.ts'

const down: Failure = { kind: 'refused', thing: 'target qwen', observed: 'connection refused', next: 'start it' }
const SINCE_S = Number(/StateChangeTimestampMonotonic=(\d+)/.exec(SHOW)?.[1]) / 1_000_000

/** The facts of a plan for a unit that changed its state so many seconds ago. */
async function facts(ageS: number, unreachable: Failure | null) {
  const box = machine(() => 0)
  const host: Host = {
    ...box.host,
    async run(verb, args, options) {
      if (verb.name !== 'ping') return box.host.run(verb, args, options)
      const read = verb.parse(reply({ ping: `uptime=${SINCE_S + ageS}\n` }), args)
      return read.ok ? ok({ value: read.value, tookMs: 1, shellMs: null, noise: '' }) : read
    },
  }
  const house = await openHouse({
    targets: [{ ...target('qwen'), host: 'gpu1', unit: 'qwen' }],
    policy: {
      roles: { admins: [], operators: ['T0:U0ANNA'], adminGroups: [], operatorGroups: [] },
      channels: [{ id: CHANNEL, targets: [], target: null }],
    },
    host: () => host,
    ...(unreachable === null ? {} : { unreachable }),
  })
  const plan = (await house.say('/sglang restart qwen')).answer()
  expect(plan?.title).toBe('Restart qwen?')
  return plan?.facts.find(({ label }) => label === 'Warning')?.value
}

test('a plan says where the model may still be loading: started less than 10 min ago, and its API does not answer', async () => {
  expect(await facts(12, down)).toBe('qwen was started 12 s ago and may still be loading its model')
  expect(await facts(599, down)).toContain('10 min ago')
  expect(await facts(601, down)).toBeUndefined()
  expect(await facts(12, null)).toBeUndefined()
})
