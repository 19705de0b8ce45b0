import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { CardsTold } from '../../src/domain/telemetry.ts'
import { nvidiaSmi } from '../../src/telemetry/nvidia-smi.ts'
import { telemetryContract } from '../contract/telemetry.ts'

const A6000 = { name: 'NVIDIA RTX A6000', driver: '535.261.03', lost: false, needsReset: false }
const ONE = 'GPU-8f6b1c2d-0000-1111-2222-333344445555'
const OTHER = 'GPU-9a7c2d3e-0000-1111-2222-333344445555'

telemetryContract({
  telemetry: nvidiaSmi,
  good: 'a6000',
  recordings: {
    a6000: {
      cards: [
        {
          ...{ ...A6000, index: 0, uuid: ONE, slot: '00000000:01:00.0', memoryTotalMiB: 49_140, memoryUsedMiB: 43_210 },
          ...{ utilization: 0, temperature: 41, powerW: 22.18, powerLimitW: 300, fan: 30, pstate: 'P8', gaps: [] },
        },
        { ...A6000, index: 1, utilization: 97, temperature: 71, powerW: 288.01, pstate: 'P2' },
      ],
      processes: [
        { gpuUuid: ONE, pid: 4300, name: 'sglang::scheduler_TP0', memoryMiB: 43_010, facts: null },
        { gpuUuid: OTHER, pid: 4301, name: 'sglang::scheduler_TP1', memoryMiB: 42_988 },
      ],
    },
    lost: {
      cards: [A6000, { ...A6000, index: 1, uuid: OTHER, memoryTotalMiB: null, temperature: null, lost: true }],
      processes: [],
      code: 'gpu.off-bus',
    },
    gb10: {
      cards: [{ name: 'NVIDIA GB10', memoryTotalMiB: null, memoryUsedMiB: null, utilization: 12, powerLimitW: null }],
      processes: [{ pid: 5150, name: null, memoryMiB: null }],
    },
  },
  failures: { 'no-driver': ['driver.not-loaded', /couldn't communicate with the NVIDIA driver/] },
  noProcesses: '',
})

const TOLD: CardsTold = {
  ...{ tool: 'nvidia-smi', cards: null, apps: null, processes: [], units: {}, at: null, place: 'host' },
}

test('units and headers, where a wrapper adds them, are read and not shown', () => {
  const header =
    'index, uuid, pci.bus_id, name, driver_version, memory.total [MiB], memory.used [MiB], utilization.gpu [%], temperature.gpu, power.draw [W], power.limit [W], fan.speed [%], pstate'
  const row = `0, ${ONE}, 00000000:01:00.0, NVIDIA L4, 580.95.05, 23034 MiB, 9 MiB, 3 %, 31, 12.10 W, 72.00 W, [N/A], P8`
  const { gpus } = nvidiaSmi.read({ ...TOLD, cards: { text: `${header}\n${row}`, rc: 0 } })
  expect(gpus.notes).toEqual([])
  expect(gpus.cards).toMatchObject([
    { memoryTotalMiB: 23_034, memoryUsedMiB: 9, utilization: 3, powerW: 12.1, powerLimitW: 72, fan: null },
  ])
})

test('reads just the columns that the gate asks for', () => {
  const gate = readFileSync(new URL('../../deploy/host/pilotflame-gate', import.meta.url), 'utf8')
  const source = readFileSync(new URL('../../src/telemetry/nvidia-smi.ts', import.meta.url), 'utf8')
  const asked = (name: string): string =>
    [...(new RegExp(`^${name}\\(\\) \\{[^}]*`, 'm').exec(gate)?.[0] ?? '').matchAll(/query=(?:\$query,)?([\w.,]+)/g)]
      .map(([, columns]) => columns)
      .join(',')
  expect(asked('card_query').split(',')).toHaveLength(13)
  expect(source).toContain(`--query-gpu=${asked('card_query')}'`)
  expect(source).toContain(`--query-compute-apps=${asked('app_query')}'`)
})
