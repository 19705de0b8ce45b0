import type { Signature } from '../../domain/signature.ts'

type Signatures = readonly [Signature, ...Signature[]]

export const archSignatures: Signatures = [
  {
    name: 'arch-no-image',
    anchors: ['no kernel image is available', 'invalid device function', 'hipErrorNoBinaryForGpu'],
    pattern: /no kernel image is available|(?:CUDA|HIP|ROCm) error: invalid device function|hipErrorNoBinaryForGpu/,
    example: 'RuntimeError: CUDA error: no kernel image is available for execution on the device',
    nearMiss: 'the kernel image is available at /boot/vmlinuz',
  },
  {
    name: 'arch-no-code',
    anchors: ['has no device code compatible with', 'Illegal seek for GPU arch', 'amdgpu is not supported'],
    pattern:
      /has no device code compatible with (?:CUDA|HIP) arch (?<arch>\d{3,4})|Illegal seek for GPU arch ?: (?<arch>gfx\w{3,6})|amdgpu is not supported(?:.{0,400}gpu_type=(?<arch>gfx\w{3,6}))?/,
    example:
      'ggml/src/ggml-cuda/mmv.cu:51: ERROR: CUDA kernel mul_mat_vec has no device code compatible with CUDA arch 520. ggml-cuda.cu was compiled for: 750',
    nearMiss: 'ggml-cuda.cu was compiled for: 750,860',
  },
  {
    name: 'arch-toolkit',
    anchors: ["is not defined for option 'gpu-name'", "Unsupported gpu architecture '"],
    pattern:
      /Value '(?<arch>sm_\w{2,5})' is not defined for option 'gpu-name'|Unsupported gpu architecture '(?<arch>compute_\w{2,5})'/,
    example: "ptxas fatal   : Value 'sm_121a' is not defined for option 'gpu-name'",
    nearMiss: "ptxas info    : Compiling entry function for 'sm_90a'",
  },
  {
    name: 'arch-minimum',
    anchors: ['FlashAttention only supports', 'SGLang only supports sm75', 'CUBLAS_STATUS_ARCH_MISMATCH'],
    pattern:
      /Error: FlashAttention only supports (?<arch>[\w ]{1,40}) GPUs or newer|SGLang only supports sm75 and above|CUBLAS_STATUS_ARCH_MISMATCH/,
    example: 'RuntimeError: FlashAttention only supports Ampere GPUs or newer.',
    nearMiss: 'INFO Cannot use FlashAttention-2 backend for Volta and Turing GPUs.',
  },
  {
    name: 'arch-warning',
    anchors: ['is not compatible with the current PyTorch installation', 'PyTorch no longer supports this GPU'],
    pattern:
      /(?:CUDA capability (?<arch>sm_\w{2,5}) )?is not compatible with the current PyTorch installation|PyTorch no longer supports this GPU because it is too old/,
    example:
      'NVIDIA GeForce RTX 5070 Ti with CUDA capability sm_120 is not compatible with the current PyTorch installation.',
    nearMiss: 'the current PyTorch installation supports CUDA capabilities sm_80 sm_90',
  },
]

/** Built for another processor, or for more of it than this one has. */
export const processorSignatures: Signatures = [
  {
    name: 'processor-other',
    anchors: [
      'xec format error',
      'Illegal instruction',
      'status=4/ILL',
      'llegal hardware instruction',
      'received signal SIGILL',
    ],
    pattern:
      /[Ee]xec format error|Illegal instruction(?: \(core dumped\)|\s*$)|status=4\/ILL|illegal hardware instruction|received signal SIGILL/,
    example: 'exec /usr/local/bin/llama-server: exec format error',
    nearMiss: 'CUDA error: an illegal instruction was encountered',
  },
]

export const cpuOnlySignatures: Signatures = [
  {
    name: 'torch-cpu',
    anchors: ['Torch not compiled with CUDA enabled', 'was compiled without GPU support'],
    pattern: /Torch not compiled with CUDA enabled|bitsandbytes was compiled without GPU support/,
    example: 'AssertionError: Torch not compiled with CUDA enabled',
    nearMiss: 'Torch compiled with CUDA enabled',
  },
]

export const noUsableGpu: Signature = {
  name: 'llama-no-gpu',
  anchors: ['no usable GPU found', 'was compiled without GPU support'],
  pattern: /warning: no usable GPU found|llama\.cpp was compiled without (?:GPU support|support for GPU offload)/,
  example: 'warning: no usable GPU found, --gpu-layers option will be ignored',
  nearMiss: 'ggml_cuda_init: found 1 CUDA devices:',
}

/** Layers that are on a GPU. */
export const gpuLayers: Signature = {
  name: 'llama-gpu-layers',
  anchors: [' layers to GPU'],
  pattern: /offloaded [1-9]\d{0,4}\/\d{1,5} layers to GPU/,
  example: 'load_tensors: offloaded 33/33 layers to GPU',
  nearMiss: 'load_tensors: offloaded 0/33 layers to GPU',
}

/** A backend for GPUs that llama.cpp loaded. */
export const gpuBackend: Signature = {
  name: 'llama-gpu-backend',
  anchors: ['load_backend: loaded ', 'ggml_cuda_init: found '],
  pattern:
    /load_backend: loaded (?:CUDA|ROCm|HIP|Vulkan|SYCL|Metal|MUSA) backend|ggml_cuda_init: found [1-9]\d{0,2} (?:CUDA|ROCm|HIP) devices/,
  example: 'load_backend: loaded CUDA backend from /app/libggml-cuda.so',
  nearMiss: 'load_backend: loaded CPU backend from /app/libggml-cpu-haswell.so',
}

/** A GPU that Ollama uses. */
export const ollamaGpu: Signature = {
  name: 'ollama-gpu',
  anchors: ['msg="inference compute"'],
  pattern: /msg="inference compute" id=\S{1,60}.{0,40} library=(?:cuda|CUDA|rocm|ROCm|vulkan|Vulkan|metal|Metal)/,
  example:
    'time=t level=INFO source=types.go:131 msg="inference compute" id=GPU-1 library=cuda variant=v12 compute=8.6',
  nearMiss: 'time=t level=INFO source=types.go:131 msg="inference compute" id=0 library=cpu variant=avx2',
}
