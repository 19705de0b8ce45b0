import { expect } from 'vitest'
import { weightFiles } from '../../../src/judge/rules/weight-files.ts'
import { logged, ORDINARY, READY } from '../logged.ts'
import { ruleTable } from '../rule-table.ts'

const pointer = { code: 'weights.lfs-pointer', verdict: 'misconfigured' } as const
const short = { code: 'weights.truncated', verdict: 'misconfigured' } as const
const old = { code: 'weights.old-gguf' } as const
const magic = (four: string) => `gguf_init_from_file_impl: invalid magic characters: '${four}', expected 'GGUF'`
const HEADER = 'safetensors_rust.SafetensorError: Error while deserializing header: HeaderTooLarge'

ruleTable(weightFiles, {
  speaks: {
    'a header that cannot be one': [
      logged(HEADER),
      { ...pointer, confidence: 'likely', unless: expect.stringContaining('head -c 200') },
    ],
    'with the size of a pointer': [
      logged(HEADER, ['ls: model-00001-of-00015.safetensors 135 bytes']),
      { ...pointer, confidence: 'certain', because: [expect.any(String), expect.stringContaining('135 bytes')] },
    ],
    'the words of transformers': [
      logged('OSError: You seem to have cloned a repository without having git-lfs installed. Please install git-lfs'),
      { ...pointer, confidence: 'certain' },
    ],
    'a pickle that begins with “version”': [logged("_pickle.UnpicklingError: invalid load key, 'v'."), pointer],
    'a GGUF that begins with “version”': [logged(magic('vers')), { ...pointer, confidence: 'certain' }],
    'a GGUF of an older kind': [logged(magic('tjgg')), { ...old, verdict: 'misconfigured' }],
    'a GGUF that is a page': [logged(magic('<!do')), { ...short, cause: expect.stringContaining('<!do') }],
    'a shard that is short': [
      logged('safetensors_rust.SafetensorError: Error while deserializing header: MetadataIncompleteBuffer', [
        'ls: model-00007-of-00015.safetensors 1.2G (others 3.6G)',
      ]),
      { ...short, confidence: 'certain', because: [expect.any(String), expect.stringContaining('1.2G')] },
    ],
    'the newer words for it': [
      logged('SafetensorError: Error while deserializing header: incomplete metadata, file not fully covered'),
      short,
    ],
    'a GGUF that is short': [
      logged(
        "llama_model_load: error loading model: tensor 'blk.13.ffn_gate.weight' data is not within the file bounds, model is corrupted or incomplete",
      ),
      short,
    ],
    'a checkpoint of torch that is short': [
      logged('RuntimeError: PytorchStreamReader failed reading zip archive: failed finding central directory'),
      short,
    ],
    'no weights at all': [
      logged('RuntimeError: Cannot find any model weights with `/models/qwen`'),
      { ...short, confidence: 'likely' },
    ],
    'a GGUF that is not there': [
      logged("gguf_init_from_file: failed to open GGUF file '/models/q.gguf'"),
      { ...short, confidence: 'likely', cause: expect.stringContaining('/models/q.gguf is not there') },
    ],
    'a shard that is missing': [
      logged("FileNotFoundError: No such file or directory: '/models/q/model-00003-of-00015.safetensors'"),
      { ...short, cause: expect.stringContaining('model-00003-of-00015.safetensors is not there') },
    ],
    'a GGUF without its pre-tokenizer, which runs': [
      logged([
        "llm_load_vocab: missing pre-tokenizer type, using: 'default'",
        'main: server is listening on http://127.0.0.1:8080',
      ]),
      { ...old, verdict: 'degraded' },
    ],
    'a GGUF that is refused': [
      logged('gguf_init_from_file: GGUFv1 is no longer supported. please use a more up-to-date version'),
      { ...old, verdict: 'misconfigured' },
    ],
  },
  silent: {
    ...ORDINARY,
    'a start that got over it': logged([HEADER, READY]),
    'a web server that says no': logged('431 Request Header Fields Too Large'),
    'shards that were loaded': logged(
      'Loading safetensors checkpoint shards: 100% Completed | 15/15, /models/q/model.safetensors',
    ),
    'a GGUF that is fine': logged(
      'print_info: vocab type = BPE\nllama_model_loader: - kv 3: tokenizer.ggml.pre str = qwen2',
    ),
  },
})
