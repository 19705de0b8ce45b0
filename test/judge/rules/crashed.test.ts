import { describe, expect, it } from 'vitest'
import type { Complaint } from '../../../src/domain/failure.ts'
import { diagnose } from '../../../src/judge/diagnose.ts'
import { crashed } from '../../../src/judge/rules/crashed.ts'
import { rules } from '../../../src/judge/rules/index.ts'
import { ruleTable } from '../rule-table.ts'
import { completionOf, evidenceOf, failureOf, withSmoke } from '../samples.ts'

function inside(message: string, kind: Complaint['kind'] = 'server') {
  const failure = failureOf('stream-error', { status: 200, body: '', complaint: { kind, message } })
  return withSmoke({ completion: completionOf({ finish: null }), failure })
}

function status(code: number, body: string) {
  return withSmoke({ completion: null, failure: failureOf('http-status', { status: code, body }) })
}

const ILLEGAL = 'CUDA error: an illegal memory access was encountered'
const KERNEL = { code: 'engine.kernel-crash', verdict: 'broken', confidence: 'likely' } as const
const says = (words: string) => expect.stringContaining(words)

ruleTable(crashed, {
  speaks: {
    'a kernel, inside a stream': [
      inside(ILLEGAL),
      {
        ...KERNEL,
        because: [`target qwen sent an error inside its answer: “${ILLEGAL}”`],
        remedy: [says('Restart'), says('dmesg -T | grep -i xid'), says('engine log')],
        unless: says('the card is faulty'),
      },
    ],
    'a kernel, with a status': [status(500, `Internal Server Error: ${ILLEGAL}`), KERNEL],
    'in words of an abort': [inside(`Request aborted: ${ILLEGAL}`, 'aborted'), KERNEL],
    'a check on the GPU': [inside('CUDA error: device-side assert triggered'), { ...KERNEL, code: 'engine.assert' }],
    'of AMD': [inside('HIP error: unspecified launch failure'), KERNEL],
    'between the cards': [
      inside('NCCL error in: ProcessGroupNCCL.cpp:3690, unhandled cuda error'),
      { ...KERNEL, cause: says('NCCL') },
    ],
    'no memory': [
      inside('CUDA out of memory. Tried to allocate 2.00 GiB'),
      {
        code: 'mem.static-too-large',
        verdict: 'misconfigured',
        remedy: [says('nvidia-smi'), says('lower SGLang --mem-fraction-static')],
      },
    ],
    'no memory, before the general words': [inside('CUDA error: out of memory'), { code: 'mem.static-too-large' }],
    'the card': [
      inside('CUDA error: uncorrectable ECC error encountered'),
      { code: 'gpu.needs-reset', verdict: 'hardware-fault' },
    ],
    'a card that is gone': [
      status(500, 'NVRM: Xid (PCI:0000:41:00): 79, GPU has fallen off the bus.'),
      { code: 'gpu.needs-reset' },
    ],
  },
  silent: {
    'an answer': evidenceOf({}),
    'an answer about it': evidenceOf({ content: ILLEGAL }),
    'reasoning about it, and another error': withSmoke({
      completion: completionOf({ reasoning: ILLEGAL, finish: null }),
      failure: failureOf('stream-error', { status: 200, body: '', complaint: { kind: 'server', message: 'oops' } }),
    }),
    'a refusal that echoes the prompt': status(422, '{"detail":[{"input":"why CUDA out of memory?"}]}'),
    'a field': inside('min_p is not supported; see CUDA error', 'schema'),
    'a build without this card': inside('CUDA error: no kernel image is available for execution on the device'),
    'another error': status(500, 'Internal Server Error'),
    'a full queue': status(429, 'queue full, KV cache out of memory'),
    'a loop in the text': evidenceOf({ content: 'NCCL '.repeat(300) }),
    'a stalled stream': withSmoke({ failure: failureOf('stalled') }),
    'no smoke': { target: evidenceOf({}).target },
  },
})

describe('a crash', () => {
  it('is said once, without the wrapper beside it', () => {
    expect(diagnose(inside(ILLEGAL), rules).findings.map(({ code }) => code)).toEqual(['engine.kernel-crash'])
  })
})
