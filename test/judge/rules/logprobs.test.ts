import { expect } from 'vitest'
import { logprobs } from '../../../src/judge/rules/logprobs.ts'
import { asking, knowing } from '../asking.ts'
import { ruleTable } from '../rule-table.ts'
import { evidenceOf, failureOf, withSmoke } from '../samples.ts'

const status = (code: number, body = '') =>
  withSmoke({ completion: null, failure: failureOf('http-status', { status: code, body }) })
const bare = status(500, 'Internal Server Error')
const SAID = 'ValueError: Out of range float values are not JSON compliant'

ruleTable(logprobs, {
  speaks: {
    'as it says': [status(500, SAID), { code: 'engine.logprobs-nonfinite', verdict: 'broken', confidence: 'certain' }],
    'as told': [knowing(bare, `log_hint: ${SAID}`), { confidence: 'certain' }],
    'a bare error of a request for them': [
      asking(bare, { logprobs: true }),
      { confidence: 'likely', unless: expect.stringContaining('without logprobs') },
    ],
  },
  silent: {
    'a bare error': bare,
    'another error of a request for them': asking(status(500, '{"message":"KeyError"}'), { logprobs: true }),
    'a refusal of them': asking(status(400, 'logprobs must be a boolean'), { logprobs: 'yes' }),
    'an answer with them': asking(evidenceOf({}), { logprobs: true }),
    'no smoke': { target: evidenceOf({}).target },
  },
})
