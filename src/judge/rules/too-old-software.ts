import type { Evidence, Rule } from '../../domain/finding.ts'
import type { Sign } from '../../domain/signature.ts'
import { familyOf, minimumOf } from '../../knowledge/index.ts'
import { titleOf } from '../engine-names.ts'
import { flagsOf } from '../flags.ts'
import type { LineFault, Said } from '../log/line-faults.ts'
import { lineRule } from '../log/line-faults.ts'
import { engineAt } from '../orders.ts'
import { compareVersions } from '../version.ts'
import {
  argumentSignatures,
  modelSignatures,
  packageSignatures,
  tokenizerSignatures,
} from './too-old-software-signs.ts'

const UPGRADE =
  'Upgrade the engine to the least version that the model card names (pip install -U sglang, pip install -U vllm, a newer llama.cpp build or Ollama release, or a newer image): it brings the transformers that fits it.'
const NOT_ALONE =
  'Leave transformers to the engine: upgraded alone it breaks the pinned set. See what is installed with pip list | grep -iE "sglang|vllm|transformers|tokenizers|kernel|flashinfer".'

/** The engine, or a package under it, was released before the model. */
const model: LineFault = {
  signatures: modelSignatures,
  holds: 'start',
  codes: ['version.too-old'],
  say: (sign, evidence) => {
    const type = sign.fields['type'] ?? ''
    if (sign.name === 'model-type-key' && !isModelType(type, sign)) return null
    return {
      code: 'version.too-old',
      verdict: 'misconfigured',
      cause: `The software is older than the model: it does not know ${whatOf(sign, type)}.`,
      remedy:
        evidence.log?.writer === 'llama-cpp' || sign.name.startsWith('gguf-')
          ? NEWER_LLAMA
          : [upgradeFor(evidence, sign.name === 'engine-architecture' ? type : ''), NOT_ALONE],
      confidence: SURE.has(sign.name) ? 'certain' : 'likely',
      unless: 'the model directory holds another model than you think: compare architectures in its config.json.',
      explains: ['log.need-more', 'engine.assert', 'engine.invariant'],
    }
  },
}

/** To the least version that is known to serve the model, where engine and model are known. */
function upgradeFor(evidence: Evidence, type: string): string {
  const engine = engineAt(evidence)
  const architecture = /\w+/.exec(type)?.[0] ?? null
  const family = familyOf(flagsOf(evidence).get('model-path') ?? null, architecture)
  const least = engine === null ? null : minimumOf(engine, family, architecture)
  if (engine === null || least === null || !least.isAskedFor) return UPGRADE
  return `Upgrade ${titleOf(engine)} to ${least.version} or newer: pip install -U "${engine}>=${least.version}", or an image of that release. It brings the transformers that fits it.`
}

const SURE: ReadonlySet<string> = new Set([
  'transformers-model-type',
  'engine-architecture',
  'gguf-architecture',
  'ollama-newer',
  'transformers-module',
])

const NEWER_LLAMA = [
  'Update llama.cpp or Ollama to a release that is newer than the model (git pull and build again, a newer image, ollama --version against its releases).',
  'If the newest release refuses it too, support is not merged yet: take a model file of another architecture, or serve it with SGLang or vLLM.',
]

/** `KeyError: 'qwen3_5'`: a model type where the table of configurations is asked, or by its look. */
function isModelType(type: string, { above }: Sign): boolean {
  return above.some((line) => /CONFIG_MAPPING|configuration_auto|model_type/.test(line)) || FAMILY.test(type)
}

const FAMILY =
  /^(?:qwen|llama|glm|deepseek|gemma|gpt_oss|mistral|ministral|mixtral|kimi|minimax|nemotron|phi|granite|olmo|exaone|ernie|hunyuan|step|mimo|seed|bailing|lfm|falcon|cohere|intern|smollm)\w*[\d_]\w*$/

