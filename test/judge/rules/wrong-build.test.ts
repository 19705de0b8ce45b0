import { expect } from 'vitest'
import { wrongBuild } from '../../../src/judge/rules/wrong-build.ts'
import { logged, ORDINARY, READY } from '../logged.ts'
import { ruleTable } from '../rule-table.ts'

const arch = { code: 'build.arch', verdict: 'misconfigured' } as const
const cpu = { code: 'build.cpu-only', verdict: 'misconfigured' } as const
const NO_GPU = 'warning: no usable GPU found, --gpu-layers option will be ignored'
const LISTENS = 'main: server is listening on http://127.0.0.1:8080'

ruleTable(wrongBuild, {
  speaks: {
    'torch or a kernel of it': [
      logged('torch.AcceleratorError: CUDA error: no kernel image is available for execution on the device', [
        'gpu: RTX 5090',
      ]),
      {
        ...arch,
        confidence: 'certain',
        because: [expect.stringContaining('no kernel image'), expect.stringContaining('RTX 5090')],
      },
    ],
    'a warning of torch, without a server that runs': [
      logged(
        'NVIDIA GeForce RTX 5070 Ti with CUDA capability sm_120 is not compatible with the current PyTorch installation.',
      ),
      { ...arch, confidence: 'likely', cause: expect.stringContaining('sm_120') },
    ],
    'llama.cpp': [
      logged(
        'mmv.cu:51: ERROR: CUDA kernel mul_mat_vec has no device code compatible with CUDA arch 520. ggml-cuda.cu was compiled for: 750',
      ),
      { ...arch, remedy: [expect.stringContaining('CMAKE_CUDA_ARCHITECTURES=native'), expect.any(String)] },
    ],
    'the assembler of Triton': [
      logged("ptxas fatal   : Value 'sm_121a' is not defined for option 'gpu-name'"),
      { ...arch, remedy: [expect.stringContaining('TRITON_PTXAS_PATH'), expect.any(String)] },
    ],
    'nvcc of an older toolkit': [logged("nvcc fatal   : Unsupported gpu architecture 'compute_120'"), arch],
    'a card that is too old for a kernel': [
      logged('RuntimeError: FlashAttention only supports Ampere GPUs or newer.'),
      { ...arch, remedy: [expect.stringContaining('--attention-backend triton')] },
    ],
    ROCm: [
      logged('"hipErrorNoBinaryForGpu: Unable to find code object for all current devices!"'),
      { ...arch, remedy: [expect.stringContaining('HSA_OVERRIDE_GFX_VERSION'), expect.any(String)] },
    ],
    'Ollama on a gfx that it does not know': [
      logged(
        'time=t level=WARN source=amd_linux.go:378 msg="amdgpu is not supported (supported types:[gfx1030 gfx1100])" gpu_type=gfx902 gpu=0',
      ),
      { ...arch, cause: expect.stringContaining('gfx902') },
    ],
    'another kind of processor': [
      logged('exec /usr/local/bin/llama-server: exec format error'),
      { ...arch, remedy: [expect.stringContaining('--platform')] },
    ],
    'a newer processor': [
      logged('Illegal instruction (core dumped)'),
      { ...arch, remedy: [expect.stringContaining('GGML_NATIVE')] },
    ],
    'torch without CUDA': [
      logged('AssertionError: Torch not compiled with CUDA enabled'),
      { ...cpu, confidence: 'certain' },
    ],
    'llama.cpp without a backend, which runs all the same': [
      logged([NO_GPU, 'warning: one possible reason is that llama.cpp was compiled without GPU support', LISTENS]),
      { ...cpu, confidence: 'likely', remedy: [expect.stringContaining('-DGGML_CUDA=ON'), expect.any(String)] },
    ],
  },
  silent: {
    ...ORDINARY,
    'a warning in vain: the layers are on the GPU': logged([
      NO_GPU,
      'load_tensors: offloaded 29/29 layers to GPU',
      LISTENS,
    ]),
    'a warning in vain: the backend is loaded': logged([
      'load_backend: loaded Vulkan backend from /app/libggml-vulkan.so',
      NO_GPU,
      LISTENS,
    ]),
    'a second card that is too old': logged([
      'NVIDIA GT 710 with CUDA capability sm_35 is not compatible with the current PyTorch installation.',
      READY,
    ]),
    'Ollama that has another GPU': logged([
      'time=t level=WARN source=amd_linux.go:378 msg="amdgpu is not supported" gpu_type=gfx902 gpu=0',
      'time=t level=INFO source=types.go:130 msg="inference compute" id=GPU-1 library=cuda variant=v12',
    ]),
    'a kernel that went wrong on the GPU': logged('CUDA error: an illegal instruction was encountered'),
    'a remark of vLLM': logged('INFO [cuda.py:251] Cannot use FlashAttention-2 backend for Volta and Turing GPUs.'),
  },
})
