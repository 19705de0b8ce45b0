import type { Signature } from '../../domain/signature.ts'

type Signatures = readonly [Signature, ...Signature[]]

export const libraryNotFound: Signature = {
  name: 'library-not-found',
  anchors: ['cannot open shared object file'],
  pattern: /(?<lib>lib[\w+-]{1,60}(?:\.so[\d.]{0,16}|\.\d[\d.]{0,8}\.so)): cannot open shared object file/,
  example: 'ImportError: libnuma.so.1: cannot open shared object file: No such file or directory',
  nearMiss: 'opened the shared object file libnuma.so.1',
}

/** `symbol` is asked for by `file`. */
export const abiSignatures: Signatures = [
  {
    name: 'undefined-symbol',
    anchors: ['undefined symbol: '],
    pattern: /(?:(?<file>[\w.+-]{1,120}\.so[\d.]{0,12}): )?undefined symbol: (?<symbol>\w{1,300})/,
    example:
      'ImportError: /opt/venv/flash_attn_2_cuda.cpython-312-x86_64-linux-gnu.so: undefined symbol: _ZN3c105ErrorC2E',
    nearMiss: 'SyntaxError: undefined symbols are not allowed',
  },
  {
    name: 'operator-missing',
    anchors: ['operator torchvision::nms does not exist', 'Could not load this library: '],
    pattern: /operator torchvision::nms does not exist|OSError: Could not load this library: \S{1,300}/,
    example: 'RuntimeError: operator torchvision::nms does not exist',
    nearMiss: 'torchvision::nms is registered',
  },
  {
    name: 'numpy-binary',
    anchors: ['may indicate binary incompatibility', 'A module that was compiled using NumPy 1.x'],
    pattern:
      /(?:numpy\.\w{1,20} size changed, may indicate binary incompatibility)|A module that was compiled using NumPy 1\.x cannot be run/,
    example:
      'ValueError: numpy.dtype size changed, may indicate binary incompatibility. Expected 96 from C header, got 88',
    nearMiss: 'a module that was compiled with NumPy',
  },
  {
    name: 'extension-missing',
    anchors: [
      "No module named 'vllm._C",
      "No module named 'vllm._",
      "No module named 'sgl_kernel",
      "No module named 'flash_attn_2_cuda",
      "No module named 'flash_attn_",
    ],
    pattern:
      /(?:ModuleNotFound|Import)Error: No module named '(?<file>(?:vllm\._\w{1,30}|sgl_kernel[\w.]{0,60}|flash_attn_[\w.]{1,60}))'/,
    example: "ModuleNotFoundError: No module named 'vllm._C'",
    nearMiss: "ModuleNotFoundError: No module named 'vllm'",
  },
]

export const kernelPackSignature: Signature = {
  name: 'kernel-pack',
  anchors: ['Could not load any common_ops library'],
  pattern: /Could not load any common_ops library/,
  example: '[sgl_kernel] CRITICAL: Could not load any common_ops library!',
  nearMiss: '[sgl_kernel] loaded the common_ops library',
}

/** Two CUDA versions in one line: `one` is the toolkit or torch, `other` what it should be. */
export const cudaSignatures: Signatures = [
  {
    name: 'cuda-toolkit-mismatch',
    anchors: ['mismatches the version that was used to compile'],
    pattern:
      /detected CUDA version \((?<one>[\d.]{1,10})\) mismatches the version that was used to compile\s{1,4}PyTorch \((?<other>[\d.]{1,10})\)/,
    example:
      'RuntimeError: The detected CUDA version (11.8) mismatches the version that was used to compile PyTorch (12.8). Please make sure to use the same CUDA versions.',
    nearMiss:
      'The detected CUDA version (12.8) has a minor version mismatch with the version that was used to compile PyTorch',
  },
  {
    name: 'cuda-companion-mismatch',
    anchors: ['were compiled with different CUDA'],
    pattern:
      /were compiled with different CUDA (?:major )?versions\.(?: PyTorch has CUDA Version=(?<one>[\d.]{1,10}) and \w{1,20} has CUDA Version=(?<other>\d{1,3}(?:\.\d{1,3})?))?/,
    example:
      'RuntimeError: Detected that PyTorch and torchvision were compiled with different CUDA major versions. PyTorch has CUDA Version=13.0 and torchvision has CUDA Version=12.8.',
    nearMiss: 'PyTorch and torchvision were compiled with the same CUDA version',
  },
]

