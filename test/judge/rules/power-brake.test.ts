import { powerBrake } from '../../../src/judge/rules/power-brake.ts'
import { cardWith, onMachine } from '../machine.ts'
import { ruleTable } from '../rule-table.ts'

const reasons = (mask: string) => onMachine({}, [cardWith({ 'clocks_event_reasons.active': mask })])

ruleTable(powerBrake, {
  speaks: {
    'by its own name': [
      onMachine({}, [cardWith({ 'clocks_throttle_reasons.hw_power_brake_slowdown': 'Active' })]),
      { code: 'gpu.power-brake', verdict: 'degraded' },
    ],
    'by the mask': [reasons('0x0000000000000080'), { confidence: 'certain' }],
    'with the general slowdown of the hardware': [reasons('0x0000000000000088'), { code: 'gpu.power-brake' }],
    'of -q': [
      onMachine({}, [cardWith({ 'Clocks Event Reasons.HW Power Brake Slowdown': 'Active' })]),
      { code: 'gpu.power-brake' },
    ],
  },
  silent: {
    'not active': onMachine({}, [cardWith({ 'clocks_throttle_reasons.hw_power_brake_slowdown': 'Not Active' })]),
    'at rest': reasons('0x0000000000000001'),
    'at its own limit of power': reasons('0x0000000000000004'),
    'by the heat': reasons('0x0000000000000040'),
    'no mask': reasons('[N/A]'),
    'nothing told': onMachine({}, [cardWith({})]),
  },
})
