import { pcieLink } from '../../../src/judge/rules/pcie-link.ts'
import { cardWith, onMachine } from '../machine.ts'
import { ruleTable } from '../rule-table.ts'

const link = (width: string, generation: string, state: readonly [pstate: string, utilization: string] = ['P8', '0']) =>
  cardWith(
    {
      'pcie.link.width.current': width,
      'pcie.link.width.max': '16',
      'pcie.link.gen.current': generation,
      'pcie.link.gen.max': '4',
    },
    { pstate: state[0], utilization: state[1] },
  )
const on = (...cards: readonly ReturnType<typeof link>[]) => onMachine({}, cards)
const { machine: _, ...pasted } = on(link('4', '4'))

ruleTable(pcieLink, {
  speaks: {
    'a quarter of the lanes': [on(link('4', '4')), { code: 'gpu.pcie-slow', verdict: 'degraded' }],
    'one lane': [on(link('1', '4')), { confidence: 'likely' }],
    'an old generation at work': [on(link('16', '1', ['P0', '97'])), { code: 'gpu.pcie-slow' }],
    'one generation less at work': [on(link('16', '3', ['P2', '20'])), { code: 'gpu.pcie-slow' }],
    'the second card': [on(link('16', '4'), link('2', '4')), { code: 'gpu.pcie-slow' }],
  },
  silent: {
    'all of it': on(link('16', '4')),
    'half the lanes, as many boards are built': on(link('8', '4')),
    'an idle card saves power': on(link('16', '1')),
    'a card that begins to work': on(link('16', '1', ['P0', '19'])),
    'a card at work in a slow state': on(link('16', '1', ['P5', '90'])),
    'in a virtual machine': onMachine({ vm: 'kvm' }, [link('1', '1', ['P0', '97'])]),
    'under Windows': onMachine({ container: 'wsl' }, [link('4', '4')]),
    'not told': on(link('[N/A]', '[N/A]', ['P0', '97'])),
    'no width': on(link('0', '4')),
    'somebody pasted an output': pasted,
  },
})
