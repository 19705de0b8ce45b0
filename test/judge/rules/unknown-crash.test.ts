import { expect } from 'vitest'
import { unknownCrash } from '../../../src/judge/rules/unknown-crash.ts'
import { logged, ORDINARY, READY } from '../logged.ts'
import { ruleTable } from '../rule-table.ts'

const EXCEPTION = '[t TP0] Scheduler hit an exception: Traceback (most recent call last):'
const SIZE = 'RuntimeError: The size of tensor a (4) must match the size of tensor b (8)'
const LAUNCH = '[t] Received sigquit from a child process. It usually means the child failed.'
const AT_WORK = '[t] SIGQUIT received. signum=None, frame=None. It usually means one child failed.'

ruleTable(unknownCrash, {
  speaks: {
    'SGLang, ready before': [
      logged([READY, EXCEPTION, SIZE, LAUNCH]),
      {
        code: 'engine.invariant',
        verdict: 'broken',
        cause: expect.stringContaining('The size of tensor a (4)'),
        at: 3,
      },
    ],
    'SGLang, by the words of a server at work': [
      logged([EXCEPTION, "AttributeError: 'NoneType' object has no attribute 'shape'", AT_WORK]),
      { code: 'engine.invariant' },
    ],
    vLLM: [
      logged([
        '(EngineCore pid=1) ERROR EngineCore encountered a fatal error.',
        "(EngineCore pid=1) ERROR KeyError: 'req-12'",
        'vllm.v1.engine.exceptions.EngineDeadError: EngineCore encountered an issue. See stack trace (above) for the root cause.',
      ]),
      { code: 'engine.invariant', cause: expect.stringContaining('req-12') },
    ],
  },
  silent: {
    ...ORDINARY,
    'at a start it may be a setting': logged([EXCEPTION, 'ValueError: Cannot find the attention backend foo', LAUNCH]),
    'a server that did not die': logged([READY, EXCEPTION, SIZE]),
    'only the wrapper': logged([READY, AT_WORK]),
    'a client that went away': logged([READY, 'starlette.requests.ClientDisconnect', 'HTTPException: 400', AT_WORK]),
    'an exception after the death': logged([READY, AT_WORK, SIZE]),
  },
})
