import { expect, test } from 'vitest'
import { readLinks } from '../../../src/judge/gpu/nvlink.ts'
import { nvlink } from '../../../src/judge/rules/nvlink.ts'
import { machineOf, onMachine } from '../machine.ts'
import { ruleTable } from '../rule-table.ts'

/** `+` runs, `-` does not; one word a card */
function status(...cards: readonly string[]): string {
  return cards
    .map((links, index) =>
      [
        `GPU ${index}: NVIDIA A100-SXM4-80GB (UUID: GPU-${index})`,
        ...[...links].map((sign, at) => `\t Link ${at}: ${sign === '+' ? '25 GB/s' : '<inactive>'}`),
      ].join('\n'),
    )
    .join('\n')
}

const on = (...cards: readonly string[]) => onMachine({ links: { text: `${status(...cards)}\n`, rc: 0 } })

ruleTable(nvlink, {
  speaks: {
    'one link of one card': [on('++++', '+++-'), { code: 'gpu.nvlink-down', verdict: 'degraded' }],
    'links of two cards, not alike': [on('+---', '++--'), { confidence: 'likely' }],
  },
  silent: {
    'all run': on('++++', '++++'),
    'none runs: no bridge': on('----', '----'),
    'a bridge of fewer links than the cards have': on('++--', '++--'),
    'one card with a bridge, one without': on('++++', '----'),
    'not asked': onMachine({ links: null }),
    'no NVLink': onMachine({ links: { text: '', rc: 0 } }),
    'no machine': { target: { name: 'box', url: '', host: null } },
  },
})

test('what the tool prints is read, and another line is none', () => {
  expect(readLinks(`${status('+-')}\nUnable to retrieve NVLink information as all links are inActive\n`)).toEqual([
    { index: 0, active: 1, down: [1] },
  ])
  expect(machineOf().links).toBeNull()
})
