import { expect, vi } from 'vitest'
import type { Fence } from '../../src/domain/unit.ts'
import type { KillArgs } from '../../src/domain/verbs/change.ts'
import { kill, ping, resetFailed, restart, start, stop, unit, variant } from '../../src/domain/verbs/index.ts'
import { failureIn, never, valueIn } from '../adapters/tidy.ts'
import type { Box } from './box/box.ts'
import { look, STRAYS, show, startOf, test } from './furnished.ts'
import { verbsOver } from './verbs-over.ts'

const MEMORY = ['MemoryCurrent']
const of = (alias: string) => (fence: Fence) => ({ unit: alias, fence })

async function waitUntil(box: Box, service: string, state: string): Promise<void> {
  await vi.waitFor(async () => expect(await show(box, service, 'ActiveState')).toBe(state), 8000)
}

/** A process of an account, in no unit of the list; it ignores SIGTERM where it is to be stubborn. */
async function stray(box: Box, user: string, stubborn = false): Promise<number> {
  await box.exec('systemctl stop stray; systemctl reset-failed stray')
  const command = stubborn ? `/bin/sh -c 'trap "" TERM; while :; do sleep 1; done'` : 'sleep infinity'
  await look(box, `systemd-run --quiet --uid=${user} --unit=stray ${command}`)
  return Number(await show(box, 'stray', 'MainPID'))
}

const isThere = async (box: Box, pid: number) => (await box.exec(`kill -0 ${pid}`)).rc === 0

test('a left-over process of the account that is named for it ends', async ({ ways, box }) => {
  let victim = { pid: 0, start: 0 }
  const left = async () => {
    const pid = await stray(box, STRAYS)
    victim = { pid, start: await startOf(box, pid) }
  }
  const act = (fence: Fence) => ({ unit: 'quiet', fence, ...victim, owner: STRAYS, signal: 'TERM' }) as const
  expect(valueIn(await ways.change(kill, 'quiet', act, left))).toMatchObject({ state: 'done', said: '' })
  await vi.waitFor(async () => expect(await isThere(box, victim.pid)).toBe(false))
  expect(await show(box, 'quiet', 'ActiveState')).toBe('active')
})

test('one that does not heed TERM ends by KILL', async ({ ways, box }) => {
  const pid = await stray(box, STRAYS, true)
  const victim = { unit: 'quiet', pid, start: await startOf(box, pid), owner: STRAYS }
  const by = async (signal: 'TERM' | 'KILL') => ({ ...victim, signal, fence: await ways.fence('quiet') })
  valueIn((await ways.ask('installed', kill, await by('TERM'))).outcome)
  expect(await isThere(box, pid)).toBe(true)
  valueIn((await ways.ask('installed', kill, await by('KILL'))).outcome)
  await vi.waitFor(async () => expect(await isThere(box, pid)).toBe(false))
})

test.for<[string, string, Partial<KillArgs>, string]>([
  ['another owner than was seen', 'fence-stale', { owner: 'root' }, `belongs to ${STRAYS} now`],
  ['another process by now', 'fence-stale', { start: 1 }, 'is another one now'],
  ['a process that is gone', 'not-there', { pid: 4_194_303 }, 'process 4194303'],
  ['a unit whose strays these are not', 'permission', { unit: 'listed' }, 'not of listed.service, nor of its strays'],
])('%s is not ended: %s', async ([, kind, more, words], { ways, box }) => {
  const pid = await stray(box, STRAYS)
  const victim = { unit: 'quiet', pid, start: await startOf(box, pid), owner: STRAYS, signal: 'KILL', ...more } as const
  const failure = failureIn(await ways.change(kill, victim.unit, (fence) => ({ ...victim, fence })))
  expect(failure).toMatchObject({ kind, observed: expect.stringContaining(words) })
  expect(await isThere(box, pid)).toBe(true)
})

test.for(['root', 'pilotflame'])('a process of %s in no unit of the list is not ended', async (user, { ways, box }) => {
  const pid = await stray(box, user)
  const victim = { pid, start: await startOf(box, pid), owner: user, signal: 'KILL' } as const
  const failure = failureIn(await ways.change(kill, 'quiet', (fence) => ({ unit: 'quiet', ...victim, fence })))
  expect(failure).toMatchObject({ kind: 'permission', observed: expect.stringContaining('nor of its strays') })
  expect(await isThere(box, pid)).toBe(true)
})

