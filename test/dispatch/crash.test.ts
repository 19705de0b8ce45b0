import { expect, test } from 'vitest'
import { leftBehind, resumeOperations } from '../../src/app/resume-operations.ts'
import type { Operation } from '../../src/domain/operation.ts'
import type { Store } from '../../src/domain/store.ts'
import { value } from '../contract/value.ts'
import { changeHouse } from './change-house.ts'

const log = { debug() {}, info() {}, warn() {}, error() {} }

/** Ends the process, as far as anybody can see: the n-th call from now on, or its answer, never comes back. */
function grave() {
  const died = Promise.withResolvers<void>()
  const plan: { calls: number | null; when: 'before' | 'after' } = { calls: null, when: 'before' }
  const forever = new Promise<never>(() => {})
  let dead = false
  async function passing<T>(call: () => Promise<T>): Promise<T> {
    if (dead) return forever
    const last = plan.calls === 0
    if (plan.calls !== null) plan.calls -= 1
    if (!last) return call()
    dead = true
    if (plan.when === 'after') await call()
    died.resolve()
    return forever
  }
  /** The same thing, with every call counted. */
  function over<T extends object>(thing: T): T {
    return new Proxy(thing, {
      get(target, name) {
        const held: unknown = Reflect.get(target, name)
        if (typeof held !== 'function') return held
        return (...args: unknown[]) => passing(async () => Reflect.apply(held, target, args))
      },
    })
  }
  return { plan, died: died.promise, over, passing }
}

/** Presses Confirm and dies at that call; then starts again, which asks the host; then somebody presses once more. */
async function dieAt(calls: number, when: 'before' | 'after') {
  const { plan: fate, died, over, passing } = grave()
  const house = await changeHouse({ records: over })
  const { box, say, start, store, told } = house
  const { run } = box.host
  Object.assign(box.host, { run: (...given: Parameters<typeof run>) => passing(() => run(...given)) })
  const plan = await say('/sglang restart qwen')
  const button = value(await store.button(plan.buttons.get('Restart qwen') ?? ''))
  const press = { how: 'button', place: { channel: 'C0GPU', thread: 'plan' } } as const
  Object.assign(fate, { calls, when })
  const { heard, done } = start(button?.line ?? '', press)
  const end = await Promise.race([done.then(() => 'lived' as const), died.then(() => 'died' as const)])
  if (end === 'lived') return null
  // no message says for ever that a button may be pressed, or that something is under way
  expect(heard.ended.length + (await tellers(store, house.now()))).toBeGreaterThan(0)
  const acted = box.acts.length
  const said: string[] = []
  const tell = async (_: Operation, { title }: { readonly title: string }) => said.push(title) > 0
  const clock = { now: house.now, monotonic: house.now }
  const resuming = { store, clock, log, host: () => ({ ...box.host, run }), tell, signal: new AbortController().signal }
  await resumeOperations(await leftBehind(store, log), resuming)
  expect(box.acts).toHaveLength(acted)
  expect(value(await store.locks())).toEqual([])
  expect(value(await store.openOperations())).toEqual([])
  // what was done is known, and what was not done does not count
  const states = value(await store.restartsSince({ target: 'qwen', host: 'gpu1', unit: 'qwen' }, 0)).map(
    ({ state }) => state,
  )
  expect(states).toEqual(acted === 1 ? ['done'] : [])
  // the next process, on the same store and the same machine
  const next = await changeHouse({ host: { ...box.host, run }, records: () => store })
  const again = told(await next.say(button?.line ?? '', press))
  expect(box.acts.length).toBeLessThanOrEqual(1)
  return { said, again }
}

/** How many records make the next process tell what became of it. */
async function tellers(store: Store, now: number): Promise<number> {
  const plans = value(await store.expiredPlans(now + 3_600_000))
  const [runs, changes] = [value(await store.openRuns()), value(await store.openOperations())]
  return plans.length + runs.length + changes.length
}

/** All points at which a press can be cut off, in their order. */
async function everyDeath(when: 'before' | 'after') {
  const deaths: { readonly said: readonly string[]; readonly again: string }[] = []
  for (let calls = 0; ; calls += 1) {
    const death = await dieAt(calls, when)
    if (death === null) return deaths
    deaths.push(death)
  }
}

test('killed at every record and every word to the host: at most one restart, and the next start knows of it', async () => {
  const deaths = [...(await everyDeath('before')), ...(await everyDeath('after'))]
  // whoever presses again confirms a plan that is unused; one that is used tells so, and nothing is done
  const unused = deaths.filter(({ again }) => again.includes('took it'))
  const used = deaths.filter(({ again }) => again.includes('pressed first'))
  expect(unused.length + used.length).toBe(deaths.length)
  const done = deaths.filter(({ said }) => said.includes('sglang restart of qwen: done'))
  const never = deaths.filter(({ said }) => said.includes('sglang restart of qwen: not done'))
  console.log(
    `killed at ${deaths.length} points: told after it as done ${done.length}, as not done ${never.length}; plan still unused ${unused.length}; restarts beyond one: 0`,
  )
  expect(deaths.length).toBeGreaterThanOrEqual(30)
  expect([unused.length, done.length, never.length].every((seen) => seen > 0)).toBe(true)
})
