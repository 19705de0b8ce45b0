import type { Evidence, Rule } from '../../domain/finding.ts'
import type { Sign } from '../../domain/signature.ts'
import type { LineFault, Said } from '../log/line-faults.ts'
import { lineRule, toldLike } from '../log/line-faults.ts'
import {
  damagedSignatures,
  headerTooLarge,
  magicSignature,
  oldGgufSignatures,
  pointerSignatures,
} from './weight-files-signs.ts'

const POINTER: Said = {
  code: 'weights.lfs-pointer',
  verdict: 'misconfigured',
  cause:
    'The weight files are Git LFS pointers of some hundred bytes, not the weights: the repository was cloned without git-lfs.',
  remedy: [
    'git lfs install, then git lfs pull in the model directory (or hf download ORG/NAME --local-dir DIRECTORY), then start again.',
    'ls -l shows the size of each file: a pointer has about 130 bytes and begins with “version https://git-lfs.github.com”.',
  ],
  confidence: 'certain',
  explains: ['log.need-more', 'weights.truncated'],
}

const DAMAGED: Said = {
  code: 'weights.truncated',
  verdict: 'misconfigured',
  cause: 'A weight file is not whole: its download broke off, or the disk was full.',
  remedy: [
    'Compare the sizes with the hub and fetch the short file anew: delete it, then hf download ORG/NAME (it checks what is there), or git lfs fetch --all && git lfs checkout.',
    'Look at the room on the disk (df -h) and compare sha256sum with the hub before the next start.',
  ],
  confidence: 'certain',
  explains: ['log.need-more'],
}

const LARGER = /\b(?:1[1-4]\d|13[0-9]) ?(?:B|bytes)?\b(?!\.)/

/** A header that cannot be one: text in place of weights, most often a pointer. */
const header: LineFault = {
  signatures: [headerTooLarge],
  holds: 'start',
  codes: ['weights.lfs-pointer'],
  say: (_, evidence) => {
    const size = toldLike(evidence, LARGER)
    return {
      ...POINTER,
      cause:
        'The weight file holds text in place of weights: as a rule a Git LFS pointer, since the repository was cloned without git-lfs.',
      confidence: size.length === 0 ? 'likely' : 'certain',
      unless: 'the file is a page of an error or of a login that was saved under its name: head -c 200 FILE shows it.',
      also: size,
    }
  },
}

const pointer: LineFault = {
  signatures: pointerSignatures,
  holds: 'start',
  codes: ['weights.lfs-pointer'],
  say: () => POINTER,
}

/** The first bytes of a GGUF file, as the loader names them. */
const magic: LineFault = {
  signatures: [magicSignature],
  holds: 'start',
  codes: ['weights.lfs-pointer', 'weights.old-gguf', 'weights.truncated'],
  say: ({ fields }) => {
    const bytes = fields['magic'] ?? ''
    if (/^vers/.test(bytes)) return POINTER
    if (/^(?:ggjt|tjgg|ggml|lmgg|ggla|algg|ggmf|fmgg)/.test(bytes)) return TOO_OLD
    return {
      ...DAMAGED,
      cause: `The file is no GGUF file: it begins with “${bytes}” in place of “GGUF”.`,
      remedy: [
        'head -c 200 FILE shows what it is: a page of an error, another format, an empty file. Fetch it anew; safetensors want convert_hf_to_gguf.py first.',
      ],
      confidence: 'likely',
    }
  },
}

const damaged: LineFault = {
  signatures: damagedSignatures,
  holds: 'start',
  codes: ['weights.truncated'],
  say: (sign, evidence) => damagedBy(sign, evidence),
}

function damagedBy({ name, fields }: Sign, evidence: Evidence): Said | null {
  const also = toldLike(evidence, /\.(?:safetensors|gguf|bin|pt)\b/)
  if (name === 'weights-short') return { ...DAMAGED, also }
  const file = fields['file'] ?? 'weight files'
  return {
    ...DAMAGED,
    cause: `The model directory is not whole: ${file} is not there.`,
    remedy: [
      'List the directory and compare it with model.safetensors.index.json and with the hub; fetch what is missing (hf download ORG/NAME --local-dir DIRECTORY).',
      'If the path is wrong, correct --model-path (SGLang), --model (vLLM), -m (llama.cpp).',
    ],
    confidence: 'likely',
    unless: 'the path leads to another directory than you think, or the format is one that the engine does not load.',
    also,
  }
}

const TOO_OLD: Said = {
  code: 'weights.old-gguf',
  verdict: 'misconfigured',
  cause: 'The GGUF file is of an older kind, which this llama.cpp no longer reads.',
  remedy: [
    'Take a newer GGUF of the model, or convert it again from the original weights (convert_hf_to_gguf.py, then llama-quantize).',
  ],
  confidence: 'certain',
  explains: ['log.need-more'],
}

/** Files that load, and answer worse than they could. */
const old: LineFault = {
  signatures: oldGgufSignatures,
  holds: 'always',
  codes: ['weights.old-gguf'],
  say: ({ name }) =>
    name === 'gguf-refused'
      ? TOO_OLD
      : {
          ...TOO_OLD,
          verdict: 'degraded',
          cause:
            'The GGUF file lacks the kind of its pre-tokenizer, so text is cut into other tokens than the model was trained with: the answers get worse, though the server runs.',
        },
}

/** Weight files that are pointers, short, missing, or of an older kind. */
export const weightFiles: Rule = lineRule([pointer, header, magic, damaged, old])
