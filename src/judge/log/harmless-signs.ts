import type { Code } from '../../domain/code.ts'
import type { Signature } from '../../domain/signature.ts'

/** A line that looks like a fault and is none. */
export interface Harmless extends Signature {
  readonly code: Extract<Code, 'ok.warning' | 'ok.info'>
  /** one sentence: why nothing is wrong */
  readonly means: string
  /** what may be done about it all the same */
  readonly may?: string
}

/** Lines of a start. */
export const HARMLESS_AT_START: readonly Harmless[] = [
  {
    name: 'harmless-custom-allreduce',
    code: 'ok.warning',
    anchors: ['Setup Custom allreduce failed', 'Custom allreduce is disabled', 'SymmMemCommunicator'],
    pattern:
      /Setup Custom allreduce failed with .{0,300}(?:peer access|P2P|peer rank|not supported)|Custom allreduce is disabled|SymmMemCommunicator: .{0,120}not (?:supported|available)/,
    example:
      '[t TP1] Setup Custom allreduce failed with CUDART error: peer access is not supported between these two devices.',
    nearMiss: 'Custom allreduce is used',
    means:
      'These GPUs cannot write into each other’s memory, so they add up their parts by way of NCCL instead: somewhat slower, and right.',
    may: 'To silence the line, start with --disable-custom-all-reduce.',
  },
  {
    name: 'harmless-moe-config',
    code: 'ok.warning',
    anchors: ['Performance might be sub-optimal'],
    pattern: /Using default .{0,60}config.{0,10}Performance might be sub-optimal/,
    example:
      'Using default MoE kernel config. Performance might be sub-optimal! Config file not found at /x/E=128.json',
    nearMiss: 'Performance might be sub-optimal on this host',
    means: 'No tuned kernel settings are there for this card, so the default ones are used: slower at most, and right.',
    may: 'To tune them, run the benchmark of fused_moe that the engine brings, once for this card.',
  },
  {
    name: 'harmless-fp8-weights-only',
    code: 'ok.warning',
    anchors: ['does not have native support for FP8', 'does not have native support for FP4'],
    pattern: /does not have native support for FP[48]/,
    example:
      'WARNING marlin_utils_fp8.py:50] Your GPU does not have native support for FP8 computation but FP8 quantization is being used.',
    nearMiss: 'This GPU has native support for FP8',
    means:
      'The card has no arithmetic for this quantisation, so the weights are stored in it and computed in 16 bits: slower under load, and right.',
  },
  {
    name: 'harmless-import-skipped',
    code: 'ok.warning',
    anchors: [
      'Ignore import error when loading',
      'Failed to load legacy DeepGEMM',
      'Failed to import deepgemm',
      'Failed to import deep_gemm',
    ],
    pattern: /Ignore import error when loading|Failed to load legacy DeepGEMM|Failed to import deep_?gemm/,
    example:
      "[t] Ignore import error when loading sglang.srt.models.glm_ocr: No module named 'transformers.models.glm_ocr'",
    nearMiss: "ImportError: No module named 'transformers.models.glm_ocr'",
    means:
      'A part for other models or other cards could not be loaded and is left out; the model that is served does not use it.',
  },
  {
    name: 'harmless-deprecated',
    code: 'ok.warning',
    anchors: ['FutureWarning', 'DeprecationWarning', ' is deprecated', ' are deprecated', 'has been deprecated'],
    pattern: /\b(?:Future|Deprecation|PendingDeprecation)Warning\b|\b(?:is|are|has been) deprecated\b/,
    example:
      '/venv/torch/cuda/__init__.py:61: FutureWarning: The pynvml package is deprecated. Please install nvidia-ml-py instead.',
    nearMiss: 'deprecated flags: none',
    means: 'A name or a setting will go in a later version; in this one it works.',
  },
  {
    name: 'harmless-tokenizers-fork',
    code: 'ok.warning',
    anchors: ['huggingface/tokenizers: The current process just got forked', 'TOKENIZERS_PARALLELISM'],
    pattern: /tokenizers: The current process just got forked|TOKENIZERS_PARALLELISM=\(true/,
    example:
      'huggingface/tokenizers: The current process just got forked, after parallelism has already been used. Disabling parallelism to avoid deadlocks...',
    nearMiss: 'TOKENIZERS_PARALLELISM is set',
    means: 'The tokenizer goes on with one thread after a fork, so that it cannot hang.',
    may: 'To silence the line, set TOKENIZERS_PARALLELISM=false.',
  },
  {
    name: 'harmless-socket-family',
    code: 'ok.warning',
    anchors: [
      'client socket cannot be initialized',
      'client socket has failed to connect',
      'server socket cannot be initialized',
      'hostname of the client socket cannot be retrieved',
    ],
    pattern:
      /(?:client|server) socket (?:cannot be initialized|has failed to connect).{0,200}(?:errno: 97|Address family|will retry|errno: 111)|hostname of the client socket cannot be retrieved/,
    example:
      '[W socket.cpp:464] [c10d] The client socket cannot be initialized to connect to [::1]:29500 (errno: 97 - Address family not supported by protocol).',
    nearMiss: '[E socket.cpp:464] [c10d] The client socket has timed out after 600s',
    means: 'torch tries IPv6 or tries too early, and goes on with the next address or the next try.',
  },
  {
    name: 'harmless-barrier-device',
    code: 'ok.warning',
    anchors: [
      'to perform barrier as devices used',
      'Guessing device ID based on global rank',
      'barrier(): using the device under current context',
    ],
    pattern:
      /to perform barrier\sas\sdevices used|Guessing device ID based on global rank|barrier\(\): using the device under current context/,
    example:
      '[rank0]:[W ProcessGroupNCCL.cpp:4115] [PG ID 0] using GPU 0 to perform barrier as devices used by this process are currently unknown.',
    nearMiss: 'the barrier is passed',
    means: 'torch guesses which GPU belongs to the rank, and the engines number them the way it guesses.',
  },
  {
    name: 'harmless-arch-list',
    code: 'ok.warning',
    anchors: [
      'TORCH_CUDA_ARCH_LIST is not set',
      'Not enough SMs to use max_autotune',
      'below the recommended minimum of 5.5.0',
    ],
    pattern:
      /TORCH_CUDA_ARCH_LIST is not set|Not enough SMs to use max_autotune|below the recommended minimum of 5\.5\.0/,
    example: 'UserWarning: TORCH_CUDA_ARCH_LIST is not set, all archs for visible cards are included for compilation.',
    nearMiss: 'TORCH_CUDA_ARCH_LIST=8.6',
    means: 'A remark about how kernels are compiled; they are compiled all the same.',
  },
  {
    name: 'harmless-double-plugin',
    code: 'ok.warning',
    anchors: ['Unable to register cu', 'computation placer already registered', 'before absl::InitializeLog()'],
    pattern:
      /Unable to register cu(?:FFT|DNN|BLAS) factory|computation placer already registered|before absl::InitializeLog\(\)/,
    example:
      'E0000 00:00:1 cuda_dnn.cc:8310] Unable to register cuDNN factory: Attempting to register factory for plugin cuDNN when one has already been registered',
    nearMiss: 'Unable to register the node',
    means: 'TensorFlow and JAX are installed beside the engine and register the same library twice.',
  },
  {
    name: 'harmless-numa',
    code: 'ok.warning',
    anchors: [
      'get_mempolicy: Operation not permitted',
      'failed to mlock',
      'Failed to set NUMA',
      "couldn't open config directory",
    ],
    pattern: /get_mempolicy: Operation not permitted|failed to mlock|Failed to set NUMA|couldn't open config directory/,
    example: 'warning: failed to mlock 1234-byte buffer (after previously locking 0 bytes): Cannot allocate memory',
    nearMiss: 'mlock is used',
    means: 'A right that only saves time is missing; the program goes on without it.',
  },
  {
    name: 'harmless-token-type',
    code: 'ok.warning',
    anchors: ['was not control-type; this is probably a bug', 'is not marked as EOG', 'is not in special_eog_ids'],
    pattern: /was not control-type; this is probably a bug|is not marked\sas\sEOG|is not in special_eog_ids/,
    example:
      "load: control-looking token: 128247 '</s>' was not control-type; this is probably a bug in the model. its type will be overridden",
    nearMiss: 'load: control token: 128247',
    means: 'The file marks a token in an unusual way, and llama.cpp corrects it while loading.',
  },
]
