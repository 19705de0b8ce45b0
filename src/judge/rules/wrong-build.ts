import type { Evidence, Rule } from '../../domain/finding.ts'
import type { Sign } from '../../domain/signature.ts'
import type { LineFault, Said } from '../log/line-faults.ts'
import { lineRule, toldLike } from '../log/line-faults.ts'
import { signsOf } from '../log/signs.ts'
import {
  archSignatures,
  cpuOnlySignatures,
  gpuBackend,
  gpuLayers,
  noUsableGpu,
  ollamaGpu,
  processorSignatures,
} from './wrong-build-signs.ts'

/** A program, or a kernel library of it, that has no code for this GPU. */
const arch: LineFault = {
  signatures: archSignatures,
  holds: 'start',
  codes: ['build.arch'],
  say: (sign, evidence) => (signsOf(evidence, ollamaGpu.name).length > 0 ? null : withoutCode(sign, evidence)),
}

function withoutCode({ name, fields, line }: Sign, evidence: Evidence): Said {
  return {
    code: 'build.arch',
    verdict: 'misconfigured',
    cause: `The build has no code for this GPU${archOf(fields['arch'])}: a wheel, an image or a toolkit that does not know its generation.`,
    remedy: remedyOf(name, line),
    confidence: name === 'arch-warning' ? 'likely' : 'certain',
    also: toldLike(evidence, /gpu|rtx|gtx|tesla|capability|sm_?\d|gfx|[AHB]\d00/i),
    explains: ['log.need-more', 'engine.kernel-crash', 'engine.assert', 'lib.abi'],
  }
}

function archOf(arch: string | undefined): string {
  return arch === undefined ? '' : ` (${arch})`
}

function remedyOf(name: string, line: string): readonly string[] {
  if (name === 'arch-toolkit') return [TOOLKIT, BUILD]
  if (name === 'arch-minimum') return [OLD_CARD]
  if (/hip|rocm|amdgpu|gfx/i.test(line)) return [AMD, BUILD]
  return /ggml|\.cu:\d/.test(line) ? [LLAMA, BUILD] : [BUILD, OTHER_BACKEND]
}

const BUILD =
  'Take a build that names this generation: for Blackwell (RTX 50, B200) torch and kernels of CUDA 12.8 or newer and a current engine image; for older cards the last release that still lists them. python -c "import torch; print(torch.cuda.get_arch_list())" shows what torch has.'
const LLAMA =
  'Build llama.cpp for this card: cmake -B build -DGGML_CUDA=ON -DCMAKE_CUDA_ARCHITECTURES=native, then cmake --build build.'
const OTHER_BACKEND =
  'If only one kernel library lacks it (the traceback names which), another --attention-backend may do without that library.'
const TOOLKIT =
  'Install a CUDA toolkit that knows the card (12.8 or newer for sm_120, 12.9 or newer for sm_121) and point CUDA_HOME to it; for the ptxas of Triton set TRITON_PTXAS_PATH=/usr/local/cuda/bin/ptxas.'
const OLD_CARD =
  'The card is too old for this kernel: start with another backend (SGLang --attention-backend triton, vLLM --attention-backend TRITON_ATTN or a release with xformers), or serve with llama.cpp.'
const AMD =
  'Take a ROCm build that lists this gfx target (rocminfo | grep gfx); for a close relative HSA_OVERRIDE_GFX_VERSION=10.3.0 (gfx103x) or 11.0.0 (gfx110x) lets it use the code of the listed one.'

/** A program for another kind of processor. */
const processor: LineFault = {
  signatures: processorSignatures,
  holds: 'start',
  codes: ['build.arch'],
  say: ({ line }) => {
    const isForeign = /format error/i.test(line)
    return {
      code: 'build.arch',
      verdict: 'misconfigured',
      cause: isForeign
        ? 'The program is built for another kind of processor than this machine has (x86-64 against ARM), or is no program at all.'
        : 'The program uses instructions that the processor of this machine does not have: it was built for a newer one.',
      remedy: isForeign
        ? [
            'Take the image or build of this machine: uname -m, and docker pull --platform linux/arm64 (or linux/amd64).',
          ]
        : [
            'Build it on this machine (llama.cpp: cmake -B build -DGGML_NATIVE=ON, or -DGGML_AVX512=OFF), or take a build for older processors; a guest may need the host CPU type (cpu: host).',
          ],
      confidence: 'likely',
      unless: 'a library was damaged: then the same file fails on another machine too.',
      explains: ['log.need-more', 'unit.exec', 'engine.kernel-crash'],
    }
  },
}

/** A program that was built without GPU support. */
const cpuOnly: LineFault = {
  signatures: cpuOnlySignatures,
  holds: 'start',
  codes: ['build.cpu-only'],
  say: ({ line }) => ({
    ...NO_GPU,
    cause: `${/bitsandbytes/.test(line) ? 'bitsandbytes' : 'torch'} was built without GPU support.`,
    remedy: [
      'Install the GPU build in the environment of the engine: pip install --force-reinstall torch --index-url https://download.pytorch.org/whl/cu128 (or the CUDA or ROCm of your driver), or take the engine’s image.',
      'Then python -c "import torch; print(torch.version.cuda, torch.cuda.is_available())" must print a version and True.',
    ],
  }),
}

/** llama.cpp says that it has no GPU; a build that prints it in vain shows its layers on the GPU (llama.cpp#22748). */
const llamaCpu: LineFault = {
  signatures: [noUsableGpu],
  holds: 'always',
  codes: ['build.cpu-only'],
  say: (_, evidence) => (usesGpu(evidence) ? null : LLAMA_CPU),
}

function usesGpu(evidence: Evidence): boolean {
  return signsOf(evidence, gpuLayers.name, gpuBackend.name).length > 0
}

const NO_GPU = {
  code: 'build.cpu-only',
  verdict: 'misconfigured',
  confidence: 'certain',
  explains: ['log.need-more', 'engine.assert'],
} as const

const LLAMA_CPU: Said = {
  ...NO_GPU,
  cause: 'This llama.cpp has no GPU backend, so the model runs on the CPU and --gpu-layers counts for nothing.',
  remedy: [
    'Take a build with a backend: cmake -B build -DGGML_CUDA=ON (AMD: -DGGML_HIP=ON, any: -DGGML_VULKAN=ON), then cmake --build build --config Release; or the image ghcr.io/ggml-org/llama.cpp:server-cuda.',
    'llama-server --list-devices must then name the card.',
  ],
  confidence: 'likely',
  unless:
    'the build has a backend and the driver is not reachable: then nvidia-smi fails as well, or the container was started without --gpus all.',
}

/** Builds that do not fit the card. */
export const wrongBuild: Rule = {
  ...lineRule([arch, processor, cpuOnly, llamaCpu]),
  signatures: [
    ...archSignatures,
    ...processorSignatures,
    ...cpuOnlySignatures,
    noUsableGpu,
    gpuLayers,
    gpuBackend,
    ollamaGpu,
  ],
}
