import type { Signature } from '../../domain/signature.ts'

type Signatures = readonly [Signature, ...Signature[]]

export const kernelSignatures: Signatures = [
  {
    name: 'gpu-kernel-error',
    anchors: [
      'illegal memory access',
      'misaligned address',
      'unspecified launch failure',
      'illegal instruction was encountered',
      'CUBLAS_STATUS_',
      'CUDNN_STATUS_',
      'Memory access fault by GPU',
      'HW Exception by GPU',
      'HSA_STATUS_ERROR',
      'CUDA error: unknown error',
      'CUDA error: invalid argument',
    ],
    pattern:
      /illegal memory access was encountered|(?:CUDA|HIP|ROCm) error.{0,40}misaligned address|unspecified launch failure|illegal instruction was encountered|(?:CUBLAS|CUDNN)_STATUS_(?:EXECUTION_FAILED|INTERNAL_ERROR|NOT_INITIALIZED|INVALID_VALUE|NOT_SUPPORTED|MAPPING_ERROR)|Memory access fault by GPU|HW Exception by GPU node-\d|HSA_STATUS_ERROR_(?!OUT_OF)\w{1,40}|CUDA error: (?:unknown error|invalid argument)/,
    example: 'torch.AcceleratorError: CUDA error: an illegal memory access was encountered',
    nearMiss: 'CUDA error: out of memory',
  },
  {
    name: 'engine-segfault',
    anchors: ['Segmentation fault', 'received signal SIGSEGV', 'status=11/SEGV'],
    pattern:
      /Fatal Python error: Segmentation fault|!{7} Segfault|Segmentation fault(?: \(core dumped\)|\s*$)|received signal SIGSEGV|code=dumped, status=11\/SEGV|code=killed, status=11\/SEGV/,
    example: 'Fatal Python error: Segmentation fault',
    nearMiss: 'a segmentation fault is a kind of crash',
  },
]

export const transportSignatures: Signatures = [
  {
    name: 'nccl-error',
    anchors: ['NCCL error', 'RCCL error', 'NCCL Error'],
    pattern: /[NR]CCL [Ee]rror(?: in:|:| \d).{0,160}/,
    example: 'torch.distributed.DistBackendError: NCCL error in: ProcessGroupNCCL.cpp:3356, unhandled cuda error',
    nearMiss: 'NCCL error handling is asynchronous',
  },
]

export const poolSignatures: Signatures = [
  {
    name: 'pool-leak',
    anchors: ['memory leak detected'],
    pattern:
      /(?:pool|allocator|kv|KV|mamba|req)\w{0,40}[ )]{0,2}memory leak detected(?:.{0,40}max_total_num_tokens=(?<total>\d{1,12}), available_size=(?<free>\d{1,12}), evictable_size=(?<evictable>\d{1,12}))?/,
    example:
      'ValueError: token_to_kv_pool_allocator memory leak detected! self.max_total_num_tokens=120000, available_size=900, evictable_size=119000, protected_size=0',
    nearMiss: 'WARNING: memory leak detected in test_heap.c',
  },
]

/** The line of the check itself, and the error that follows from it at some later call. */
export const deviceCheckSignatures: Signatures = [
  {
    name: 'device-check',
    anchors: ['device-side assert', ' Assertion `'],
    pattern:
      /device-side assert triggered|block: \[[\d, ]{1,30}\], thread: \[[\d, ]{1,30}\] Assertion `(?<said>.{1,200})` failed/,
    example: 'torch.AcceleratorError: CUDA error: device-side assert triggered',
    nearMiss: 'Compile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.',
  },
]

/** `said` is what the check says. */
export const assertSignatures: Signatures = [
  {
    name: 'engine-assertion',
    anchors: ['AssertionError', 'GGML_ASSERT(', 'INTERNAL ASSERT FAILED'],
    pattern:
      /(?:^|[\]):] )AssertionError(?::\s?(?<said>.{0,300})|\s*$)|GGML_ASSERT\((?<said>.{1,160})\) failed|INTERNAL ASSERT FAILED(?<said>.{0,200})/,
    example: '/app/ggml/src/ggml-backend.cpp:1340: GGML_ASSERT(n_inputs < GGML_SCHED_MAX_SPLIT_INPUTS) failed',
    nearMiss: '    raise AssertionError',
  },
]

export const abortSignatures: Signatures = [
  {
    name: 'request-given-up',
    anchors: ['Request running timeout reached'],
    pattern: /Request running timeout reached/,
    example: '[t TP0] Abort request: Request running timeout reached.',
    nearMiss: 'Request running on rank 0',
  },
]

export const detokenizerSignatures: Signatures = [
  {
    name: 'detokenizer-died',
    anchors: ['DetokenizerManager hit an exception'],
    pattern: /DetokenizerManager hit an exception/,
    example: '[t] DetokenizerManager hit an exception: Traceback (most recent call last):',
    nearMiss: '[t] DetokenizerManager is ready',
  },
]

export const logprobSignatures: Signatures = [
  {
    name: 'float-not-json',
    anchors: ['Out of range float values are not JSON compliant'],
    pattern: /Error: Out of range float values are not JSON compliant/,
    example: 'ValueError: Out of range float values are not JSON compliant: nan',
    nearMiss: 'all float values are JSON compliant',
  },
]
