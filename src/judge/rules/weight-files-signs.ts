import type { Signature } from '../../domain/signature.ts'

type Signatures = readonly [Signature, ...Signature[]]

export const pointerSignatures: Signatures = [
  {
    name: 'lfs-pointer',
    anchors: ['without having git-lfs installed', "invalid load key, 'v'", 'version https://git-lfs.github.com'],
    pattern:
      /cloned a repository without having git-lfs installed|invalid load key, 'v'|version https:\/\/git-lfs\.github\.com/,
    example: "_pickle.UnpicklingError: invalid load key, 'v'.",
    nearMiss: 'git-lfs is installed',
  },
]

export const headerTooLarge: Signature = {
  name: 'safetensors-header-large',
  anchors: ['HeaderTooLarge', 'header too large', 'could not parse ModelProto from'],
  pattern:
    /(?:deserializing header: )?HeaderTooLarge|deserializing header: header too large|Internal: could not parse ModelProto from/,
  example: 'safetensors_rust.SafetensorError: Error while deserializing header: HeaderTooLarge',
  nearMiss: '431 Request Header Fields Too Large',
}

/** The first four bytes of a file that should begin with GGUF. */
export const magicSignature: Signature = {
  name: 'gguf-magic',
  anchors: ['invalid magic characters', 'unknown (magic, version) combination'],
  pattern:
    /invalid magic characters:? ?'(?<magic>[^']{0,8})|unknown \(magic, version\) combination: (?<magic>[\da-f]{8})/,
  example: "gguf_init_from_file_impl: invalid magic characters: 'vers', expected 'GGUF'",
  nearMiss: "gguf_init_from_file_impl: magic characters are 'GGUF'",
}

/** weights-short: bytes are missing · weights-absent: `file` is missing. */
export const damagedSignatures: Signatures = [
  {
    name: 'weights-short',
    anchors: [
      'MetadataIncompleteBuffer',
      'incomplete metadata, file not fully covered',
      'InvalidHeaderDeserialization',
      'HeaderTooSmall',
      'InvalidHeaderLength',
      'header too small',
      'invalid header length',
      'is not within the file bounds',
      'PytorchStreamReader failed',
      'Consistency check failed: file should be',
      'failed to read tensor data',
      'unexpectedly reached end of file',
      "invalid load key, '<'",
    ],
    pattern:
      /MetadataIncompleteBuffer|incomplete metadata, file not fully covered|deserializing header: (?:InvalidHeader\w{1,30}|HeaderTooSmall|header too small|invalid header \w{1,30})|data is not within the file bounds|PytorchStreamReader failed (?:reading zip archive|locating file)|Consistency check failed: file should be|failed to read tensor data|unexpectedly reached end of file|invalid load key, '<'/,
    example:
      "llama_model_load: error loading model: tensor 'blk.13.ffn_gate.weight' data is not within the file bounds, model is corrupted or incomplete",
    nearMiss: 'all tensors are within the file bounds',
  },
  {
    name: 'weights-absent',
    anchors: [
      'Cannot find any model weights with',
      '.safetensors',
      'no file named pytorch_model.bin',
      'does not appear to have a file named',
      'does not appear to have files named',
      'failed to open GGUF file',
      'Unable to load weights from pytorch checkpoint',
    ],
    pattern:
      /Cannot find any model weights with|No such file or directory: "?'?(?<file>[^'"]{1,300}\.safetensors)|Error no file named (?<file>[\w.-]{1,80})|failed to open GGUF file '(?<file>[^']{1,300})'|Unable to load weights from pytorch checkpoint file for|does not appear to have (?:a )?files? named \(?'?(?<file>[\w.-]{1,80}\.(?:safetensors|bin|json))/,
    example: 'RuntimeError: Cannot find any model weights with `/models/qwen`',
    nearMiss: 'Loading safetensors checkpoint shards: 100% Completed | 3/3, model.safetensors',
  },
]

/** gguf-old: loads and answers worse · gguf-refused: is not loaded. */
export const oldGgufSignatures: Signatures = [
  {
    name: 'gguf-old',
    anchors: [
      'missing pre-tokenizer type',
      'missing or unrecognized pre-tokenizer type',
      'GENERATION QUALITY WILL BE DEGRADED',
    ],
    pattern: /missing (?:or unrecognized )?pre-tokenizer type|GENERATION QUALITY WILL BE DEGRADED/,
    example: "llm_load_vocab: missing pre-tokenizer type, using: 'default'",
    nearMiss: 'print_info: vocab type = BPE',
  },
  {
    name: 'gguf-refused',
    anchors: [
      'GGUFv1 is no longer supported',
      'this format is no longer supported',
      'REMOVED, use Q4_0',
      'is really a GGML file',
      'key not found in model: ',
    ],
    pattern:
      /GGUFv1 is no longer supported|this format is no longer supported|TYPE_\w{1,20} REMOVED, use \w{1,12}|error loading model hyperparameters: key not found in model: [\w.]{1,80}/,
    example: 'gguf_init_from_file: GGUFv1 is no longer supported. please use a more up-to-date version',
    nearMiss: 'llama_model_loader: - kv 0: general.architecture str = GGUFv3',
  },
]
