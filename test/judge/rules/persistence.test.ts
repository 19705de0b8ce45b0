import { persistence } from '../../../src/judge/rules/persistence.ts'
import { cardWith, machineOf, onMachine } from '../machine.ts'
import { ruleTable } from '../rule-table.ts'

const off = cardWith({ persistence_mode: 'Disabled' })
const on = cardWith({ persistence_mode: 'Enabled' })
const { machine: _, ...pasted } = onMachine({}, [off])

ruleTable(persistence, {
  speaks: {
    'it is off': [onMachine({}, [off]), { code: 'driver.persistence-off', verdict: 'degraded' }],
    'on one of two': [onMachine({}, [on, off]), { confidence: 'certain' }],
    'in a container': [onMachine({ container: 'lxc' }, [off]), { code: 'driver.persistence-off' }],
    'systemd does not answer': [onMachine({ services: null }, [off]), { code: 'driver.persistence-off' }],
  },
  silent: {
    'it is on': onMachine({}, [on]),
    'nothing is told': onMachine({}, [cardWith({})]),
    'not reported': onMachine({}, [cardWith({ persistence_mode: '[N/A]' })]),
    'under Windows': onMachine({ container: 'wsl' }, [off]),
    'somebody pasted an output': pasted,
    'no card': { target: { name: 'box', url: '', host: 'box' }, machine: machineOf() },
  },
})
