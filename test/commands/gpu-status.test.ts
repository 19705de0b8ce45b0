import { expect, test } from 'vitest'
import type { Report } from '../../src/domain/report.ts'
import { paint } from '../../src/surfaces/terminal/paint.ts'
import { renderReport } from '../../src/surfaces/terminal/render.ts'
import type { Fleet } from './gpu-fleet.ts'
import { ask, bodyOf, hundred, nobody, openFleet, operators, rowsOf, SERVED, three } from './gpu-fleet.ts'
import type { GpuHost } from './gpu-hosts.ts'
import { failure, loaded, on, row } from './gpu-hosts.ts'
import { CHANNEL } from './house.ts'

test('each has a table of its cards with what lives on them, and one that failed says why', async () => {
  const told = await ask('/gpu status', three, { targets: [on('box-1', 'qwen')] })
  expect(told).toMatchObject({
    title: '2 of 3 hosts answer · 1 fault · 2 of 4 GPUs free',
    tone: 'bad',
    status: 'unreachable',
    summary: 'box-3: connection refused.\nNext: start sshd there.',
  })
  expect(told.tables.map(({ title }) => title)).toEqual(['Hosts without readings', 'box-2: 2 GPUs', 'box-1: 2 GPUs'])
  expect(rowsOf(told)[0]?.slice(0, 2)).toEqual(['box-3', 'No answer'])
  expect(rowsOf(told)[0]?.at(-1)).toBe('connection refused. Next: start sshd there.')
  const [qwen, free] = rowsOf(told, 2)
  const readings = ['42.2 / 48.0 GiB', '0 %', '41 °C', '22 / 300 W']
  expect(qwen).toEqual(['0', 'NVIDIA RTX A6000', ...readings, 'Loaded, no work', 'qwen'])
  expect(free?.slice(6)).toEqual(['Free', ''])
})

test('a lost card is a fault of that card alone, in words, with its code and its page', async () => {
  const told = await ask('/gpu status box-2', three)
  expect(told).toMatchObject({ title: 'box-2 answers · 1 fault · 1 of 2 GPUs free', status: 'hardware-fault' })
  const [well, lost] = rowsOf(told)
  expect(well?.slice(6)).toEqual(['Free', ''])
  expect(lost?.slice(2)).toEqual(['lost', 'lost', 'lost', 'lost', 'A GPU fell off the bus (gpu.off-bus)', ''])
  expect(told.sections[0]?.title).toMatch(/^box-2: Diagnosis: gpu\.off-bus, certain/)
  expect(told.summary).toMatch(/^box-2: GPU 1 .* no longer answers[\s\S]*\nNext: /)
  expect(JSON.stringify(told.tables)).not.toContain('[GPU is lost]')
})