/** What is needed to build kernels at the start. */
export const toolchainSignatures: Signatures = [
  {
    name: 'nvcc-missing',
    anchors: [
      'Could not find nvcc',
      'nvcc: not found',
      'nvcc: command not found',
      'nvcc: No such file',
      "directory: 'nvcc'",
      "/bin/nvcc'",
      'CUDA_HOME environment variable is not set',
    ],
    pattern:
      /Could not find nvcc|nvcc: (?:not found|command not found|No such file)|No such file or directory: '[\w./-]{0,80}nvcc'|CUDA_HOME environment variable is not set\. Please set it/,
    example: "RuntimeError: Could not find nvcc and default cuda_home='/usr/local/cuda' doesn't exist",
    nearMiss: "No CUDA runtime is found, using CUDA_HOME='/usr/local/cuda'",
  },
  {
    name: 'ninja-missing',
    anchors: ['Ninja is required to load C++', "directory: 'ninja'", 'ninja: not found', 'ninja: command not found'],
    pattern:
      /Ninja is required to load C\+\+ extensions|No such file or directory: 'ninja'|ninja: (?:command )?not found/,
    example: "FileNotFoundError: [Errno 2] No such file or directory: 'ninja'",
    nearMiss: 'ninja: no work to do.',
  },
  {
    name: 'compiler-missing',
    anchors: [
      'Failed to find C compiler',
      'Python.h: No such file',
      'gcc: not found',
      'g++: not found',
      "directory: 'gcc'",
      "directory: 'g++'",
      'cc1plus: No such file',
      "execute 'cc1plus'",
    ],
    pattern:
      /Failed to find C compiler|fatal error: Python\.h: No such file|(?:gcc|g\+\+): not found|No such file or directory: '(?:gcc|g\+\+)'|cannot execute 'cc1plus'|cc1plus: No such file/,
    example:
      'RuntimeError: Failed to find C compiler. Please specify via CC environment variable or set triton.knobs.build.impl.',
    nearMiss: 'gcc: found at /usr/bin/gcc',
  },
]

/** A package of Python that the engine or the model's own code imports. */
export const packageSignatures: Signatures = [
  {
    name: 'python-package-missing',
    anchors: ['packages that were not found in your environment', "ModuleNotFoundError: No module named '"],
    pattern:
      /requires the following packages that were not found in your environment: (?<package>[\w-]{1,60})|^(?:.{0,120}[\s\])])?ModuleNotFoundError: No module named '(?<package>(?!transformers\.|vllm\._|sgl_kernel|flash_attn_)[\w.]{1,80})'/,
    example:
      'ImportError: This modeling file requires the following packages that were not found in your environment: flash_attn. Run `pip install flash_attn`',
    nearMiss: "[t] Ignore import error when loading sglang.srt.models.foo: No module named 'terratorch'",
  },
]

/** Kernels that could not be built, where the compiler's own line may say more. */
export const buildSignatures: Signatures = [
  {
    name: 'kernel-build-failed',
    anchors: ['Ninja build failed', "Error building extension '", 'ninja: build stopped'],
    pattern: /Ninja build failed|Error building extension '(?<package>[\w.-]{1,80})|ninja: build stopped/,
    example: "RuntimeError: Error building extension 'batch_prefill_with_kv_cache'",
    nearMiss: 'ninja: no work to do.',
  },
]

export const systemSignatures: Signatures = [
  {
    name: 'system-library-old',
    anchors: ['version `GLIBC', 'version `CXXABI'],
    pattern: /version `(?<version>(?:GLIBC|GLIBCXX|CXXABI)_[\d.]{1,12})' not found/,
    example:
      "ImportError: /lib/x86_64-linux-gnu/libstdc++.so.6: version `GLIBCXX_3.4.32' not found (required by /opt/x.so)",
    nearMiss: 'GLIBC version 2.39 found',
  },
]