test('what carries the call itself is not ended, though its account is named', async ({ ways, box }) => {
  const sessions = async () =>
    (await box.exec('pgrep -u pilotflame sshd')).stdout.split('\n').filter(Boolean).map(Number)
  valueIn((await ways.ask('installed', ping, {})).outcome)
  const others = await sessions()
  const settings = valueIn(await ways.pool.connect('installed', never)).host
  const own = verbsOver([settings])
  const call = { signal: never }
  valueIn(await own.host('installed').run(ping, {}, call))
  const [pid = 0] = (await sessions()).filter((one) => !others.includes(one))
  const victim = { unit: 'filed', pid, start: await startOf(box, pid), owner: 'pilotflame', signal: 'KILL' } as const
  const args = { ...victim, fence: await ways.fence('filed') }
  const failure = failureIn(await own.host('installed').run(kill, args, call))
  expect(failure).toMatchObject({ kind: 'permission', observed: expect.stringContaining('carries this very call') })
  expect(await isThere(box, pid)).toBe(true)
  // another one may end it: it is the very same rule that lets strays go
  valueIn((await ways.ask('installed', kill, args)).outcome)
  await vi.waitFor(async () => expect(await isThere(box, pid)).toBe(false))
  await own.close()
})

test('a variant counts from the next start on, and none brings back what was written', async ({ ways, box }) => {
  const size = async () => {
    const pid = await show(box, 'quiet', 'MainPID')
    return (await box.exec(`tr '\\0' '\\n' </proc/${pid}/environ | grep ^SIZE=`)).stdout.trim()
  }
  await box.disk.write('/etc/pilotflame/variants/quiet/small.conf', '[Service]\nEnvironment=SIZE=small\n')
  const select = (name: string | null) => (fence: Fence) => ({ unit: 'quiet', fence, variant: name })
  const reading = async () => valueIn(await ways.same(unit, { unit: 'quiet' }, MEMORY))
  valueIn(await ways.change(variant, 'quiet', select('small')))
  expect(await reading()).toMatchObject({
    variant: 'small',
    state: { dropIns: ['/etc/systemd/system/quiet.service.d/50-pilotflame.conf'] },
  })
  expect(await size()).toBe('')
  valueIn(await ways.change(restart, 'quiet', of('quiet'), () => waitUntil(box, 'quiet', 'active')))
  await vi.waitFor(async () => expect(await size()).toBe('SIZE=small'), 8000)
  valueIn(await ways.change(variant, 'quiet', select(null)))
  expect(await reading()).toMatchObject({ variant: null, variants: ['small'], state: { dropIns: [] } })
  valueIn(await ways.change(restart, 'quiet', of('quiet'), () => waitUntil(box, 'quiet', 'active')))
  await vi.waitFor(async () => expect(await size()).toBe(''), 8000)
  expect(failureIn(await ways.change(variant, 'quiet', select('large')))).toMatchObject({ kind: 'not-there' })
  await look(box, 'chmod o+w /etc/pilotflame/variants/quiet/small.conf')
  expect(failureIn(await ways.change(variant, 'quiet', select('small')))).toMatchObject({ kind: 'permission' })
})

test('after too many starts only reset-failed lets a unit start again', async ({ ways, box }) => {
  const service = '[Unit]\nStartLimitIntervalSec=600\nStartLimitBurst=2\n[Service]\nExecStart=/bin/false\n'
  await box.disk.write('/etc/systemd/system/dying.service', service)
  const exhaust = async () => {
    // enabled: what is not wanted and not failed is forgotten, its starts as well
    await look(box, 'systemctl daemon-reload; systemctl add-wants multi-user.target dying')
    for (const _ of [1, 2]) {
      await box.exec('systemctl start dying')
      await waitUntil(box, 'dying', 'failed')
    }
    expect(await box.exec('systemctl start dying')).toMatchObject({ rc: 1 })
  }
  valueIn(await ways.change(resetFailed, 'dying', of('dying'), exhaust))
  expect(await show(box, 'dying', 'ActiveState')).toBe('inactive')
  expect(await box.exec('systemctl start dying')).toMatchObject({ rc: 0 })
})

test('a start that hangs is stopped, and nothing else is done to what is stopping', async ({ ways, box }) => {
  const hang = async () => {
    await look(box, 'systemctl start --no-block hung')
    await waitUntil(box, 'hung', 'activating')
  }
  valueIn(await ways.change(stop, 'hung', of('hung'), hang))
  await waitUntil(box, 'hung', 'inactive')
})

test('a plan that was overtaken is refused, with what is different', async ({ ways, box }) => {
  await look(box, 'systemctl start listed')
  const fence = await ways.fence('listed')
  const before = await show(box, 'listed', 'InvocationID')
  await look(box, 'systemctl restart listed')
  const stale = (verb: typeof restart) => ways.change(verb, 'listed', () => ({ unit: 'listed', fence }))
  expect(failureIn(await stale(restart))).toMatchObject({
    kind: 'fence-stale',
    observed: expect.stringContaining(`the plan saw active-${before}, it is active-`),
  })
  const now = await show(box, 'listed', 'InvocationID')
  expect(now).not.toBe(before)
  valueIn((await ways.ask('quick', start, { unit: 'listed', fence: await ways.fence('listed') })).outcome)
  expect(failureIn(await stale(stop))).toMatchObject({
    observed: expect.stringContaining('generation: the plan saw 0'),
  })
  expect(await show(box, 'listed', 'InvocationID')).toBe(now)
})
