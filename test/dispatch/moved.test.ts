import { expect, test } from 'vitest'
import type { Host } from '../../src/domain/host.ts'
import { failed, ok } from '../../src/domain/outcome.ts'
import type { Target } from '../../src/domain/target.ts'
import { openHouse, target } from '../commands/house.ts'
import { value } from '../contract/store.ts'
import { reply, SHOW } from '../domain/verbs/replies.ts'
import { ANNA, BOB, GPU } from './change-house.ts'
import { machine } from './machine.ts'

const STOPPED = SHOW.replace(/ActiveState=\w+/, 'ActiveState=inactive')

/** A machine whose unit is stopped in its third generation, as units of other machines may be too. */
function stoppedBox(name: string) {
  const acts: string[] = []
  const host: Host = {
    ...machine(() => 0).host,
    name,
    async run(verb, args) {
      const said = answer(verb.name, verb.words(args))
      const read = verb.parse(said, args)
      return read.ok ? ok({ value: read.value, tookMs: 1, shellMs: null, noise: '' }) : failed(read.failure)
    },
  }
  function answer(verb: string, words: readonly string[]) {
    if (verb === 'unit') return reply({ unit: STOPPED, fence: '3.stopped', variants: '' })
    if (verb === 'ping') return reply({ ping: 'uptime=1.0\n' })
    acts.push(words.join(' '))
    return reply({ act: 'state=done\ngeneration=4\nrc=0\nat=1\nsaid=\n' })
  }
  return { host, acts }
}

interface Written {
  readonly target?: Partial<Target>
  /** those that the channel may use; none: all */
  readonly targets?: readonly string[]
}

/** Shows a plan of qwen, restarts Pilotflame with another configuration on the same store, and presses. */
async function pressAfter(before: Written, after: Written, by = ANNA) {
  const boxes = { gpu1: stoppedBox('gpu1'), gpu2: stoppedBox('gpu2') }
  const roles = { admins: [], operators: ['T0:U0ANNA', 'T0:U0BOB'], adminGroups: [], operatorGroups: [] }
  const given = ({ target: more, targets = [] }: Written) => ({
    policy: { roles, channels: [{ id: GPU, targets, target: null }] },
    targets: [{ ...target('qwen'), host: 'gpu1', unit: 'qwen', ...more }, target('llama')],
    host: (name: string) => (name === 'gpu1' || name === 'gpu2' ? boxes[name].host : null),
  })
  const first = await openHouse(given(before))
  const plan = await first.say('/sglang restart qwen')
  const [label = ''] = plan.buttons.keys()
  const button = value(await first.store.button(plan.buttons.get(label) ?? ''))
  const second = await openHouse({ ...given(after), records: () => first.store })
  const place = { channel: GPU, thread: 'plan' }
  const heard = await second.say(button?.line ?? '', { how: 'button', place, person: by })
  return { title: heard.answer()?.title, acts: [...boxes.gpu1.acts, ...boxes.gpu2.acts] }
}

test.each([
  [
    'another host, whose unit is in the very same state',
    { target: { host: 'gpu2' } },
    /^Restart qwen: cancelled, since the configuration changed: the plan was for unit qwen on gpu1, it would be unit qwen on gpu2 now\. Nothing was done\.$/,
  ],
  [
    'another unit',
    { target: { unit: 'qwen-prod' } },
    /the plan was for unit qwen on gpu1, it would be unit qwen-prod on gpu1 now\. Nothing was done\.$/,
  ],
  ['a host that is gone', { target: { host: null } }, /does not say how qwen is run/],
  ['a channel that may not use it', { targets: ['llama'] }, /qwen may not be changed in this way here any more/],
  ['a target that is gone', { target: { name: 'other' } }, /qwen may not be changed in this way here any more/],
  [
    'a target that is protected',
    { target: { protected: true } },
    /qwen is protected now, so a second person must approve/,
  ],
] as const)('a plan of an older configuration does nothing with %s', async (_what, after, words) => {
  const { title, acts } = await pressAfter({}, after)
  expect(title).toMatch(words)
  expect(acts).toEqual([])
})

test('a plan outlives a restart with the same configuration, and an approval one that protects no more', async () => {
  expect((await pressAfter({}, {})).acts).toHaveLength(1)
  expect((await pressAfter({ target: { protected: true } }, {}, BOB)).acts).toHaveLength(1)
})
