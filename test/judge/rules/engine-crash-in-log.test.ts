import { expect } from 'vitest'
import { engineCrashInLog } from '../../../src/judge/rules/engine-crash-in-log.ts'
import { logged, ORDINARY, READY } from '../logged.ts'
import { ruleTable } from '../rule-table.ts'

const crash = { code: 'engine.kernel-crash', verdict: 'broken', confidence: 'likely' } as const
const check = { code: 'engine.assert', confidence: 'likely' } as const
const LEAK =
  'ValueError: token_to_kv_pool_allocator memory leak detected! self.max_total_num_tokens=120000, available_size=900, evictable_size=119000, protected_size=0'

ruleTable(engineCrashInLog, {
  speaks: {
    'an illegal access, with speculative decoding': [
      logged(
        [
          '  File "eagle_worker.py", line 300, in forward_batch_generation',
          'torch.AcceleratorError: CUDA error: an illegal memory access was encountered',
        ],
        ['flags: --speculative-algorithm EAGLE --attention-backend fa3'],
      ),
      {
        ...crash,
        cause: expect.stringContaining('illegal memory access'),
        remedy: expect.arrayContaining([
          expect.stringContaining('without speculative decoding'),
          expect.stringContaining('than fa3'),
        ]),
      },
    ],
    'a check on the device': [
      logged('RuntimeError: CUDA error: device-side assert triggered'),
      { ...crash, code: 'engine.assert', cause: expect.stringContaining('outside its table') },
    ],
    'a check on the device, by its own line': [
      logged('IndexKernel.cu:94: operator(): block: [3,0,0], thread: [32,0,0] Assertion `index < sizes[i]` failed.'),
      { ...crash, code: 'engine.assert', cause: expect.stringContaining('(index < sizes[i])') },
    ],
    'a library of the device': [
      logged('RuntimeError: CUDA error: CUBLAS_STATUS_EXECUTION_FAILED when calling `cublasGemmEx`'),
      crash,
    ],
    'a fault of memory at AMD': [
      logged('Memory access fault by GPU node-1 (Agent handle: 0x1) on address 0x7f. Reason: Unknown.'),
      crash,
    ],
    'a segmentation fault': [logged('Fatal Python error: Segmentation fault'), crash],
    'a crash at work, after which it was started again': [
      logged(['RuntimeError: CUDA error: misaligned address', READY]),
      crash,
    ],
    'NCCL without a reason': [
      logged(
        'torch.distributed.DistBackendError: NCCL error in: ProcessGroupNCCL.cpp:3356, unhandled system error (run with NCCL_DEBUG=INFO for details)',
      ),
      { ...crash, cause: expect.stringContaining('NCCL'), missing: [expect.any(String)] },
    ],
    'slots that were miscounted': [
      logged(LEAK),
      {
        code: 'engine.invariant',
        verdict: 'broken',
        confidence: 'certain',
        cause: expect.stringContaining('(100 of 120000)'),
      },
    ],
    'slots of another pool': [
      logged('ValueError: pool memory leak detected! [full] available_size=1, [mamba] available_size=3'),
      { code: 'engine.invariant' },
    ],
    'a check without words': [
      logged(['    assert seq_lens is not None', 'AssertionError']),
      { ...check, verdict: 'broken' },
    ],
    'a check with words': [
      logged('[t TP1] AssertionError: hidden size mismatch'),
      { ...check, cause: expect.stringContaining('hidden size mismatch') },
    ],
    'a check of llama.cpp': [
      logged('ggml-backend.cpp:1340: GGML_ASSERT(n_inputs < 16) failed'),
      { ...check, cause: expect.stringContaining('n_inputs < 16') },
    ],
    'a check that speaks of a flag': [
      logged('AssertionError: --dp-size must be 1 with --enable-two-batch-overlap'),
      { ...check, verdict: 'misconfigured', cause: expect.stringContaining('--dp-size must be 1') },
    ],
    'a request that ran too long': [
      logged('[t TP0] Abort request 1: Request running timeout reached.'),
      { code: 'engine.aborted', verdict: 'broken' },
    ],
    'the detokenizer': [
      logged('[t] DetokenizerManager hit an exception: Traceback (most recent call last):'),
      { code: 'engine.detokenizer', verdict: 'broken' },
    ],
    'a probability that is none': [
      logged('ValueError: Out of range float values are not JSON compliant: nan'),
      { code: 'engine.logprobs-nonfinite', confidence: 'certain' },
    ],
  },
  silent: {
    ...ORDINARY,
    'a lack of memory': logged('CUDA error: out of memory'),
    'a build without this card': logged('CUDA error: no kernel image is available for execution on the device'),
    'cards without a way to each other': logged(
      'NCCL error in: x.cpp:1, peer access is not supported between these two devices',
    ),
    'noise of an ordered stop': logged([
      'INFO:     Shutting down',
      'CUDA error: unspecified launch failure',
      'NCCL error in: a.cpp:9, unhandled cuda error',
    ]),
    'a check of other rules': logged('AssertionError: 5 is not divisible by 2'),
    'a leak of another program': logged('WARNING: memory leak detected in test_heap.c'),
    'an exception that a server got over': logged([
      'AssertionError: bad request',
      '[t TP0] Decode batch. #running-req: 1',
    ]),
  },
})
