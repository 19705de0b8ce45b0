import { expect, test } from 'vitest'
import type { CardsTold } from '../../src/domain/telemetry.ts'
import { amdSmi } from '../../src/telemetry/amd-smi.ts'
import { telemetryContract } from '../contract/telemetry.ts'

const R9700 = { name: 'AMD Radeon AI PRO R9700', driver: '6.16.6', memoryTotalMiB: 32_624, memoryUsedMiB: 29_777 }
const PYTHON = { name: '/usr/bin/python3.12', gpuUuid: null }

telemetryContract({
  telemetry: amdSmi,
  good: 'r9700',
  recordings: {
    r9700: {
      cards: [
        {
          ...{ ...R9700, index: 0, uuid: '0xB206404C71C2DFE1', slot: '0000:03:00.0', utilization: 100 },
          ...{ temperature: 79, powerW: 103, powerLimitW: 300, fan: null, pstate: null, gaps: [] },
        },
        { ...R9700, index: 1, uuid: '0xB206404C71C2DFE2', temperature: 80, powerW: 92 },
      ],
      // each once, though the tool lists it under both cards with all that it holds
      processes: [
        { ...PYTHON, pid: 213_534, memoryMiB: 0.053 },
        { ...PYTHON, pid: 213_952, memoryMiB: 20_035.667 },
        { ...PYTHON, pid: 213_953, memoryMiB: 19_553.944 },
      ],
    },
    'strix-halo': {
      cards: [
        {
          ...{ index: 0, name: expect.stringContaining('Strix Halo'), uuid: '0000:c4:00.0', powerLimitW: null },
          ...{ memoryTotalMiB: 32_768, temperature: 45, utilization: 3 },
        },
      ],
      processes: [],
    },
    partitions: {
      cards: [
        { uuid: '0000:05:00.0', temperature: 61, powerLimitW: 750 },
        { uuid: '0000:06:00.0', temperature: 62, utilization: 41 },
      ],
      processes: [{ gpuUuid: '0000:05:00.0', pid: 4242, memoryMiB: 115_394.592 }],
    },
  },
  failures: {
    'no-driver': ['driver.not-loaded', /^ERROR: Driver not loaded/],
    complaint: ['host.permission', /Permission Denied' \(error code -10\)$/],
  },
  noProcesses:
    '[\n    {\n        "gpu": 0,\n        "process_list": [\n            {\n                "process_info": "N/A"\n            }\n        ]\n    }\n]',
})

const TOLD: CardsTold = {
  ...{ tool: 'amd-smi', cards: null, apps: null, processes: [], units: {}, at: null, place: 'host' },
}
const CARDS = { rc: 0, text: '[{"gpu": 0, "bdf": "0000:03:00.0"}, {"gpu": 1, "bdf": "0000:43:00.0"}]' }
const usersOf = (...lists: readonly (readonly object[])[]) => {
  const told = lists.map((list, gpu) => ({ gpu, process_list: list.map((info) => ({ process_info: info })) }))
  return amdSmi.read({ ...TOLD, cards: CARDS, apps: { rc: 0, text: JSON.stringify(told) } }).processes
}

test.each([
  [{ memory_usage: { vram_mem: 1_048_576 } }, 1],
  [{ memory_usage: { vram_mem: { value: 2, unit: 'MB' } } }, 2],
  [{ mem_usage: { value: 3_145_728, unit: 'B' } }, 3],
  [{ mem_usage: 'N/A' }, null],
  [{}, null],
])('the memory of a process %j: %s MiB', (memory, memoryMiB) => {
  expect(usersOf([{ pid: '12', name: 'N/A', ...memory }])).toEqual([
    { gpuUuid: '0000:03:00.0', pid: 12, name: null, memoryMiB, facts: null },
  ])
})

test('a process on two cards with a share on each stands under each, and so does one whose shares are not told', () => {
  const of = (bytes: number | string) => ({ pid: 12, memory_usage: { vram_mem: bytes } })
  expect(usersOf([of(1_048_576)], [of(2_097_152)])).toMatchObject([
    { gpuUuid: '0000:03:00.0', memoryMiB: 1 },
    { gpuUuid: '0000:43:00.0', memoryMiB: 2 },
  ])
  expect(usersOf([of('N/A')], [of('N/A')])).toMatchObject([
    { gpuUuid: '0000:03:00.0', memoryMiB: null },
    { gpuUuid: '0000:43:00.0', memoryMiB: null },
  ])
})