test.each<[said: string, given: Partial<Parameters<typeof row>[1]>, column: number, words: string]>([
  ['[N/A]', { temperature: '[N/A]' }, 4, 'not reported'],
  ['[Not Supported]', { power: '[Not Supported]', limit: '[Not Supported]' }, 5, 'not reported'],
  ['[Insufficient Permissions]', { use: '[Insufficient Permissions]' }, 3, 'hidden'],
  ['[Unknown Error]', { power: '[Unknown Error]' }, 5, 'not readable'],
  ['[GPU requires reset]', { temperature: '[GPU requires reset]' }, 4, 'needs a reset'],
  ['a missing cap', { limit: '[N/A]' }, 5, '22 W'],
])('%s is said in words', async (_said, given, column, words) => {
  const told = await ask('/gpu status', { box: { cards: [row(0, given)] } })
  expect(rowsOf(told)[0]?.[column]).toBe(words)
  expect(JSON.stringify(told.tables)).not.toMatch(/\[[A-Z]/)
})

test('a static pool is explained once, and only where a model server may hold it', async () => {
  const cards = [loaded(0), loaded(1), loaded(2)]
  const apps = [0, 1, 2].map((at) => `GPU-${at}, 4711, python3, 43010`)
  const told = await ask('/gpu status', { box: { ...SERVED, cards, apps } }, { targets: [on('box', 'qwen')] })
  expect(told.sections.filter(({ title }) => title === 'Memory without load')).toHaveLength(1)
  expect(bodyOf(told, 'Memory without load')).toMatch(/^88 % used at 0 % load \(box, GPU 0, and 2 more GPUs\) /)
  expect(told).toMatchObject({ status: 'healthy', tone: 'good', title: 'box answers · 0 of 3 GPUs free' })

  const stranger = await ask('/gpu status', { box: { ...SERVED, units: [] } })
  expect(bodyOf(stranger, 'Memory without load')).toBe('')
})

test('who locked a host, why and since when', async () => {
  const targets = [on('box-1', 'qwen')]
  const { say, wait } = await openFleet(three, { targets, policy: operators() })
  await say('gpu lock box-1 new driver', { how: 'mention' })
  wait(720_000)
  const told = (await say('/gpu status box-1')).answer()
  expect(told?.tables[0]?.title).toBe('box-1: 2 GPUs · locked')
  expect(told?.sections.find(({ title }) => title === 'Locks')?.body).toBe(
    'box-1: Anna (U0ANNA), 12 min ago: new driver',
  )
  expect(told?.json).toMatchObject({ hosts: [{ locks: [{ owner: 'U0ANNA', reason: 'new driver' }] }] })
})

test('locks that cannot be read count, and are said', async () => {
  const told = await ask('/gpu status', { box: SERVED }, { records: (store) => ({ ...store, locks: unreadable }) })
  expect(bodyOf(told, 'Locks')).toMatch(/^They cannot be read, so every host counts as locked\. /)
})

test('a terminal has no records of the bot: it says nothing of locks', async () => {
  const { say } = await openFleet({ box: SERVED })
  const place = { channel: 'terminal', thread: null }
  const person = { team: 'local', id: 'anna', name: 'anna', kind: 'local' } as const
  const told = (await say('gpu status', { how: 'terminal', place, person })).answer()
  expect(told?.json).toMatchObject({ hosts: [{ host: 'box', locks: null }] })
})

const unreadable = async () => ({ ok: false, failure: failure('store', 'store', 'the disk is full') }) as const

const NO_DRIVER =
  "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that the latest NVIDIA driver is installed and running."

test('a host whose tool is in use is answered by no verdict, and the next step is said', async () => {
  expect(await ask('/gpu status', { box: { unasked: 'in-use' } })).toMatchObject({
    ...{ title: 'box answers', tone: 'warning', status: 'inconclusive' },
    summary:
      'box: Another look at its GPUs is under way, so nothing is known of them now.\nNext: ask again in a few seconds.',
  })
})

test.each<[name: string, told: GpuHost, state: string, why: RegExp]>([
  [
    'vfio keeps the card',
    { cards: [NO_DRIVER], rc: 9, pci: ['0000:01:00.0 0x10de 0x2230 0x030000 vfio-pci'] },
    'Fault',
    /^driver\.vfio-bound: Card 0000:01:00\.0 is kept for a virtual machine .*Next: If the card serves/,
  ],
  [
    'no driver is loaded',
    { cards: [NO_DRIVER], rc: 9, pci: ['0000:01:00.0 0x10de 0x2230 0x030000 -'] },
    'Fault',
    /^driver\.not-loaded: /,
  ],
  ['the tool hangs', { cards: [], rc: 124 }, 'Warning', /^telemetry\.timeout: nvidia-smi did not answer/],
  [
    'an earlier call of the tool hangs',
    { unasked: 'held' },
    'Warning',
    /^telemetry\.timeout: An earlier call of nvidia-smi does not end/,
  ],
  [
    'another look is under way, whatever is on the bus',
    { unasked: 'in-use', pci: ['0000:01:00.0 0x10de 0x2230 0x030000 nvidia'] },
    'Not known',
    /^Another look at its GPUs is under way, .*Next: ask again in a few seconds\.$/,
  ],
  [
    'no GPU and no tool',
    { fails: failure('box', 'tool-missing', 'nvidia-smi/amd-smi/rocm-smi is not installed'), pci: [] },
    'No GPU',
    /^No GPU tool lists a card/,
  ],
  [
    'a GPU and no tool',
    {
      fails: failure('box', 'tool-missing', 'nvidia-smi/amd-smi/rocm-smi is not installed'),
      pci: ['0000:01:00.0 0x10de 0x2230 0x030000 nvidia'],
    },
    'Fault',
    /^tool\.missing: nvidia-smi is not installed there/,
  ],
  [
    'another tool of the gate is missing',
    { fails: failure('box', 'tool-missing', 'flock is not installed'), pci: [] },
    'No answer',
    /^flock is not installed\. Next: /,
  ],
  [
    'a gate that is too old',
    { fails: failure('box', 'gate-refused', 'the gate does not know this verb') },
    'No answer',
    /^the gate does not know this verb/,
  ],
])('%s', async (_name, told, state, why) => {
  const report = await ask('/gpu status', { box: told })
  const [line] = rowsOf(report)
  expect(line?.[1]).toBe(state)
  expect(line?.at(-1)).toMatch(why)
})

const targets = [on('box-1', 'qwen'), on('box-2', 'spare'), { ...on('box-1', 'direct'), host: null }]
const policy = { roles: nobody, channels: [{ id: CHANNEL, targets: ['qwen'], target: null }] }
const hostsOf = ({ json }: Report) => [...JSON.stringify(json).matchAll(/"host":"([^"]+)"/g)].map(([, host]) => host)

test.each([
  ['/gpu status', ['box-3', 'box-2', 'box-1']],
  ['/gpu status all', ['box-3', 'box-2', 'box-1']],
  ['/gpu status box-1', ['box-1']],
  ['/gpu status qwen', ['box-1']],
  ['/gpu status spare box-1 qwen', ['box-2', 'box-1']],
  ['gpu status', ['box-3', 'box-2', 'box-1']],
])('%s', async (line, hosts) => {
  expect(hostsOf(await ask(line, three, { targets }))).toEqual(hosts)
})

test('a channel that may use some targets sees their hosts only, and hears of no other', async () => {
  expect(hostsOf(await ask('/gpu status', three, { targets, policy }))).toEqual(['box-1'])
  for (const line of ['/gpu status box-2', '/gpu status spare', '/gpu status box-1 box-3']) {
    const told = await ask(line, three, { targets, policy })
    expect(told).toMatchObject({ status: 'usage', title: expect.stringMatching(/^There is no host and no target “/) })
    expect(told.title).toMatch(/Next: (?:did you mean box-1\?|write all, or some of these: box-1, qwen)$/)
  }
})

test.each([
  ['/gpu status bx-1', /no target “bx-1” that may be used here\. Next: did you mean box-1\?$/],
  ['/gpu status nothing-like-it', /Next: write all, or some of these: box-1, box-2, box-3, qwen, spare, direct$/],
  ['/gpu status direct', /^direct is reached without a host/],
])('%s is answered with what to write', async (line, words) => {
  expect(await ask(line, three, { targets })).toMatchObject({ status: 'usage', title: expect.stringMatching(words) })
})

test('where there is none, it says so', async () => {
  const told = await ask('/gpu status', {})
  expect(told).toMatchObject({ status: 'usage', title: expect.stringMatching(/^There is no host that may be used/) })
})

test('secrets that a host prints are hidden', async () => {
  const cards = ['Unable to determine the device handle for s3cret: Unknown Error']
  const told = await ask(
    '/gpu status',
    { box: { cards, rc: 255 } },
    { redact: (text) => text.replaceAll('s3cret', '…') },
  )
  expect(JSON.stringify(told)).not.toContain('s3cret')
})

test.each<[line: string, fleet: Fleet]>([
  ['gpu status', three],
  ['gpu status box-2', three],
  ['gpu status all', hundred()],
])('golden: %s', async (line, fleet) => {
  const told = await ask(line, fleet, { targets: [on('box-1', 'qwen')] })
  const text = renderReport(told, { style: paint(false), clean: (words) => words, remembers: true, full: true })
  await expect(text).toMatchFileSnapshot(`golden/${line}.txt`)
})
