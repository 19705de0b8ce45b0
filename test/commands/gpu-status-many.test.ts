import { expect, test } from 'vitest'
import type { FailureKind } from '../../src/domain/failure.ts'
import { exitOf } from '../../src/surfaces/terminal/exit.ts'
import type { Fleet } from './gpu-fleet.ts'
import { ask, bodyOf, hundred, openFleet, operators, rowsOf, SERVED, three } from './gpu-fleet.ts'
import type { GpuHost } from './gpu-hosts.ts'
import { failure, on } from './gpu-hosts.ts'

const turn = () => new Promise((next) => setImmediate(next))

/** Clocks that ring when a test says so. */
function manualClocks() {
  const set = new Set<{ readonly ms: number; readonly run: () => void }>()
  return {
    every(ms: number, run: () => void) {
      const clock = { ms, run }
      set.add(clock)
      return () => void set.delete(clock)
    },
    /** how many of so many ms are set */
    named: (ms: number) => [...set].filter((one) => one.ms === ms).length,
    ring(ms: number) {
      for (const one of set) if (one.ms === ms) one.run()
    },
  }
}

test('one line a host, worst first, with the counts in the title and the worst behind buttons', async () => {
  const told = await ask('/gpu status all', hundred())
  expect(told.title).toBe('95 of 100 hosts answer · 1 fault · 1 warning · 81 of 746 GPUs free')
  expect(told.tables).toHaveLength(1)
  expect(rowsOf(told)).toHaveLength(100)
  const states = rowsOf(told).map(([, state]) => state)
  expect(states.slice(0, 8)).toEqual([...Array(5).fill('No answer'), 'Fault', 'Warning', 'In use'])
  expect(new Set(states.slice(7, 90))).toEqual(new Set(['In use']))
  expect(new Set(states.slice(90))).toEqual(new Set(['Free']))
  expect(rowsOf(told)[5]?.at(-1)).toMatch(/^gpu\.off-bus: GPU 1 .* Next: /)
  expect(told.actions).toEqual(
    ['050', '060', '090', '091', '092'].map((at) => {
      return { label: `Look at gpu-${at}`, line: `gpu status gpu-${at}`, style: 'plain' }
    }),
  )
  expect(told).toMatchObject({ status: 'unreachable', json: { answered: 95, total: 100, cannot_see: false } })
  expect(exitOf(told.status)).toBe(1)
})

test('a cell of a chat has room for 280 characters; a terminal shows the remedy whole', async () => {
  const fleet: Fleet = { ...three, box: { fails: failure('box', 'refused', 'x '.repeat(150), 'look here') } }
  const { say } = await openFleet(fleet, {})
  const why = async (how: 'slash' | 'terminal') => {
    const said = { form: 'words', words: ['gpu', 'status', 'all'] } as const
    const told = (await say('gpu status all', how === 'terminal' ? { how, said } : { how })).answer()
    const all = told?.tables.flatMap(({ rows }) => rows) ?? []
    return all.find(([host]) => host === 'box')?.at(-1) ?? ''
  }
  expect((await why('slash')).length).toBeLessThanOrEqual(281)
  expect(await why('slash')).not.toContain('look here')
  expect(await why('terminal')).toContain('Next: look here.')
})

test('they fill in as they tell, and one that is slow delays nobody', async () => {
  const slow = Promise.withResolvers<null>()
  const fleet = {
    ...Object.fromEntries(Object.entries(hundred()).slice(0, 9)),
    slow: { ...SERVED, waits: slow.promise },
  }
  const clocks = manualClocks()
  const { start } = await openFleet(fleet, { every: clocks.every })
  const { heard, done } = start('/gpu status')
  while (heard.begun.length === 0 || clocks.named(8000) !== 1) await turn()
  clocks.ring(1000)
  expect(heard.begun[0]).toMatchObject({
    title: '0 of 10 hosts have told',
    lead: 'Anna asked for the GPUs of 10 hosts',
  })
  expect(heard.updates.at(-1)?.title).toBe('9 of 10 hosts have told')
  expect(heard.updates.at(-1)?.tables[0]?.rows[0]).toEqual(['slow', 'Waiting'])
  expect(heard.ended).toEqual([])
  slow.resolve(null)
  await done
  expect(heard.answer()?.title).toMatch(/^10 of 10 hosts answer/)
})

