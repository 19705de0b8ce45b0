import { expect, test } from 'vitest'
import { hostHealth } from '../../../src/domain/verbs/index.ts'
import { GOOD } from './good.ts'
import { reply } from './replies.ts'

const MACHINE =
  'kernel=6.8.0\nuptime=12\ntime=1767225600\ncontainer=none\nvm=none\ndriver=\nMemTotal=100\nMemAvailable=50\n'
const read = (sections: Parameters<typeof reply>[0]) => {
  const health = hostHealth.parse(reply({ machine: MACHINE, ...sections }), {})
  return health.ok ? health.value : health.failure
}

test('everything that a host tells', () => {
  const good = GOOD.find(({ name }) => name === 'host-health')
  expect(good?.parse(good.answer)).toEqual({
    ok: true,
    value: {
      delivery: 'quick',
      kernel: '6.8.12-8-pve',
      uptimeS: 5123,
      timeMs: 1_767_225_600_000,
      container: 'lxc',
      vm: null,
      driver: '580.95.05',
      memory: { totalKiB: 263_856_168, availableKiB: 248_120_404, swapTotalKiB: 0, swapFreeKiB: 0 },
      devices: [
        { name: 'nvidia0', usable: true },
        { name: 'nvidiactl', usable: false },
      ],
      services: [
        { name: 'nvidia-fabricmanager.service', loadState: 'not-found', activeState: 'inactive' },
        { name: 'nvidia-persistenced.service', loadState: 'loaded', activeState: 'active' },
      ],
      places: [{ device: '/dev/vda', mount: '/', sizeKiB: 264_212_084, usedKiB: 28_297_552, freeKiB: 78_093_360 }],
      cards: { columns: 'index,uuid,persistence_mode', text: '0, GPU-1, Enabled\n', rc: 0 },
      unasked: null,
      links: { text: 'GPU 0: NVIDIA RTX A6000 (UUID: GPU-1)\n\t Link 0: 14.062 GB/s\n', rc: 0 },
    },
  })
})

test('a machine of which little is there', () => {
  expect(read({ services: [127, 'timeout: systemctl: not found\n'], disk: [124, ''], devices: '' })).toMatchObject({
    ...{ container: null, vm: null, driver: null, devices: [], services: null, places: [], cards: null, links: null },
    memory: { totalKiB: 100, availableKiB: 50, swapTotalKiB: null, swapFreeKiB: null },
  })
})

test('a tool that failed keeps its words and its status, also without what was asked', () => {
  expect(read({ cards: [9, 'columns index,uuid\nNVIDIA-SMI has failed\n'] })).toMatchObject({
    cards: { columns: 'index,uuid', text: 'NVIDIA-SMI has failed\n', rc: 9 },
  })
  expect(read({ cards: [124, ''] })).toMatchObject({ cards: { columns: '', text: '', rc: 124 } })
  expect(read({ held: '/usr/bin/nvidia-smi\n' })).toMatchObject({ cards: null, unasked: 'held' })
  expect(read({ 'in-use': '/usr/bin/nvidia-smi\n' })).toMatchObject({ cards: null, unasked: 'in-use' })
})

test.each([
  [69, 'tool-missing flock', 'flock is not installed'],
  [77, 'permission no home: no folder', 'the account may not do this (no home: no folder)'],
  [77, '', 'the account may not do this'],
])('a tool for which there is no lock (%i, %j) was not asked, and why', (rc, text, unlocked) => {
  expect(read({ unlocked: [rc, `${text}\n`] })).toMatchObject({ cards: null, unasked: null, unlocked })
})

test.each([
  ['nvidia0 rw', [{ name: 'nvidia0', usable: true }]],
  ['kfd -', [{ name: 'kfd', usable: false }]],
  ['nvidia0', []],
  ['../nvidia0 rw', []],
  [`${'n'.repeat(65)} rw`, []],
])('the device line %j', (line, devices) => {
  expect(read({ devices: `${line}\n` })).toMatchObject({ devices })
})

test('without its first section it is no answer', () => {
  expect(hostHealth.parse(reply({ disk: '' }), {})).toMatchObject({ failure: { kind: 'gate-garbled' } })
})
