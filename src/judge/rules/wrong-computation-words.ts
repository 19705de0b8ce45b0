import type { EngineKind } from '../../domain/target.ts'

/** What is said of one culprit. */
interface Words {
  readonly cause: string
  remedy(engine: EngineKind | null): readonly string[]
  readonly unless: string
}

/** The flag of the engine at hand; those of all where it is not known. */
function byEngine(engine: EngineKind | null, said: Partial<Record<EngineKind, string>>): string {
  const own = engine === null ? undefined : said[engine]
  return `${own ?? Object.values(said).join(' ')} Then repeat the same prompt.`
}

export const WORDS = {
  'model.kv-quant': {
    cause:
      'The text decays because the KV cache is quantised: with this attention kernel and this model the cached keys and values lose too much.',
    remedy: (engine) => [
      byEngine(engine, {
        sglang: 'Start SGLang with --kv-cache-dtype auto.',
        vllm: 'Start vLLM with --kv-cache-dtype auto.',
        'llama-cpp': 'Start llama.cpp with --cache-type-k f16 --cache-type-v f16 (or q8_0).',
        ollama: 'Start Ollama with OLLAMA_KV_CACHE_TYPE=f16.',
      }),
      'Quantise it again only with scales that were calibrated for this checkpoint, after an upgrade of the engine, or with another attention kernel, and compare.',
    ],
    unless: 'the text is the same with an unquantised cache: then a kernel or the weights are wrong.',
  },
  'model.kernel-bug': {
    cause:
      'The text decays because a kernel computes wrongly on this GPU: with another one the same model is coherent.',
    remedy: (engine) => [
      byEngine(engine, {
        'llama-cpp': 'Start llama.cpp with -fa off.',
        sglang: 'Start SGLang with --attention-backend triton, then with --disable-cuda-graph, one at a time.',
        vllm: 'Start vLLM with --enforce-eager, then with another attention backend (VLLM_ATTENTION_BACKEND), one at a time.',
        ollama: 'Start Ollama with OLLAMA_FLASH_ATTENTION=0.',
      }),
      'Upgrade engine and driver, and report the pair of GPU and version to the engine, with both answers.',
    ],
    unless: 'the text is the same without that kernel: then the weights or the template are wrong.',
  },
  'model.spec-desync': {
    cause:
      'Speculative decoding is out of step with the model: what the draft proposes and what the model keeps do not belong to the same state.',
    remedy: (engine) => [
      byEngine(engine, {
        sglang: 'Start SGLang without --speculative-algorithm.',
        vllm: 'Start vLLM without --speculative-config.',
        'llama-cpp': 'Start llama.cpp without --model-draft (-md).',
      }),
      'If that is well: upgrade the engine, and take the draft model that belongs to this checkpoint.',
    ],
    unless: 'the text is the same without speculation: then the weights or a kernel are wrong.',
  },
  'model.tp-comm-suspect': {
    cause:
      'The text is wrong where several GPUs share the model: the way between the cards, or the sum over them, is under suspicion; which of the two is not established.',
    remedy: (engine) => [
      byEngine(engine, {
        sglang: 'Start SGLang once with --tp-size 1 (or a smaller quantisation that fits one card).',
        vllm: 'Start vLLM once with --tensor-parallel-size 1 (or --pipeline-parallel-size instead).',
        'llama-cpp': 'Start llama.cpp once with --split-mode layer, or with one card (CUDA_VISIBLE_DEVICES=0).',
      }),
      'If that is well: set NCCL_P2P_DISABLE=1, then add --disable-custom-all-reduce, one at a time.',
      'On consumer cards and in virtual machines look at ACS and IOMMU (they break peer-to-peer over PCIe); upgrade the engine.',
      'Ask also in another language than English and for arithmetic: some of these faults show only there.',
    ],
    unless: 'the text is the same on one card: then the weights or a kernel are wrong.',
  },
  'model.weights-misloaded': {
    cause: 'The engine did not load all weights or scales of this checkpoint, so the tokens do not belong together.',
    remedy: () => [
      'Upgrade the engine to a release that knows this checkpoint, and look in the log of the start that no weight or scale is missing.',
      'Or serve the unquantised (BF16) checkpoint of the same model.',
      'Compare the files with model.safetensors.index.json: a download may be incomplete.',
    ],
    unless: 'the same lines stand in the log of a release that answers well: some of them are harmless.',
  },
} as const satisfies Readonly<Record<string, Words>>
