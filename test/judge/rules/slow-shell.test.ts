import { slowShell } from '../../../src/judge/rules/slow-shell.ts'
import { onMachine } from '../machine.ts'
import { ruleTable } from '../rule-table.ts'

ruleTable(slowShell, {
  speaks: {
    'half a second': [
      { ...onMachine(), shellMs: 512.3 },
      {
        code: 'ssh.slow-shell',
        verdict: 'degraded',
        because: ['the fastest of the calls: 512 ms', 'the limit: 100 ms'],
      },
    ],
    'just above 100 ms': [{ ...onMachine(), shellMs: 101 }, { confidence: 'likely' }],
    'with the script sent': [{ ...onMachine({ delivery: 'quick' }), shellMs: 251 }, { code: 'ssh.slow-shell' }],
  },
  silent: {
    'a plain shell': { ...onMachine(), shellMs: 22 },
    '100 ms': { ...onMachine(), shellMs: 100 },
    'the script is sent with each verb': { ...onMachine({ delivery: 'quick' }), shellMs: 240 },
    'not measured': onMachine(),
    'no look at its health': { target: { name: 'box', url: '', host: null }, shellMs: 900 },
  },
})
