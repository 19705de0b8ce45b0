import type { Capability, Pins, Platform } from '../domain/knowledge.ts'
import { sglangTag } from './sources.ts'

const NVIDIA =
  'https://docs.nvidia.com/deploy/cuda-compatibility/minor-version-compatibility.html (driver), sglang docker/Dockerfile (CUDA)'

/** CUDA and driver of the default builds. */
export const platforms: readonly Platform[] = [
  {
    engine: 'sglang',
    versions: '>=0.5.11rc0',
    cuda: '13.0',
    driver: '580',
    source: NVIDIA,
    date: '2026-08-20',
    standing: 'stated',
  },
  {
    engine: 'sglang',
    versions: '>=0.5.9,<0.5.11rc0',
    cuda: '12.9',
    driver: '525',
    source: NVIDIA,
    date: '2026-08-20',
    standing: 'stated',
  },
]

const checks = sglangTag('0.5.18', 'python/sglang/srt/layers/quantization (get_min_capability)')

/** Compute capability that a quantisation asks for. */
export const capabilities: readonly Capability[] = [
  { engine: 'sglang', quantisation: 'w8a8_fp8', least: 89, ...checks },
  { engine: 'sglang', quantisation: 'modelopt', least: 89, ...checks },
  { engine: 'sglang', quantisation: 'modelopt_fp8', least: 89, ...checks },
  { engine: 'sglang', quantisation: 'modelopt_fp4', least: 100, ...checks },
  { engine: 'sglang', quantisation: 'w4afp8', least: 90, ...checks },
  { engine: 'sglang', quantisation: 'mxfp4', least: 80, ...checks },
  { engine: 'sglang', quantisation: 'w8a8_int8', least: 80, ...checks },
]

const pinsOf = (version: string, packages: Pins['packages']): Pins => ({
  engine: 'sglang',
  version,
  packages,
  ...sglangTag(version, 'python/pyproject.toml'),
})

/** What each release of SGLang was tested with. */
export const pins: readonly Pins[] = [
  pinsOf('0.5.9', { torch: '2.9.1', transformers: '4.57.1', sgl_kernel: '0.3.21', flashinfer_python: '0.6.3' }),
  pinsOf('0.5.10', { torch: '2.9.1', transformers: '5.3.0', sglang_kernel: '0.4.1', flashinfer_python: '0.6.7.post2' }),
  pinsOf('0.5.11', {
    torch: '2.11.0',
    transformers: '5.6.0',
    sglang_kernel: '0.4.2',
    flashinfer_python: '0.6.8.post1',
  }),
  pinsOf('0.5.12', { transformers: '5.6.0', sglang_kernel: '0.4.2.post2' }),
  pinsOf('0.5.13', { transformers: '5.8.1', sglang_kernel: '0.4.3' }),
  pinsOf('0.5.14', { sglang_kernel: '0.4.4' }),
  pinsOf('0.5.15', { transformers: '5.12.1', sglang_kernel: '0.4.4' }),
  pinsOf('0.5.16', { transformers: '5.12.1', sglang_kernel: '0.4.5' }),
  pinsOf('0.5.17', { transformers: '5.12.1', sglang_kernel: '0.4.5' }),
  pinsOf('0.5.18', { torch: '2.13.0', transformers: '5.12.1', sglang_kernel: '0.4.6.post1' }),
]
