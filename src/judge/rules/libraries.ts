import type { Evidence, Rule } from '../../domain/finding.ts'
import type { Sign } from '../../domain/signature.ts'
import type { LineFault, Said } from '../log/line-faults.ts'
import { lineRule, toldLike } from '../log/line-faults.ts'
import { firstSign } from '../log/signs.ts'
import {
  abiSignatures,
  buildSignatures,
  cudaSignatures,
  kernelPackSignature,
  libraryNotFound,
  packageSignatures,
  systemSignatures,
  toolchainSignatures,
} from './libraries-signs.ts'

const CLEAN_SET =
  'Install the engine anew in a clean environment (python -m venv, then pip install of the one engine version), or take its image: torch, kernels and torchvision then come from one release.'

const WHICH = 'See what is there: pip list | grep -iE "torch|cuda|cu1[23]|kernel|flash|sglang|vllm".'

/** A library file that the loader did not find; its name tells whose it is. */
const notFound: LineFault = {
  signatures: [libraryNotFound],
  holds: 'start',
  codes: ['lib.cuda-major', 'lib.missing-system', 'lib.abi'],
  say: (sign, evidence) => {
    const lib = sign.fields['lib'] ?? ''
    if (OF_DRIVER.test(lib) || /nvidia-container-cli|level=(?:DEBUG|INFO)/.test(sign.line)) return null
    if (OF_CUDA.test(lib)) return otherCuda(lib, evidence)
    return OF_TORCH.test(lib)
      ? otherRelease(`${lib} is not there`)
      : missing(`${lib} is missing on the system.`, packageFor(lib))
  },
}

/** They belong to the driver, of which another rule speaks. */
const OF_DRIVER = /^lib(?:cuda|nvidia-[\w-]+)\.so/
const OF_CUDA =
  /^lib(?:nvrtc|cudart|cublas|cublasLt|cusparse|cusolver|cufft|curand|cupti|nvJitLink|nvToolsExt|cudnn|nccl|nvshmem|cufile)[\w-]*\.so/
const OF_TORCH = /^lib(?:torch|c10|caffe2|shm)[\w-]*\.so/

function otherCuda(lib: string, evidence: Evidence): Said {
  const major = /\.so\.(\d+)/.exec(lib)?.[1]
  return {
    code: 'lib.cuda-major',
    verdict: 'misconfigured',
    cause: `A library was built for another CUDA than the one installed: it asks for ${lib}.`,
    remedy: [
      `Install the set that is built for one CUDA: the engine's wheels and torch of the same cu${major ?? ''} index, in a clean environment, or the engine's image for it.`,
      `If ${lib} is on the machine (find / -name '${lib}*' 2>/dev/null), put its folder first in LD_LIBRARY_PATH of the engine and start again.`,
      WHICH,
    ],
    confidence: 'certain',
    also: toldLike(evidence, /cu1[123]|libnvrtc|libcudart|cuda/i),
    explains: ['log.need-more', 'lib.abi', 'build.arch'],
  }
}

function otherRelease(what: string): Said {
  return {
    code: 'lib.abi',
    verdict: 'misconfigured',
    cause: `Two libraries come from different releases: ${what}.`,
    remedy: [CLEAN_SET, WHICH],
    confidence: 'certain',
    explains: ['log.need-more'],
  }
}

function missing(cause: string, remedy: string): Said {
  return {
    code: 'lib.missing-system',
    verdict: 'misconfigured',
    cause,
    remedy: [remedy, 'Then start again; in a container, put it into the image, or take an image that has it.'],
    confidence: 'certain',
    explains: ['log.need-more', 'lib.abi'],
  }
}

function packageFor(lib: string): string {
  const known = PACKAGES.find(([pattern]) => pattern.test(lib))?.[1]
  return known === undefined
    ? `Install the package that holds ${lib} (apt-file search ${lib}, or dnf provides '*/${lib}').`
    : `apt-get install -y ${known} (or the same of your distribution).`
}

const PACKAGES: readonly (readonly [RegExp, string])[] = [
  [/^libGL\.so|^libgthread|^libglib/, 'libgl1 libglib2.0-0'],
  [/^libnuma/, 'libnuma1'],
  [/^libibverbs|^librdmacm|^libmlx5/, 'libibverbs1 librdmacm1 ibverbs-providers'],
  [/^libgomp/, 'libgomp1'],
  [/^libsndfile/, 'libsndfile1'],
  [/^libcurl/, 'libcurl4'],
  [/^libpython(\d\.\d+)/, 'libpython3-dev, in the version that the name tells'],
  [/^libmpi/, 'libopenmpi3'],
  [/^libopenblas/, 'libopenblas0'],
  [/^libX|^libSM|^libICE/, 'libxext6 libsm6 libxrender1'],
]

/** A symbol that the other library of the pair does not have. */
const abi: LineFault = {
  signatures: abiSignatures,
  holds: 'start',
  codes: ['lib.abi'],
  say: ({ fields, line }) => {
    const symbol = fields['symbol'] ?? ''
    if (/nvJitLink/.test(symbol))
      return {
        ...otherRelease(`the loader took another libnvJitLink than torch brought`),
        remedy: [OWN_CUDA, CLEAN_SET],
      }
    if (/numpy/i.test(line))
      return {
        ...otherRelease('one was compiled against another NumPy'),
        remedy: [
          'pip install "numpy<2" where the line names NumPy 1.x, else upgrade the package that it names; then start again.',
          CLEAN_SET,
        ],
      }
    return otherRelease(
      SAYS.find(([pattern]) => pattern.test(line))?.[1] ??
        `${fields['file'] ?? 'one'} asks for a name that the other does not have`,
    )
  },
}

