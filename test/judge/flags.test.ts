import { describe, expect, it } from 'vitest'
import { flagsOf, numberFlag, tensorParallel } from '../../src/judge/flags.ts'
import { logOf } from './fault-log.ts'

const plain = (evidence: Parameters<typeof flagsOf>[0]) => Object.fromEntries(flagsOf(evidence))

describe('flags', () => {
  it('come from the arguments of the process, in all their forms', () => {
    const argv = [
      'python',
      '-m',
      'sglang.launch_server',
      '--model-path=/m',
      '--tp',
      '2',
      '--trust-remote-code',
      '-c',
      '4096',
    ]
    expect(plain(logOf(null, [], { argv }))).toEqual({
      'model-path': '/m',
      'tp-size': '2',
      'trust-remote-code': 'true',
      'ctx-size': '4096',
    })
  })

  it('come from what SGLang logs of itself; None and False are not set', () => {
    const line =
      "[t] server_args=ServerArgs(model_path='/m/Qwen 3', tp_size=2, mem_fraction_static=0.85, chat_template=None, disable_radix_cache=False, enable_metrics=True, cuda_graph_bs=[1, 2, 4], kv_cache_dtype='fp8_e4m3')"
    expect(plain(logOf('sglang', [line]))).toEqual({
      'model-path': '/m/Qwen 3',
      'tp-size': '2',
      'mem-fraction-static': '0.85',
      'enable-metrics': 'true',
      'cuda-graph-bs': '[1, 2, 4]',
      'kv-cache-dtype': 'fp8_e4m3',
    })
  })

  it('come from what vLLM logs of itself, in the new form and in the old one', () => {
    const now =
      "INFO [utils.py:233] non-default args: {'model': '/m', 'max_model_len': 8192, 'tensor_parallel_size': 4}"
    expect(plain(logOf('vllm', [now]))).toEqual({ 'model-path': '/m', 'max-model-len': '8192', 'tp-size': '4' })
    const old = "Initializing an LLM engine (v0.6.3) with config: model='/m', dtype=torch.half, tensor_parallel_size=2"
    expect(plain(logOf('vllm', [old]))).toEqual({ 'model-path': '/m', dtype: 'torch.half', 'tp-size': '2' })
  })

  it('come from a command in the log and from what was told; quotes are taken off', () => {
    const line = "$ vllm serve /m --gpu-memory-utilization 0.95 --served-model-name 'my model'"
    expect(plain(logOf('vllm', [line]))).toEqual({
      'gpu-memory-utilization': '0.95',
      'served-model-name': 'my model',
    })
    expect(plain(logOf(null, [], { told: ['flags: -fa on --cache-type-k q4_0', 'gpu: --tp 9'] }))).toEqual({
      'flash-attn': 'on',
      'cache-type-k': 'q4_0',
    })
  })
})

describe('flags of several sources', () => {
  it('of the process count before those of the log, and those before what was told', () => {
    const evidence = logOf('sglang', ['[t] server_args=ServerArgs(tp_size=4, max_running_requests=8)'], {
      argv: ['--tp-size', '2'],
      told: ['flags: --tp-size 8 --max-running-requests 48 --context-length 4096'],
    })
    expect(plain(evidence)).toEqual({ 'tp-size': '2', 'max-running-requests': '8', 'context-length': '4096' })
  })

  it('are numbers only where they are written as numbers', () => {
    const flags = flagsOf(logOf(null, [], { told: ['flags: --a 0.85 --b auto --d -1'] }))
    expect([
      numberFlag(flags, 'a'),
      numberFlag(flags, 'b'),
      numberFlag(flags, 'd'),
      numberFlag(flags, 'no', 'a'),
    ]).toEqual([0.85, null, -1, 0.85])
    expect(tensorParallel(flags)).toBe(1)
  })
})
