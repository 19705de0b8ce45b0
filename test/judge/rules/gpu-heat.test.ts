import { expect } from 'vitest'
import { gpuHeat } from '../../../src/judge/rules/gpu-heat.ts'
import { QUERY, ran, rows, WELL } from '../ran.ts'
import { ruleTable } from '../rule-table.ts'

const ask = (fields: string, ...cells: readonly string[]) =>
  ran(`nvidia-smi --query-gpu=${fields} --format=csv,noheader,nounits`, `${cells.join('\n')}\n`)
const says = (words: string) => expect.stringContaining(words)
const HEAT = { code: 'gpu.thermal', verdict: 'degraded' } as const

ruleTable(gpuHeat, {
  speaks: {
    'hotter than a card of a server works': [
      ask('index,name,temperature.gpu', '0, NVIDIA L40S, 91', '1, NVIDIA L40S, 44'),
      {
        ...HEAT,
        confidence: 'likely',
        cause: says('GPU 0 (NVIDIA L40S) is at 91 °C'),
        unless: says('nvidia-smi -q -d TEMPERATURE'),
      },
    ],
    'by hardware': [
      ask(
        'index,temperature.gpu,clocks.sm,clocks.max.sm,clocks_throttle_reasons.hw_thermal_slowdown',
        '0, 91, 525, 2100, Active',
        '1, 62, 1965, 2100, Not Active',
      ),
      { ...HEAT, confidence: 'certain', cause: says('GPU 0 slows down at 91 °C') },
    ],
    'by hardware, with its limit of power': [
      ask('index,temperature.gpu,power.limit,clocks_throttle_reasons.hw_thermal_slowdown', '3, 91, 300.00, Active'),
      { ...HEAT, remedy: expect.arrayContaining([says('sudo nvidia-smi -i 3 -pl 240 (some 80 % of its 300 W')]) },
    ],
    'by software, of newer drivers': [ask('index,clocks_event_reasons.sw_thermal_slowdown', '0, Active'), HEAT],
    'a mask': [ask('index,clocks_throttle_reasons.active', '0, 0x0000000000000040'), { ...HEAT, confidence: 'likely' }],
    'a general slowdown': [
      ask('index,clocks_throttle_reasons.hw_slowdown', '0, Active'),
      { ...HEAT, confidence: 'likely', unless: says('power brake') },
    ],
    'a report': [
      ran(
        'nvidia-smi -q -d PERFORMANCE',
        '    Clocks Event Reasons\n        SW Power Cap                      : Not Active\n        SW Thermal Slowdown               : Active\n',
      ),
      HEAT,
    ],
    'hot, and far below its clocks': [ask('index,temperature.gpu,clocks.sm,clocks.max.sm', '0, 89, 405, 2100'), HEAT],
    'hotter than any card works': [ran(QUERY, rows('40000, 49140, 99, 97, 280.00, 100')), HEAT],
    AMD: [ran('dmesg', 'amdgpu 0000:03:00.0: amdgpu: ERROR: GPU over temperature range(SW CTF) detected!\n'), HEAT],
  },
  silent: {
    'warm for a card of a server, at 89 °C': ask('index,name,temperature.gpu', '0, NVIDIA A100-SXM4-80GB, 89'),
    'hot for a card of a server, usual on a desktop': ask(
      'index,name,temperature.gpu',
      '0, NVIDIA GeForce RTX 3090, 91',
    ),
    'a workstation card by a name alike': ask('index,name,temperature.gpu', '0, NVIDIA RTX A4000, 91'),
    'warm at work': ran(QUERY, rows('40000, 49140, 99, 84, 299.00, 80')),
    cool: ran(QUERY, rows(WELL)),
    'a limit of power': ask(
      'index,clocks_throttle_reasons.sw_power_cap,clocks_throttle_reasons.hw_thermal_slowdown',
      '0, Active, Not Active',
    ),
    'a limit of power, as a mask': ask('index,clocks_throttle_reasons.active', '0, 0x0000000000000004'),
    'idle, as a mask': ask('index,clocks_event_reasons.active', '0, 0x0000000000000001'),
    'a power brake': ask(
      'index,clocks_throttle_reasons.hw_slowdown,clocks_throttle_reasons.hw_power_brake_slowdown',
      '0, Active, Active',
    ),
    'low clocks of a cool card': ask('index,temperature.gpu,clocks.sm,clocks.max.sm', '0, 34, 210, 2100'),
    'not reported': ask('index,clocks_throttle_reasons.hw_thermal_slowdown', '0, [N/A]'),
    'a temperature that is none': ask('index,temperature.gpu', '0, [N/A]'),
  },
})
