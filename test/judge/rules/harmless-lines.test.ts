import { describe, expect, test } from 'vitest'
import { diagnose } from '../../../src/judge/diagnose.ts'
import { HARMLESS } from '../../../src/judge/log/quiet.ts'
import { harmlessInLog } from '../../../src/judge/rules/harmless-lines.ts'
import { rules } from '../../../src/judge/rules/index.ts'
import { ruleTable } from '../rule-table.ts'
import { READY, shown } from '../shown-log.ts'

const P2P =
  '[t TP1] Setup Custom allreduce failed with CUDART error: peer access is not supported between these two devices.'
const GLOO = '[Gloo] Rank 0 is connected to 0 peer ranks. Expected number of connected peer ranks is : 0'

ruleTable(harmlessInLog, {
  speaks: {
    'a warning before the ready line': [
      shown([P2P, P2P, READY]),
      {
        code: 'ok.warning',
        verdict: 'healthy',
        confidence: 'certain',
        because: [`log line 1: “${P2P}”`, '2 lines of this kind', `log line 3: “${READY}”`],
        remedy: [expect.stringContaining('--disable-custom-all-reduce')],
      },
    ],
    'a remark alone': [shown(GLOO), { code: 'ok.info', confidence: 'likely' }],
  },
  silent: {
    'a rank that misses another': shown(
      '[Gloo] Rank 0 is connected to 0 peer ranks. Expected number of connected peer ranks is : 1',
    ),
    'beside an error that nobody knows': shown([P2P, 'ValueError: the rope of this model is not known']),
    'beside a death': shown([GLOO, '[t] Received sigquit from a child process.']),
    'beside a custom all-reduce that broke on something else': shown(
      '[TP0] Setup Custom allreduce failed with invalid device ordinal',
    ),
    'no odd line': shown(READY),
  },
})

describe('each harmless line', () => {
  test.each(HARMLESS.map(({ name, example }) => [name, example]))(
    '%s is healthy before the ready line',
    (_, example) => {
      expect(diagnose(shown([example, READY]), rules)).toMatchObject({ verdict: 'healthy' })
    },
  )

  test.each(HARMLESS.map(({ name, example }) => [name, example]))('%s heals no crash', (_, example) => {
    const crash = [
      '[t TP0] Scheduler hit an exception: Traceback (most recent call last):',
      'ValueError: something new',
    ]
    expect(diagnose(shown([example, ...crash]), rules).verdict).not.toBe('healthy')
  })
})