const OWN_CUDA =
  "Take the system's CUDA folders out of LD_LIBRARY_PATH of the engine (unset LD_LIBRARY_PATH), so that torch loads the libraries that pip installed beside it."

const SAYS: readonly (readonly [RegExp, string])[] = [
  [/torchvision|torchaudio/, 'torch and torchvision do not fit'],
  [/undefined symbol: \w*(?:c10|torch|at_|caffe)/, 'a kernel library was built for another torch'],
]

/** The kernels of SGLang cannot be loaded, and no line says why. */
const kernelPack: LineFault = {
  signatures: [kernelPackSignature],
  holds: 'start',
  codes: ['lib.abi'],
  say: (_, evidence) => {
    const told = firstSign(evidence, libraryNotFound.name, ...abiSignatures.map(({ name }) => name))
    if (told !== null) return null
    return {
      ...otherRelease('the kernel package cannot be loaded beside this torch'),
      confidence: 'likely',
      unless: 'the package has no build for this GPU: the lines below it name the compute capability.',
    }
  },
}

/** Parts that were built for two CUDAs, and say so. */
const cuda: LineFault = {
  signatures: cudaSignatures,
  holds: 'start',
  codes: ['lib.cuda-major'],
  say: ({ fields }) => ({
    code: 'lib.cuda-major',
    verdict: 'misconfigured',
    cause: `The libraries are of different CUDA versions: ${fields['one'] ?? 'one'} and ${fields['other'] ?? 'another'}.`,
    remedy: [
      `Point CUDA_HOME and PATH to the toolkit of ${fields['other'] ?? 'the CUDA of torch'}, or install torch and its companions from the index of one CUDA (pip install torch torchvision torchaudio --index-url https://download.pytorch.org/whl/cuNNN).`,
      WHICH,
    ],
    confidence: 'certain',
    explains: ['log.need-more', 'lib.abi'],
  }),
}

/** A compiler, headers or a tool that is needed to build kernels at the start. */
const toolchain: LineFault = {
  signatures: toolchainSignatures,
  holds: 'start',
  codes: ['lib.missing-system'],
  say: (sign) => toolFor(sign),
}

function toolFor({ line }: Sign): Said {
  if (/ninja/i.test(line))
    return missing(
      'ninja is missing; kernels are built with it at the start.',
      'pip install ninja in the environment of the engine (or apt-get install -y ninja-build), and have its bin folder in PATH.',
    )
  if (/Python\.h/.test(line))
    return missing(
      'The headers of Python are missing; kernels are built at the start.',
      'apt-get install -y python3-dev (of the very Python version that the engine runs with, as python3.12-dev).',
    )
  if (/C compiler|\b(?:gcc|g\+\+|cc1plus)\b/.test(line))
    return missing(
      'There is no C compiler; Triton builds kernels with it at the start.',
      'apt-get install -y build-essential, or set CC to the compiler.',
    )
  return missing(
    'The CUDA toolkit (nvcc) is missing; kernels are built with it at the start.',
    "Install the toolkit of the CUDA that torch was built for (python -c 'import torch; print(torch.version.cuda)') and set CUDA_HOME to it, or take the devel image of the engine.",
  )
}

/** A package of Python that is not installed. */
const pythonPackage: LineFault = {
  signatures: packageSignatures,
  holds: 'start',
  codes: ['lib.missing-system'],
  say: ({ fields }) => {
    const [name = ''] = (fields['package'] ?? '').split('.')
    return {
      ...missing(
        `The Python package ${name} is missing in the environment of the engine.`,
        `pip install ${name} in the environment that runs the engine (its name at the index may differ: cv2 is opencv-python-headless).`,
      ),
      confidence: 'likely',
      unless: 'another environment was started than you think: which python, and the ExecStart of the unit.',
    }
  },
}

/** The build of a kernel at the start failed, and its own lines may say why. */
const kernelBuild: LineFault = {
  signatures: buildSignatures,
  holds: 'start',
  codes: ['lib.missing-system'],
  say: () => ({
    ...missing(
      'A kernel could not be built at the start: a compiler, headers or a fitting CUDA toolkit is missing.',
      'Read the first line with “error:” or “fatal” above it: it names what is missing. apt-get install -y build-essential ninja-build python3-dev, and the toolkit of the CUDA that torch was built for (nvcc --version).',
    ),
    confidence: 'likely',
    unless:
      'the compiler itself refuses the code: then engine and CUDA toolkit do not fit; clear its cache (~/.cache/flashinfer, ~/.cache/torch_extensions, ~/.triton) once.',
    missing: ['the lines of the compiler above'],
  }),
}

/** The system's own libraries are older than what was built elsewhere. */
const system: LineFault = {
  signatures: systemSignatures,
  holds: 'start',
  codes: ['lib.missing-system'],
  say: ({ fields }) =>
    missing(
      `The system has no ${fields['version'] ?? 'library'} of that version: the binary was built on a newer one.`,
      "Take a build for this distribution (a wheel of an older manylinux, the engine's image), or upgrade the system; for GLIBCXX conda install -c conda-forge libstdcxx-ng helps too.",
    ),
}

/** Shared libraries that are missing, of another CUDA or of another release. */
export const libraries: Rule = lineRule([
  notFound,
  abi,
  kernelPack,
  cuda,
  toolchain,
  kernelBuild,
  pythonPackage,
  system,
])
