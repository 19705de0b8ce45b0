import { expect, test } from 'vitest'
import type { CardsTold } from '../../src/domain/telemetry.ts'
import { rocmSmi } from '../../src/telemetry/rocm-smi.ts'
import { telemetryContract } from '../contract/telemetry.ts'

const MI210 = { name: 'AMD INSTINCT MI200 (MCM) OAM LC MBA HPE C2', driver: '5.16.9.22.20', memoryTotalMiB: 65_520 }

telemetryContract({
  telemetry: rocmSmi,
  good: 'mi210',
  recordings: {
    mi210: {
      cards: [
        {
          ...{ ...MI210, index: 0, uuid: '0x33d8808f71bf6cd4', slot: '0000:03:00.0', memoryUsedMiB: 10.496 },
          ...{ utilization: 0, temperature: 35, powerW: 40, powerLimitW: 300, fan: null, gaps: [] },
        },
        { ...MI210, index: 1, utilization: 99, temperature: 61, powerW: 281 },
      ],
      processes: [
        { gpuUuid: null, pid: 28_389, name: 'llama-server', memoryMiB: 57_333.5 },
        { pid: 28_390, name: null, memoryMiB: null },
      ],
    },
    '7900xt': {
      cards: [{ name: 'Radeon RX 7900 XT', uuid: '0x3d4595974090853c', driver: null, fan: 30, powerLimitW: 220 }],
      processes: [],
    },
  },
  failures: { 'no-driver': ['driver.not-loaded', /Driver not initialized \(amdgpu/] },
  noProcesses: 'WARNING: No JSON data to report',
})

const TOLD: CardsTold = {
  ...{ tool: 'rocm-smi', cards: null, apps: null, processes: [], units: {}, at: null, place: 'host' },
}

test.each([
  ['python3.12, 8, 1048576, 0, 12', 'python3.12', 1],
  ['my, long, name, 1, 1048576, 0', 'my, long, name', 1],
  ['python, unknown, unknown, unknown, unknown', 'python', null],
])('a process %j', (told, name, memoryMiB) => {
  const cards = { rc: 0, text: '{"card0": {"Unique ID": "0x1"}}' }
  const apps = { rc: 0, text: JSON.stringify({ system: { PID77: told } }) }
  // with one card it is known where
  expect(rocmSmi.read({ ...TOLD, cards, apps }).processes).toEqual([
    { gpuUuid: '0x1', pid: 77, name, memoryMiB, facts: null },
  ])
})

test('cards that list nothing are a complaint', () => {
  const { gpus } = rocmSmi.read({ ...TOLD, cards: { rc: 0, text: 'WARNING: No JSON data to report' } })
  expect(gpus).toMatchObject({ cards: [], notes: ['WARNING: No JSON data to report'] })
})
