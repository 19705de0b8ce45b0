import { expect, test } from 'vitest'
import { failed } from '../../src/domain/outcome.ts'
import { value } from '../contract/store.ts'
import { ANNA, BOB, CARO, changeHouse, GPU } from './change-house.ts'
import { machine } from './machine.ts'

test('a restart shows its plan, acts once at the press, and tells who asked and what came of it', async () => {
  const { say, press, box, store, results } = await changeHouse()
  const plan = await say('/sglang restart qwen --reason "new weights"')
  expect(plan.answer()).toMatchObject({ title: 'Restart qwen?', seenBy: 'channel', status: 'needs-clarification' })
  expect(plan.answer()?.lead).toBe(
    'Asked by Anna (U0ANNA). Reason: “new weights”. Only Anna (U0ANNA) can confirm, within 60 s.',
  )
  expect(plan.answer()?.actions.map(({ label, style }) => [label, style])).toEqual([
    ['Restart qwen', 'danger'],
    ['Cancel', 'plain'],
  ])
  expect(plan.answer()?.facts).toEqual([
    { label: 'Unit', value: 'sglang.service on gpu1' },
    { label: 'State', value: 'active (running) for 2 h' },
    { label: 'Changes by Pilotflame', value: '12' },
    { label: 'PID', value: '4242' },
    { label: 'Restarted by systemd', value: '2 times' },
    { label: 'Requests now', value: '1' },
  ])
  expect(box.acts).toEqual([])
  const done = await press(plan, 'Restart qwen')
  expect(done.begun.map(({ title }) => title)).toEqual(['Restart qwen: under way'])
  expect(done.answer()).toMatchObject({ status: 'done', seenBy: 'channel' })
  expect(done.answer()?.title).toMatch(/^Restart qwen: systemd on gpu1 took it at \d\d:\d\d:\d\d UTC$/)
  expect(done.answer()?.summary).toContain('no proof that qwen works')
  expect(done.answer()?.lead).toContain('Asked and confirmed by Anna (U0ANNA). Reason: “new weights”.')
  expect(done.answer()?.facts).toEqual([{ label: 'Changes by Pilotflame', value: '12 → 13' }])
  expect(done.answer()?.actions.map(({ line }) => line)).toEqual(['smoke --target qwen'])
  expect(box.acts).toHaveLength(1)
  expect(value(await store.locks())).toEqual([])
  expect(value(await store.openOperations())).toEqual([])
  expect(value(await store.openRuns())).toEqual([])
  expect((await results()).toReversed()).toEqual([
    'started',
    'asked (own): new weights',
    'confirmed',
    expect.stringMatching(/^done: Restart qwen/),
  ])
})

test('the target is chosen as for every command: named first, the thread’s, else a picker and never a guess', async () => {
  const { say, store } = await changeHouse()
  const picker = await say('/sglang restart')
  expect(picker.answer()?.title).toBe('Which target?')
  const line = value(await store.button(picker.buttons.get('qwen') ?? ''))?.line ?? ''
  expect((await say(line, { how: 'button' })).answer()?.title).toBe('Restart qwen?')
  const thread = { channel: GPU, thread: '7.7' }
  await store.bindThread(thread, 'qwen', 1)
  expect((await say('sglang restart', { how: 'mention', place: thread })).answer()?.title).toBe('Restart qwen?')
  expect((await say('/sglang restart --target qwen')).answer()?.title).toBe('Restart qwen?')
  expect((await say('/sglang restart qwne')).answer()?.title).toContain('There is no target “qwne” here')
  expect((await say('/sglang restart qwen --target llama')).answer()?.title).toContain('named twice')
  expect((await say('/sglang restart qwen new weights')).answer()?.title).toContain('put a reason in quotes')
})

test.each([
  ['nobody without the role', '/sglang restart qwen', CARO, /not operator/],
  ['a reason that is empty', '/sglang restart qwen --reason " "', ANNA, /reason is empty/],
  ['a reason that is too long', `/sglang restart qwen --reason "${'x'.repeat(201)}"`, ANNA, /201 characters.*200/],
  ['force without a reason', '/sglang restart qwen --force', ANNA, /--force needs a reason/],
  ['breaking a glass where there is none', '/sglang restart qwen --break-glass "fire"', ANNA, /qwen needs no approval/],
  ['a target without host and unit', '/sglang restart bare', ANNA, /does not say how bare is run \(host and unit\)/],
])('%s gets no plan, and is told why', async (_what, line, person, words) => {
  const { say, store, box, results } = await changeHouse()
  const heard = await say(line, { person })
  expect(heard.answer()?.title).toMatch(words)
  expect(heard.answer()?.actions).toEqual([])
  expect(box.acts).toEqual([])
  expect(value(await store.audits(1))[0]?.decision).toBe('refused')
  expect(await results()).not.toContain('asked (own)')
})

test('a host that does not answer is said, and nothing is planned', async () => {
  const { say, box } = await changeHouse()
  box.state.deafTo = ['unit']
  const heard = await say('/sglang restart qwen')
  expect(heard.answer()?.title).toBe('Not planned: host gpu1: no answer. Next: look there.')
  expect(heard.answer()?.actions).toEqual([])
})

test('a secret in a reason is hidden before it is shown or kept', async () => {
  const { say, press, store } = await changeHouse({ redact: (text) => text.replaceAll('hunter2', '[hidden]') })
  const plan = await say('/sglang restart qwen --reason "password hunter2"')
  await press(plan, 'Restart qwen')
  expect(plan.answer()?.lead).toContain('“password [hidden]”')
  expect(JSON.stringify([plan, value(await store.audits(100))])).not.toContain('hunter2')
})

