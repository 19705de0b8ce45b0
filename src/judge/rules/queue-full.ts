import type { Rule } from '../../domain/finding.ts'
import { countOf, quotedSign, signsOf } from '../log/signs.ts'

/** The log says that requests are turned away. Of those that only wait another rule knows more. */
export const queueFull: Rule = {
  codes: ['load.queue-full'],
  signatures: [
    {
      name: 'queue-full',
      anchors: [
        'queue is full',
        'maximum pending requests exceeded',
        'Model is overloaded',
        'no slot available',
        'Too Many Requests',
        'Request waiting timeout reached',
        'server busy, please try again',
      ],
      pattern:
        /[Rr]equest queue is full|[Qq]ueue is full[.,]? .{0,40}(?:reject|abort|503|429|drop)|maximum pending requests exceeded|server busy, please try again|Request waiting timeout reached|Model is overloaded|no slots? available(?: now)?[,.]? (?:returning|rejecting)|"(?:POST|GET) \/[^"]{1,80}" 429 Too Many Requests/,
      example: '[t] The request queue is full. Aborting request 3f1c.',
      nearMiss: '[t TP0] Decode batch, #running-req: 32, token usage: 0.97, #queue-req: 120',
    },
  ],
  check(evidence) {
    const [sign] = signsOf(evidence, 'queue-full')
    if (sign === undefined || evidence.smoke !== undefined) return []
    const times = countOf(evidence, 'queue-full')
    return [
      {
        code: 'load.queue-full',
        verdict: 'overloaded',
        cause: `The server is healthy and full: it turned requests away${times > 1 ? `, ${times} times in this log` : ''}.`,
        because: [quotedSign(sign)],
        remedy: [
          'Repeat in a minute; do not restart, which throws all running requests away.',
          'If it stays so: fewer clients, another replica, or a longer queue (SGLang --max-queued-requests, Ollama OLLAMA_MAX_QUEUE, llama.cpp --parallel).',
        ],
        confidence: 'certain',
        at: sign.at,
      },
    ]
  },
}
