import { assertion } from '../../../src/judge/rules/assertion.ts'
import { knowing } from '../asking.ts'
import { ruleTable } from '../rule-table.ts'
import { evidenceOf, failureOf, withSmoke } from '../samples.ts'

const status = (code: number, body = '') =>
  withSmoke({ completion: null, failure: failureOf('http-status', { status: code, body }) })

ruleTable(assertion, {
  speaks: {
    Python: [
      status(500, 'AssertionError: memory pool is not empty'),
      { code: 'engine.assert', verdict: 'broken', confidence: 'certain' },
    ],
    'llama.cpp': [status(500, 'GGML_ASSERT(n_tokens <= n_batch) failed'), { code: 'engine.assert' }],
    torch: [status(500, 'RuntimeError: x INTERNAL ASSERT FAILED at "a.cpp":12'), { code: 'engine.assert' }],
    'a bare error, as told': [
      knowing(status(500, 'Internal Server Error'), 'log_hint: AssertionError: extend_lens'),
      { confidence: 'likely' },
    ],
  },
  silent: {
    'a check on the GPU, which another rule tells': status(500, 'CUDA error: device-side assert triggered'),
    'a refusal': status(400, 'AssertionError is no field'),
    'another error': status(500, 'KeyError: 3'),
    'an answer': evidenceOf({ content: 'AssertionError' }),
    'a failure of the way': withSmoke({ completion: null, failure: failureOf('refused') }),
    'no smoke': { target: evidenceOf({}).target },
  },
})