function whatOf({ name }: Sign, type: string): string {
  const named = type.replace(/["'`]/g, '')
  return named === '' ? 'something that its files use' : `${WHAT[name] ?? 'the architecture'} ${named}`
}

const WHAT: Readonly<Record<string, string>> = {
  'transformers-model-type': 'the model type',
  'model-type-key': 'the model type',
  'gguf-tokenizer': 'the pre-tokenizer',
  'gguf-shape': 'the tensors of this file:',
  'transformers-module': 'the class or module',
  'quantisation-method': 'the quantisation',
}

/** A package is older than the engine asks: a partial upgrade. */
const pinned: LineFault = {
  signatures: packageSignatures,
  holds: 'start',
  codes: ['version.too-old', 'version.tokenizers', 'lib.abi'],
  say: ({ fields }) => ofPackage(fields['package'] ?? 'a package', fields['has'] ?? '', fields['wants'] ?? ''),
}

function ofPackage(name: string, has: string, wants: string): Said {
  const limit = /<=?\s?(\d[\w.]*)/.exec(wants)?.[1]
  const isNewer = limit !== undefined && (compareVersions(has, limit) ?? -1) >= 0
  const code = isNewer ? 'lib.abi' : name.startsWith('tokenizers') ? 'version.tokenizers' : 'version.too-old'
  const asks = /^\d/.test(wants) ? `${name}>=${wants}` : `${name}${wants}`
  return {
    code,
    verdict: 'misconfigured',
    cause: `${name} is ${has === '' ? 'of another version' : has}, and the engine asks for ${asks}: only a part of it was upgraded.`,
    remedy: [
      `pip install "${asks}" in the environment of the engine, then start again.`,
      'If more complaints follow, install the engine anew in a clean environment: it brings the whole set that it was tested with.',
    ],
    confidence: 'certain',
    explains: ['log.need-more'],
  }
}

/** A flag, or a value of one, that this version of the program does not have. */
const argument: LineFault = {
  signatures: argumentSignatures,
  holds: 'start',
  codes: ['version.too-old'],
  say: ({ fields }, evidence) => {
    const what = fields['flag'] ?? fields['flags'] ?? 'an argument'
    const value = fields['value']
    return {
      code: 'version.too-old',
      verdict: 'misconfigured',
      cause: `This version of the program does not know ${value === undefined ? what : `the value ${value} of ${what}`}: it is older or newer than the command line.`,
      remedy: [
        `Compare with --help of this very program${versionOf(evidence)}; correct the spelling, or upgrade to the version that has it.`,
        'Flags are renamed between releases: look for the new name in the list that --help prints.',
      ],
      confidence: 'likely',
      unless: 'it is misspelled, or was removed in a newer version.',
      explains: ['log.need-more'],
    }
  },
}

function versionOf({ engine }: Evidence): string {
  return engine?.version == null ? '' : ` (${engine.version})`
}

/** tokenizer.json is written in a newer form than the tokenizers library reads. */
const tokenizer: LineFault = {
  signatures: tokenizerSignatures,
  holds: 'start',
  codes: ['version.tokenizers'],
  say: ({ name, fields }) => ({
    code: 'version.tokenizers',
    verdict: 'misconfigured',
    cause:
      name === 'tokenizer-class'
        ? `The installed transformers does not know the tokenizer class ${fields['type'] ?? ''}: the files were written by a newer release.`
        : 'tokenizer.json is in a newer form than the installed tokenizers library reads.',
    remedy: [
      'Upgrade the engine; it brings transformers and tokenizers that fit. Where that is not possible: pip install -U tokenizers transformers within its pins, then start again.',
    ],
    confidence: name === 'tokenizer-class' ? 'likely' : 'certain',
    unless: 'tokenizer.json itself is damaged: then python -m json.tool tokenizer.json fails.',
    explains: ['log.need-more'],
  }),
}

/** Software that is older than the model, or a package that is older than the engine asks. */
export const tooOldSoftware: Rule = lineRule([model, pinned, argument, tokenizer])
