import { expect, test } from 'vitest'
import { paint } from '../../src/surfaces/terminal/paint.ts'
import { renderReport } from '../../src/surfaces/terminal/render.ts'
import { failure } from './gpu-hosts.ts'
import type { HealthHost } from './health-hosts.ts'
import { doctor, health, lineOf, linesOf, links, machine, xid } from './health-hosts.ts'

test('a host that is well: every line says what was seen', async () => {
  const told = await doctor('/gpu doctor box', { box: { health: health({ links: links('14 GB/s') }) } })
  expect(told).toMatchObject({ title: 'box: all 13 checks are fine', tone: 'good', status: 'healthy', summary: '' })
  expect(linesOf(told)).toEqual([
    '✓ driver: 580.95.05 is loaded, and nvidia-smi answers',
    '✓ cards: nvidia-smi lists 2 of 2 cards',
    '✓ persistence mode: it is on',
    '✓ card faults (Xid): no Xid within the last day (0 lines of the kernel)',
    '✓ memory of the cards (ECC, rows): no uncorrectable error since the last reset, no row waits to be replaced',
    '✓ heat and throttling: 41 °C at most, and no card is slowed down by heat or power supply',
    '✓ PCIe: x16, generation 1 of 4',
    '✓ NVLink: 2 GPUs with 2 links each',
    '✓ RAM: 236.6 GiB of 251.6 GiB available, no swap',
    '✓ disk: / 210.0 GiB free',
    '✓ /dev/shm: 126.0 GiB of 126.0 GiB free',
    '✓ units: sglang.service: a crash counts as one',
    '✓ login shell: 22 ms with the gate',
  ])
})

test('what could not be looked at is unknown, with the reason, and no fault', async () => {
  const told = await doctor('/gpu doctor box', {
    box: {
      health: health({ disk: [124, ''], services: [127, ''] }),
      pci: failure('box', 'not-there', '/sys/bus/pci/devices is not there'),
      kernel: failure('box', 'permission', 'dmesg may not be read'),
      unit: failure('box', 'no-such-unit', 'the gate knows no unit box'),
    },
  })
  expect(told).toMatchObject({ title: 'box: 5 not known in 12 checks', tone: 'good', status: 'healthy' })
  expect(lineOf(told, 'cards')).toBe(
    '? cards: 2 GPUs listed; the PCI bus could not be read: /sys/bus/pci/devices is not there',
  )
  expect(lineOf(told, 'card faults (Xid)')).toBe(
    "? card faults (Xid): the kernel's log could not be read: dmesg may not be read",
  )
  expect(lineOf(told, 'units')).toBe('? units: box: the gate knows no unit box')
})

test('another look is under way: the GPUs are not known, nothing is found, and all else is told', async () => {
  const told = await doctor('/gpu doctor box', {
    box: { health: health({ cards: null, 'in-use': '/usr/bin/nvidia-smi\n' }), kernel: [] },
  })
  expect(linesOf(told).slice(0, 2)).toEqual([
    '? driver: another look at the GPUs is under way, so they are not known; ask again in a few seconds',
    '✓ card faults (Xid): no Xid within the last day (0 lines of the kernel)',
  ])
  expect(told).toMatchObject({ title: 'box: 1 not known in 7 checks', tone: 'good', sections: [{ title: 'Checks' }] })
})

test('no lock for the tool: the GPUs are not known and why, and nobody is told that the tool is missing', async () => {
  const told = await doctor('/gpu doctor box', {
    box: { health: health({ cards: null, unlocked: [69, 'tool-missing flock\n'] }), kernel: [] },
  })
  expect(linesOf(told).slice(0, 2)).toEqual([
    '? driver: nvidia-smi was not asked, since one look at a time cannot be kept: flock is not installed',
    '✓ card faults (Xid): no Xid within the last day (0 lines of the kernel)',
  ])
  expect(told).toMatchObject({ title: 'box: 1 not known in 7 checks', sections: [{ title: 'Checks' }] })
})

test.each(['', 'in-use'])(
  'nvidia-smi that was left over on a box of AMD accuses nobody; its own tool: %j',
  async (busy) => {
    const told = await doctor('/gpu doctor box', {
      box: {
        health: health({
          machine: machine({ driver: '' }),
          devices: 'kfd rw\n',
          cards: [9, "columns index\nNVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.\n"],
        }),
        pci: ['0000:03:00.0 0x1002 0x74a1 0x120000 amdgpu'],
        ofAmd: busy === '' ? AMD : { host: 'tool=amd-smi\n', 'in-use': '/opt/rocm/bin/amd-smi\n' },
      },
    })
    expect(told.tone).toBe('good')
    expect(linesOf(told).filter((line) => /^[✗!]/.test(line))).toEqual([])
    expect(lineOf(told, 'driver')).toBe(
      busy === ''
        ? '✓ driver: 6.16.6 is loaded, and amd-smi answers'
        : '? driver: another look at the GPUs is under way, so they are not known; ask again in a few seconds',
    )
  },
)

const AMD = {
  host: 'tool=amd-smi\n',
  cards: `${JSON.stringify([{ gpu: 0, temperature: { hotspot: { value: 41, unit: 'C' } } }])}\n${JSON.stringify([{ gpu: 0, asic: { market_name: 'MI300X' }, driver: { version: '6.16.6' } }])}\n`,
  apps: '',
}