test('Stop ends it: what had come is told, the rest was not looked at', async () => {
  const never = new Promise(() => {})
  const clocks = manualClocks()
  const fleet = { 'box-1': SERVED, 'box-2': { ...SERVED, waits: never } }
  const { start, say } = await openFleet(fleet, { every: clocks.every })
  const { heard, done } = start('/gpu status')
  while (heard.begun.length === 0 || clocks.named(8000) !== 1) await turn()
  await say(heard.begun[0]?.actions[0]?.line ?? '', { how: 'button' })
  await done
  expect(heard.answer()).toMatchObject({
    title: '1 of 2 hosts answers · 1 of 2 GPUs free',
    status: 'inconclusive',
    facts: [{ label: 'Stopped by', value: 'Anna' }],
  })
  expect(heard.answer()?.tables[0]?.rows[0]?.slice(0, 2)).toEqual(['box-2', 'Not looked at'])
})

test('a locked one says so in its line', async () => {
  const fleet = { ...three, 'box-4': SERVED }
  const targets = [on('box-4', 'qwen')]
  const { say } = await openFleet(fleet, { targets, policy: operators() })
  await say('gpu lock box-4 measuring', { how: 'mention' })
  const told = (await say('/gpu status')).answer()
  const line = told?.tables[0]?.rows.find(([host]) => host === 'box-4')
  expect(line).toEqual([
    'box-4',
    'Free, locked',
    '2, 1 free',
    '42.2 / 96.0 GiB',
    '0 %',
    'qwen',
    'Locked by Anna (U0ANNA): measuring.',
  ])
})

const out = (name: string, kind: FailureKind = 'connect-timeout'): [string, GpuHost] => [
  name,
  { fails: failure(name, kind, kind === 'dns' ? 'its name is not known' : 'no answer within 10 s') },
]
const fleetOf = (lost: number, well: number, kind?: FailureKind): Fleet =>
  Object.fromEntries([
    ...Array.from({ length: lost }, (_, at) => out(`lost-${at}`, kind)),
    ...Array.from({ length: well }, (_, at): [string, GpuHost] => [`well-${at}`, SERVED]),
  ])

test('it says once that Pilotflame cannot see, and accuses none', async () => {
  const told = await ask('/gpu status', { ...fleetOf(6, 3), ...Object.fromEntries([out('odd', 'dns')]) })
  expect(told).toMatchObject({
    title: 'Pilotflame itself cannot see: 7 of 10 hosts are out of its reach',
    tone: 'warning',
    status: 'inconclusive',
    actions: [{ label: 'Doctor', line: 'doctor' }],
    json: { cannot_see: true },
  })
  expect(told.summary).toContain('/pilotflame doctor')
  expect(new Set(rowsOf(told).map(([, state]) => state))).toEqual(new Set(['Not seen', 'Free']))
  expect(bodyOf(told, 'What was seen')).toBe(
    [
      '• no answer within 10 s: lost-0, lost-1, lost-2, lost-3, lost-4, lost-5',
      '• its name is not known: odd',
      'The other 3 hosts gave an answer of some kind.',
    ].join('\n'),
  )
})

test.each<[lost: number, well: number, kind: FailureKind, blind: boolean]>([
  [3, 0, 'connect-timeout', true],
  [3, 2, 'connect-timeout', true],
  [3, 3, 'connect-timeout', false],
  [2, 0, 'connect-timeout', false],
  [5, 0, 'hostkey-changed', false],
  [5, 0, 'gate-missing', false],
  [100, 0, 'refused', true],
])('%i of them beside %i that answer, by %s: %s', async (lost, well, kind, blind) => {
  const told = await ask('/gpu status', fleetOf(lost, well, kind))
  expect(told.json).toMatchObject({ cannot_see: blind })
})
