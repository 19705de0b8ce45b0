import { expect } from 'vitest'
import { queueFull } from '../../../src/judge/rules/queue-full.ts'
import { logOf, READY } from '../fault-log.ts'
import { ruleTable } from '../rule-table.ts'
import { smokeOf } from '../samples.ts'

const says = (words: string) => expect.stringContaining(words)
const first = (words: string) => expect.arrayContaining([says(words)])

ruleTable(queueFull, {
  speaks: {
    SGLang: [
      logOf('sglang', [READY, '[t] The request queue is full.', '[t] The request queue is full.']),
      { verdict: 'overloaded', cause: says('2 times'), remedy: first('do not restart') },
    ],
    Ollama: [
      logOf('ollama', ['msg="server busy, please try again.  maximum pending requests exceeded"']),
      { verdict: 'overloaded' },
    ],
    'an access line': [
      logOf('vllm', ['INFO: 10.0.0.1:5000 - "POST /v1/chat/completions HTTP/1.1" 429 Too Many Requests']),
      { verdict: 'overloaded' },
    ],
  },
  silent: {
    'a queue': logOf('sglang', [READY, '[t] Decode batch, #running-req: 40, token usage: 0.99, #queue-req: 55']),
    retracted: logOf('sglang', [READY, '[t] KV cache pool is full. Retract requests. #retracted_reqs: 1']),
    waiting: logOf('vllm', ['Running: 64 reqs, Waiting: 120 reqs, GPU KV cache usage: 99.1%']),
    'requests of others, beside our answer': logOf('sglang', ['[t] The request queue is full.'], { smoke: smokeOf() }),
  },
})
