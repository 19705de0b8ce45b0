import { describe, expect, test } from 'vitest'
import { diagnose } from '../../../src/judge/diagnose.ts'
import { engineCrashInLog } from '../../../src/judge/rules/engine-crash-in-log.ts'
import { rules } from '../../../src/judge/rules/index.ts'
import { logged, ORDINARY, READY } from '../logged.ts'
import { ruleTable } from '../rule-table.ts'

const crash = { code: 'engine.kernel-crash', verdict: 'broken', confidence: 'likely' } as const
const check = { code: 'engine.assert', confidence: 'likely' } as const
const apart = { code: 'engine.peer-unreachable', verdict: 'misconfigured', confidence: 'likely' } as const
const REFUSED =
  'gpu2:3996:3996 [2] misc/socket.cc:578 NCCL WARN socketPollConnect: connect to 10.20.0.4<54709> returned Connection refused, exceeded error retry count after 35 attempts'
const NCCL =
  'torch.distributed.DistBackendError: NCCL error in: NCCLUtils.cpp:94, unhandled system error (run with NCCL_DEBUG=INFO for details)'
const LEAK =
  'ValueError: token_to_kv_pool_allocator memory leak detected! self.max_total_num_tokens=120000, available_size=900, evictable_size=119000, protected_size=0'

