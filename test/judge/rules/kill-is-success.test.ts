import type { Evidence } from '../../../src/domain/finding.ts'
import type { UnitState } from '../../../src/domain/unit.ts'
import { killIsSuccess } from '../../../src/judge/rules/kill-is-success.ts'
import { unitOf } from '../ran.ts'
import { ruleTable } from '../rule-table.ts'

const unit = (change: Partial<UnitState>): Evidence => ({
  target: { name: 'qwen', url: '', host: 'box' },
  unit: unitOf('active', { restart: 'on-failure', successStatuses: ['KILL'], ...change }),
})

ruleTable(killIsSuccess, {
  speaks: {
    'as systemd prints it': [
      unit({}),
      { code: 'unit.kill-is-success', verdict: 'misconfigured', confidence: 'certain' },
    ],
    'as it is written': [unit({ successStatuses: ['143', 'SIGKILL'] }), { code: 'unit.kill-is-success' }],
    'on-abnormal': [unit({ restart: 'on-abnormal' }), { code: 'unit.kill-is-success' }],
    'a unit that has ended': [unit({ activeState: 'inactive', subState: 'dead' }), { code: 'unit.kill-is-success' }],
  },
  silent: {
    'nothing but 0': unit({ successStatuses: [] }),
    'the end by TERM, which is in order': unit({ successStatuses: ['143', 'TERM'] }),
    'exit status 9 is no signal': unit({ successStatuses: ['9'] }),
    'it is always restarted': unit({ restart: 'always' }),
    'it is never restarted': unit({ restart: 'no' }),
    'not told': unit({ restart: null }),
    'no unit': { target: { name: 'qwen', url: '', host: null } },
  },
})
