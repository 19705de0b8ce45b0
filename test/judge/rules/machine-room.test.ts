import { expect, test } from 'vitest'
import { machineRoom, room } from '../../../src/judge/rules/machine-room.ts'
import { cardWith, onMachine, place } from '../machine.ts'
import { ruleTable } from '../rule-table.ts'

const GIB = 1024 * 1024
const memory = (total: number, available: number, swap = 0) =>
  onMachine({
    memory: {
      totalKiB: total * GIB,
      availableKiB: Math.round(available * GIB),
      swapTotalKiB: swap * GIB,
      swapFreeKiB: 0,
    },
  })
const places = (...list: readonly ReturnType<typeof place>[]) => onMachine({ places: list })
const two = [cardWith({}), cardWith({}, { index: '1' })]

ruleTable(machineRoom, {
  speaks: {
    'no memory left': [memory(256, 4), { code: 'host.memory-low', verdict: 'degraded' }],
    'none left, and swap used up': [memory(64, 1, 8), { code: 'host.memory-low' }],
    'a full disk': [places(place('/', 500, 3)), { code: 'host.disk-full', verdict: 'degraded' }],
    'a full disk of models': [places(place('/', 500, 300), place('/srv/models', 4000, 0)), { code: 'host.disk-full' }],
    'small shared memory for two cards': [
      onMachine({ places: [place('/dev/shm', 0.0625, 0.0625)] }, two),
      { code: 'container.shm', verdict: 'misconfigured', confidence: 'likely' },
    ],
    'shared memory that is used up': [
      places(place('/dev/shm', 64, 1)),
      { code: 'container.shm', confidence: 'certain' },
    ],
  },
  silent: {
    'room for all': onMachine({}, two),
    'a twentieth, and plenty': memory(1024, 30),
    'more than a twentieth of little': memory(16, 2),
    'memory that is not told': onMachine({
      memory: { totalKiB: null, availableKiB: null, swapTotalKiB: null, swapFreeKiB: null },
    }),
    'little of a large disk, and plenty': places(place('/', 8000, 100)),
    'a small disk with room': places(place('/tmp', 0.5, 0.4)),
    'a disk that nobody can write': places({ ...place('/', 1, 0), device: '/dev/loop3' }),
    'a disk of no size': places(place('/proc', 0, 0)),
    'small shared memory and one card': onMachine({ places: [place('/dev/shm', 0.0625, 0.0625)] }, [cardWith({})]),
    'no df': places(),
    'no machine': { target: { name: 'box', url: '', host: null } },
  },
})

test('sizes are said in the unit that suits them', () => {
  expect([room(65_536), room(GIB), room(98.5 * GIB)]).toEqual(['64 MiB', '1.0 GiB', '98.5 GiB'])
})