test('why a card is slowed down, and what of its memory fails, is said only where it was told', async () => {
  const columns = 'index,name,temperature.gpu,retired_pages.pending,clocks_event_reasons.active'
  const rows = (second: string) => `columns ${columns}\n0, A6000, 41, No, 0x01\n1, A6000, 44, No, ${second}\n`
  const heat = async (text: string) => {
    const told = await doctor('/gpu doctor box', { box: { health: health({ cards: text }) } })
    return [lineOf(told, 'heat and throttling'), lineOf(told, 'memory of the cards (ECC, rows)')]
  }
  const rowsOnly = '✓ memory of the cards (ECC, rows): no row waits to be replaced'
  expect(await heat(rows('0x01'))).toEqual([
    '✓ heat and throttling: 44 °C at most, and no card is slowed down by heat or power supply',
    rowsOnly,
  ])
  const untold = '? heat and throttling: 44 °C at most; whether a card is slowed down is not told'
  expect(await heat(rows('[N/A]'))).toEqual([untold, rowsOnly])
  const short = 'columns index,name,temperature.gpu\n0, A6000, 41\n1, A6000, 44\n'
  expect((await heat(short))[0]).toBe(untold)
})

test('a host that does not tell its time: the age of no line is known', async () => {
  const told = await doctor('/gpu doctor box', {
    box: { health: health({ machine: machine({ time: '' }) }), kernel: [xid(79)] },
  })
  expect(lineOf(told, 'card faults (Xid)')).toBe(
    "? card faults (Xid): the kernel's log could not be read: the host does not tell its time, so the age of its lines is not known",
  )
})

test('a shell that is slow only beside other calls is none', async () => {
  const told = await doctor('/gpu doctor box', { box: { shellMs: 640, aloneMs: 24 } })
  expect(lineOf(told, 'login shell')).toBe('✓ login shell: 24 ms with the gate')
})

test('a machine of no target has no line of units', async () => {
  const told = await doctor('/gpu doctor box', { box: {} }, false)
  expect(told.title).toBe('box: all 11 checks are fine')
  expect(lineOf(told, 'units')).toBeUndefined()
})

test('a machine without GPUs is told so, and asked nothing of them', async () => {
  const told = await doctor('/gpu doctor box', {
    box: { health: health({ machine: machine({ driver: '' }), cards: null, devices: '' }), pci: [] },
  })
  expect(lineOf(told, 'cards')).toBe(
    '? cards: no card of NVIDIA or AMD is on the PCI bus, so nothing of GPUs was looked at',
  )
  expect(linesOf(told).map((line) => line.slice(2).split(':')[0])).toEqual([
    'cards',
    'RAM',
    'disk',
    '/dev/shm',
    'units',
    'login shell',
  ])
})

const WARD: Readonly<Record<string, HealthHost>> = {
  'box-1': {},
  'box-2': { shellMs: 640 },
  'box-3': { kernel: [xid(79)], shellMs: 400 },
  'box-4': { fails: failure('box-4', 'refused', 'connection refused', 'start sshd there') },
}

test('of many: only what is not well, the worst host first, each with a button', async () => {
  const told = await doctor('/gpu doctor', WARD)
  expect(told.title).toBe('1 of 4 hosts is well: 1 gave no answer, 1 with a fault, 1 with a warning')
  expect(told.summary).toBe('box-4: connection refused.\nNext: start sshd there.')
  const rows = told.tables[0]?.rows ?? []
  expect(rows.map((row) => row.slice(0, 3))).toEqual([
    ['box-4', 'No answer', '–'],
    ['box-3', 'Fault', 'card faults (Xid)'],
    ['box-3', 'Warning', 'login shell'],
    ['box-2', 'Warning', 'login shell'],
  ])
  expect(rows[1]?.[3]).toMatch(/^gpu\.off-bus: /)
  expect(told.actions.map(({ line }) => line)).toEqual(['gpu doctor box-4', 'gpu doctor box-3', 'gpu doctor box-2'])
})

test('all well is said in one line', async () => {
  expect(await doctor('/gpu doctor', { one: {}, two: {} })).toMatchObject({
    title: 'All 2 hosts are well',
    tables: [],
    tone: 'good',
  })
})

test('where most are out of reach the bot says that it cannot see, and accuses none', async () => {
  const gone = { fails: failure('box', 'connect-timeout', 'no answer within 10 s') }
  const told = await doctor('/gpu doctor', { a: gone, b: gone, c: gone, d: {} })
  expect(told).toMatchObject({ tone: 'warning', status: 'inconclusive', actions: [] })
  expect(told.title).toMatch(/^Pilotflame itself cannot see: 3 of 4 hosts/)
})

test('a target stands for its host, and a name that is nobody is refused', async () => {
  expect((await doctor('/gpu doctor box-1', WARD)).title).toMatch(/^box-1: /)
  expect((await doctor('/gpu doctor box-9', WARD)).title).toMatch(/no host and no target “box-9”/)
})

test('for machines: every check with its state and code', async () => {
  const told = await doctor('/gpu doctor box-3', WARD)
  expect(told.json).toMatchObject({
    verdict: 'hardware-fault',
    cannot_see: false,
    hosts: [
      {
        host: 'box-3',
        state: 'fault',
        failure: null,
        checks: expect.arrayContaining([
          { check: 'card faults (Xid)', state: 'fault', said: expect.any(String), code: 'gpu.off-bus' },
          { check: 'RAM', state: 'ok', said: expect.any(String), code: null },
        ]),
      },
    ],
  })
})

test.each(['gpu doctor', 'gpu doctor box-3'])('%s', async (line) => {
  const told = await doctor(`/${line}`, WARD)
  const text = renderReport(told, { style: paint(false), clean: (words) => words, remembers: true, full: true })
  await expect(text).toMatchFileSnapshot(`golden/${line}.txt`)
})