test('a secret that a host says is not in the audit, however long its answer is', async () => {
  const redact = (text: string) => text.replaceAll('hunter2', '[hidden]')
  const observed = `login: hunter2 ${'said '.repeat(1_000)}`
  const run = async () => failed<never>({ kind: 'bug', thing: 'host gpu1', observed, next: 'look there' } as const)
  const { say, results, box } = await changeHouse({ redact, host: { ...machine(Date.now).host, run } })
  await say('/sglang restart qwen')
  expect((await results())[0]).toMatch(/^Not planned: host gpu1: login: \[hidden\] said .*…$/)
  expect((await results())[0]?.length).toBeLessThanOrEqual(401)
  expect(box.acts).toEqual([])
})

test('another person approves what is protected, and both are named', async () => {
  const { say, press, box, results, told } = await changeHouse({ protected: true })
  const plan = await say('/sglang restart qwen')
  expect(plan.answer()?.title).toBe('Restart qwen? A second person must approve')
  expect([...plan.buttons.keys()]).toEqual(['Approve: Restart qwen', 'Cancel'])
  const done = await press(plan, 'Approve: Restart qwen', BOB)
  expect(done.answer()?.status).toBe('done')
  expect(told(done)).toContain('Asked by Anna (U0ANNA). Approved by Bob (U0BOB).')
  expect(box.acts).toHaveLength(1)
  expect(await results()).toContain('approved')
})

test('glass is broken only after five minutes of silence, within thirty, once, loudly, and with a press of its own', async () => {
  const { say, press, wait, box, told, results } = await changeHouse({ protected: true })
  const line = '/sglang restart qwen --break-glass "site down"'
  const early = async () => told(await say(line))
  expect(await early()).toContain('no approval of “Restart qwen” was asked for')
  await say('/sglang restart qwen --reason "please"')
  wait(299_000)
  expect(await early()).toMatch(/asked for 5 min ago\. Next: wait 1 s more/)
  wait(1_000)
  const plan = await say(line)
  expect(plan.answer()).toMatchObject({
    tone: 'bad',
    title: 'BREAK GLASS: Restart qwen without a second person?',
    seenBy: 'channel',
  })
  expect(box.acts).toEqual([])
  const done = await press(plan, 'Restart qwen')
  expect(told(done)).toContain(
    'BREAK GLASS: nobody approved this. Asked and confirmed by Anna (U0ANNA). Reason: “site down”.',
  )
  expect(box.acts).toHaveLength(1)
  expect(await results()).toContain('asked (own, break-glass): site down')
  expect(await early()).toContain('no approval of “Restart qwen” was asked for')
})

test('glass stays whole half an hour later, and where somebody said no', async () => {
  const late = await changeHouse({ protected: true })
  await late.say('/sglang restart qwen')
  late.wait(30 * 60_000 + 1)
  expect(late.told(await late.say('/sglang restart qwen --break-glass "x"'))).toContain('no approval of “Restart qwen”')
  const refused = await changeHouse({ protected: true })
  await refused.say('/sglang restart qwen')
  refused.wait(301_000)
  const again = await refused.say('/sglang restart qwen')
  await refused.press(again, 'Cancel', BOB)
  refused.wait(1_000)
  expect(refused.told(await refused.say('/sglang restart qwen --break-glass "x"'))).toContain('no approval of')
})

test('a lost answer is looked up at once: done, never there, or unknown, and never done twice', async () => {
  const fates: Record<string, string> = {}
  for (const loss of ['after', 'before', 'refused'] as const) {
    const { say, press, box, told, store } = await changeHouse()
    const plan = await say('/sglang restart qwen')
    box.state.loss = loss
    const heard = await press(plan, 'Restart qwen')
    fates[loss] = `${box.acts.length} acts, ${told(heard)}`
    expect(box.asked.filter((verb) => verb === 'opstat')).toHaveLength(loss === 'refused' ? 0 : 1)
    expect(value(await store.openOperations())).toEqual([])
    expect(value(await store.locks())).toEqual([])
  }
  expect(fates['after']).toMatch(/^1 acts, Restart qwen: done .*gpu1 says that it was done at .* no proof/)
  expect(fates['before']).toMatch(/^0 acts, Restart qwen: not done .*never came there: nothing was done/)
  expect(fates['refused']).toMatch(/^0 acts, Restart qwen: not done\. host gpu1: connection refused/)
})

test('where the host cannot be asked either, the outcome is unknown, counts as a restart, and stays open', async () => {
  const { say, press, box, store, told, results, now } = await changeHouse()
  const plan = await say('/sglang restart qwen')
  box.state.loss = 'after'
  box.state.deafTo = ['opstat']
  const heard = await press(plan, 'Restart qwen')
  expect(told(heard)).toMatch(/^Restart qwen: outcome unknown .*not known\. The host cannot be asked.*Next: ask again/)
  expect(heard.answer()).toMatchObject({ tone: 'warning', status: 'inconclusive' })
  expect((await results())[0]).toBe('unknown: Restart qwen: outcome unknown')
  expect(value(await store.restartsSince({ target: 'qwen', host: 'gpu1', unit: 'qwen' }, now() - 1000))).toMatchObject([
    { state: 'issuing' },
  ])
})