ruleTable(engineCrashInLog, {
  speaks: {
    'a segmentation fault of any program': [
      logged('Segmentation fault (core dumped)'),
      {
        code: 'log.need-more',
        verdict: 'inconclusive',
        remedy: expect.arrayContaining([expect.stringContaining('grep -i segfault')]),
      },
    ],
    'a segmentation fault of an engine': [
      logged(['[t TP0] Load weight begin. avail mem=46.90 GB', 'Segmentation fault (core dumped)']),
      crash,
    ],
    'a hang on an AMD card': [
      logged(['HW Exception by GPU node-1 (Agent handle: 0x55d0c0) reason :GPU Hang', 'Aborted (core dumped)']),
      {
        code: 'engine.kernel-crash',
        verdict: 'broken',
        cause: expect.stringContaining('GPU Hang'),
        remedy: expect.arrayContaining([expect.stringContaining('grep -i amdgpu')]),
      },
    ],
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
    'a rank that refuses another one': [
      logged([REFUSED, NCCL]),
      {
        ...apart,
        cause: expect.stringMatching(/at 10\.20\.0\.4 \(connection refused\): the network .* not the GPUs/),
        because: [`log line 1: “${REFUSED}”`],
        remedy: expect.arrayContaining([
          expect.stringMatching(/ip route get 10\.20\.0\.4\. Set NCCL_SOCKET_IFNAME/),
          expect.stringContaining('firewall'),
        ]),
        unless: expect.stringContaining('another rank ended before'),
      },
    ],
    'the last error that torch repeats': [
      logged([NCCL, 'Last error:', 'socketStartConnect: Connect to 172.17.0.2<43791> failed : No route to host']),
      { ...apart, cause: expect.stringContaining('172.17.0.2, an address that leads to no other host') },
    ],
    'a rank that broke away at work, after which it was started again': [
      logged([READY, REFUSED, NCCL, READY]),
      { ...apart, because: [`log line 3: “${NCCL}”`, `log line 2: “${REFUSED}”`] },
    ],
    'a connection of torch': [
      logged(
        '[rank8]: torch.distributed.DistNetworkError: The client socket has timed out after 600000ms while trying to connect to (10.20.0.4, 20000).',
      ),
      { ...apart, cause: expect.stringContaining('at 10.20.0.4') },
    ],
    'an interface that is not there': [
      logged('gpu1:240:240 [0] bootstrap.cc:45 NCCL WARN Bootstrap : no socket interface found'),
      { ...apart, confidence: 'certain', cause: expect.stringContaining('NCCL_SOCKET_IFNAME') },
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
    'NCCL that got no memory': logged([
      'torch.distributed.DistBackendError: NCCL error in: NCCLUtils.cpp:77, unhandled cuda error (run with NCCL_DEBUG=INFO for details)',
      'ncclUnhandledCudaError: Call to CUDA function failed.',
      'Last error:',
      "Cuda failure 2 'out of memory'",
    ]),
    ...ORDINARY,
    'a lack of memory': logged('CUDA error: out of memory'),
    'a build without this card': logged('CUDA error: no kernel image is available for execution on the device'),
    'cards without a way to each other': logged(
      'NCCL error in: x.cpp:1, peer access is not supported between these two devices',
    ),
    'a connection that is tried again': logged(
      'gpu2:3996:3996 [2] NCCL INFO socketPollConnect: connect to 10.20.0.4<54709> returned Connection refused, retrying (1/34)',
    ),
    'a connection that came about after all': logged([REFUSED, READY]),
    'a rank that is gone in an ordered stop': logged(['INFO:     Shutting down', REFUSED]),
    'a rank of which somebody asks': logged(
      `INFO 05-01 10:00:42 [logger.py:42] Received request chatcmpl-7: prompt: 'What is ${REFUSED}?', params: SamplingParams(n=1)`,
    ),
    'noise of an ordered stop': logged([
      'INFO:     Shutting down',
      'CUDA error: unspecified launch failure',
      'NCCL error in: a.cpp:9, unhandled cuda error',
    ]),
    'memory that ran out, in the words of a check': logged(
      'RuntimeError: NVML_SUCCESS == r INTERNAL ASSERT FAILED at "../c10/cuda/CUDACachingAllocator.cpp":838, please report a bug to PyTorch.',
    ),
    'a check of other rules': logged('AssertionError: 5 is not divisible by 2'),
    'a leak of another program': logged('WARNING: memory leak detected in test_heap.c'),
    'an exception that a server got over': logged([
      'AssertionError: bad request',
      '[t TP0] Decode batch. #running-req: 1',
    ]),
  },
})

test('a rank that fell first is the cause, not the network to which the others put it down', () => {
  const log = logged([
    '[t TP0] Capture cuda graph begin. avail mem=0.90 GB',
    '[t TP0] torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 896.00 MiB.',
    REFUSED,
    NCCL,
  ])
  expect(
    diagnose(log, rules)
      .findings.map(({ code }) => code)
      .slice(0, 2),
  ).toEqual(['mem.cuda-graph', 'engine.peer-unreachable'])
  const crash = logged(['CUDA error: an illegal memory access was encountered', REFUSED, NCCL])
  expect(diagnose(crash, rules).code).toBe('engine.kernel-crash')
})

describe('a kernel that broke after a start in which a connection was refused', () => {
  const ERROR = '[t TP0] torch.distributed.DistBackendError: NCCL error in: x.cpp:2272, unhandled'
  const leading = (...lines: readonly string[]) => diagnose(logged(lines), rules).findings[0]

  test('leads, and its line is quoted, where NCCL passes it on', () => {
    expect(
      leading(REFUSED, READY, `${ERROR} cuda error`, 'CUDA error: an illegal memory access was encountered'),
    ).toMatchObject({
      code: 'engine.kernel-crash',
      cause: expect.stringContaining('illegal memory access'),
      because: [expect.stringContaining('log line 4')],
    })
  })

  test('is told beside the connection, where nothing shows that the start went on', () => {
    const found = engineCrashInLog.check(logged([REFUSED, `${ERROR} cuda error`]))
    expect(found.map(({ code }) => code)).toContain('engine.kernel-crash')
  })

  test('is no longer put down to that start once the server was ready', () => {
    expect(leading(REFUSED, READY, `${ERROR} system error`).code).toBe('engine.kernel-crash')
    expect(leading(REFUSED, `${ERROR} system error`).code).toBe('engine.peer-unreachable')
  })
})
