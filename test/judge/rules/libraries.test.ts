import { expect } from 'vitest'
import { libraries } from '../../../src/judge/rules/libraries.ts'
import { logged, ORDINARY, READY } from '../logged.ts'
import { ruleTable } from '../rule-table.ts'

const missing = { code: 'lib.missing-system', verdict: 'misconfigured', confidence: 'certain' } as const
const abi = { code: 'lib.abi', verdict: 'misconfigured' } as const
const cuda = { code: 'lib.cuda-major', verdict: 'misconfigured', confidence: 'certain' } as const
const noFile = (lib: string) => `ImportError: ${lib}: cannot open shared object file: No such file or directory`

ruleTable(libraries, {
  speaks: {
    libGL: [
      logged(noFile('libGL.so.1')),
      { ...missing, remedy: [expect.stringContaining('libgl1'), expect.any(String)] },
    ],
    libnuma: [logged(noFile('libnuma.so.1')), { ...missing, cause: 'libnuma.so.1 is missing on the system.' }],
    'one that we do not know': [
      logged(noFile('libfoo-bar.so.3')),
      { ...missing, remedy: [expect.stringContaining('apt-file search libfoo-bar.so.3'), expect.any(String)] },
    ],
    'the CUDA runtime of another major': [
      logged(noFile('libcudart.so.12'), ['found: nvidia/cu13/lib/libcudart.so.13']),
      {
        ...cuda,
        cause: 'A library was built for another CUDA than the one installed: it asks for libcudart.so.12.',
        because: [expect.stringContaining('libcudart.so.12'), expect.stringContaining('libcudart.so.13')],
      },
    ],
    'an older form of the name': [logged(noFile('libcublas.so.11')), cuda],
    'a library of torch': [logged(noFile('libc10_cuda.so')), { ...abi, confidence: 'certain' }],
    'the kernels of SGLang, with their reason': [
      logged(['[sgl_kernel] CRITICAL: Could not load any common_ops library!', `- ${noFile('libnvrtc.so.13')}`]),
      cuda,
    ],
    'the kernels of SGLang, without a reason': [
      logged('[sgl_kernel] CRITICAL: Could not load any common_ops library!'),
      { ...abi, confidence: 'likely' },
    ],
    'a symbol of torch': [
      logged(
        'ImportError: /opt/venv/flash_attn_2_cuda.cpython-312-x86_64-linux-gnu.so: undefined symbol: _ZN3c105ErrorC2E',
      ),
      { ...abi, cause: 'Two libraries come from different releases: a kernel library was built for another torch.' },
    ],
    'a symbol of nvJitLink': [
      logged('ImportError: libcusparse.so.12: undefined symbol: __nvJitLinkComplete_12_4, version libnvJitLink.so.12'),
      { ...abi, remedy: [expect.stringContaining('unset LD_LIBRARY_PATH'), expect.any(String)] },
    ],
    'torchvision of another release': [logged('RuntimeError: operator torchvision::nms does not exist'), abi],
    'NumPy of another release': [
      logged('ValueError: numpy.dtype size changed, may indicate binary incompatibility. Expected 96 from C header'),
      { ...abi, remedy: [expect.stringContaining('numpy'), expect.any(String)] },
    ],
    'an extension that was not built': [logged("ModuleNotFoundError: No module named 'vllm._C'"), abi],
    'a toolkit of another CUDA': [
      logged(
        'RuntimeError: The detected CUDA version (11.8) mismatches the version that was used to compile PyTorch (12.8).',
      ),
      { ...cuda, cause: 'The libraries are of different CUDA versions: 11.8 and 12.8.' },
    ],
    'companions of another CUDA': [
      logged(
        'RuntimeError: Detected that PyTorch and torchvision were compiled with different CUDA major versions. PyTorch has CUDA Version=13.0 and torchvision has CUDA Version=12.8.',
      ),
      { ...cuda, cause: 'The libraries are of different CUDA versions: 13.0 and 12.8.' },
    ],
    nvcc: [
      logged("RuntimeError: Could not find nvcc and default cuda_home='/usr/local/cuda' doesn't exist"),
      { ...missing, cause: expect.stringContaining('nvcc') },
    ],
    ninja: [
      logged("FileNotFoundError: [Errno 2] No such file or directory: 'ninja'"),
      { ...missing, remedy: [expect.stringContaining('pip install ninja'), expect.any(String)] },
    ],
    'a compiler': [
      logged('RuntimeError: Failed to find C compiler. Please specify via CC environment variable.'),
      { ...missing, remedy: [expect.stringContaining('build-essential'), expect.any(String)] },
    ],
    'the headers of Python': [
      logged('/tmp/tmp1/main.c:5:10: fatal error: Python.h: No such file or directory'),
      { ...missing, remedy: [expect.stringContaining('python3-dev'), expect.any(String)] },
    ],
    'a package of Python': [
      logged("ModuleNotFoundError: No module named 'flashinfer.jit'"),
      {
        ...missing,
        confidence: 'likely',
        remedy: [expect.stringContaining('pip install flashinfer'), expect.any(String)],
      },
    ],
    'a package that the code of the model wants': [
      logged(
        'ImportError: This modeling file requires the following packages that were not found in your environment: einops. Run `pip install einops`',
      ),
      { ...missing, confidence: 'likely', cause: expect.stringContaining('einops') },
    ],
    'a kernel that could not be built': [
      logged('RuntimeError: Ninja build failed. Ninja output:'),
      { ...missing, confidence: 'likely', missing: [expect.any(String)] },
    ],
    'an old system': [
      logged(
        "ImportError: /lib/x86_64-linux-gnu/libstdc++.so.6: version `GLIBCXX_3.4.32' not found (required by /opt/x.so)",
      ),
      { ...missing, cause: expect.stringContaining('GLIBCXX_3.4.32') },
    ],
  },
  silent: {
    ...ORDINARY,
    'the library of the driver': logged(noFile('libcuda.so.1')),
    'the container runtime': logged(
      `nvidia-container-cli: initialization error: load library failed: ${noFile('libnvidia-ml.so.1')}`,
    ),
    'a start that got over it': logged([noFile('libnuma.so.1'), READY]),
    'a model file that is passed over': logged(
      "[t] Ignore import error when loading sglang.srt.models.foo: No module named 'terratorch'",
    ),
    'a toolkit that fits': logged('ninja: no work to do.'),
    'a package of people': logged("ModuleNotFoundError is caught: No module named 'flask'"),
  },
})
