import type { Rule } from '../../domain/finding.ts'
import type { Sign, Signature } from '../../domain/signature.ts'
import type { LineFault, Said } from '../log/line-faults.ts'
import { lineRule } from '../log/line-faults.ts'
import { countOf } from '../log/signs.ts'

const dropped: Signature = {
  name: 'parameter-not-found',
  anchors: [' not found in params_dict', 'not found in model parameters'],
  pattern: /(?:Parameter|Weight|parameter) (?<name>\S{1,200}) not found in (?:params_dict|model parameters)/,
  example: '[t TP0] Parameter model.layers.3.mlp.down_proj.weight_scale_inv not found in params_dict',
  nearMiss: 'Parameter server not found',
}

const absent: Signature = {
  name: 'weights-not-found',
  anchors: [
    'initialized from checkpoint',
    'are newly initialized',
    'Missing key(s) in state_dict',
    'initialized from the model checkpoint',
  ],
  pattern:
    /(?:[Ff]ollowing|[Ss]ome) weights (?:were|are) not initialized from checkpoints?:? ?(?<names>.{0,600})|not initialized from the model checkpoint at .{1,200}? and are newly initialized(?: because[^:]{0,60})?: (?<names>.{1,600})|Missing key\(s\) in state_dict: (?<names>.{1,600})/,
  example:
    "Some weights of Qwen3ForCausalLM were not initialized from the model checkpoint at /models/q and are newly initialized: ['lm_head.weight']",
  nearMiss: 'All the weights were initialized from the model checkpoint at /models/q.',
}

const refusedName: Signature = {
  name: 'weights-dropped',
  anchors: ['There is no module or parameter named', 'Unexpected key(s) in state_dict', 'size mismatch for '],
  pattern:
    /There is no module or parameter named ['"]?(?<name>[\w.]{1,200})|Unexpected key\(s\) in state_dict: (?<name>.{1,200})|size mismatch for (?<name>[\w.]{1,200}): copying a param/,
  example: "ValueError: There is no module or parameter named 'lm_head.input_scale' in Qwen3ForCausalLM",
  nearMiss: 'There is no module named flask',
}

/** Such names may be absent without harm: tied heads, tables that are computed, drafts, scales of the cache, other towers. */
const HARMLESS =
  /lm_head\.weight$|rotary_emb|inv_freq|position_ids|pooler|(?:^|\.)mtp\.|(?:k|v|q|kv)_scale|\.bias$|classifier|score\.weight|masked_bias|(?:^|\.)(?:visual|vision_\w+|audio_\w+)\./
const CORE = /layers?\.\d+\..*(?:weight|scale|scales|qweight|qzeros|scale_inv)|embed_tokens|experts/

const drops: LineFault = {
  signatures: [dropped],
  holds: 'always',
  codes: ['model.weights-misloaded'],
  say: (sign, evidence) => {
    const name = sign.fields['name'] ?? ''
    if (HARMLESS.test(name)) return null
    const times = countOf(evidence, dropped.name)
    return {
      ...MISLOADED,
      cause: `${times === 1 ? 'A weight' : `${times} weights`} of the checkpoint found no place in the model and ${times === 1 ? 'was' : 'were'} dropped (${name}), so the server starts and its text is wrong.`,
      confidence: CORE.test(name) || times >= MANY ? 'likely' : 'possible',
    }
  },
}

const MANY = 4

const MISLOADED: Said = {
  code: 'model.weights-misloaded',
  verdict: 'broken',
  cause: '',
  remedy: [
    'Upgrade the engine to the version that the model card names: names of weights change with the model, and old loaders drop what they do not know.',
    'Or take another checkpoint of the model (BF16 in place of FP8, or a quantisation that this engine lists), then run a smoke before any traffic.',
  ],
  confidence: 'likely',
  unless:
    'the dropped names belong to a part that is not used (a draft head, another tower): a smoke with sound text shows it.',
  missing: ['a smoke of the server'],
  explains: ['state.up-unverified'],
}

const absents: LineFault = {
  signatures: [absent],
  holds: 'always',
  codes: ['model.weights-misloaded'],
  say: ({ fields }) => {
    const names = (fields['names'] ?? '').match(/[\w.]{3,200}/g) ?? []
    const telling = names.filter((name) => !HARMLESS.test(name) || name === 'lm_head.weight')
    if (telling.length === 0) return null
    return {
      ...MISLOADED,
      cause: `Weights of the model are not in the checkpoint (${telling[0]}${telling.length > 1 ? ' and more' : ''}): what stands in their place is chance.`,
    }
  },
}

const refusals: LineFault = {
  signatures: [refusedName],
  holds: 'start',
  codes: ['model.weights-misloaded'],
  say: (sign) => refusal(sign),
}

function refusal({ fields }: Sign): Said {
  return {
    ...MISLOADED,
    cause: `The names or shapes of the weights do not fit the model that the engine builds (${(fields['name'] ?? '').trim()}), so it refuses them.`,
    explains: ['log.need-more', 'state.up-unverified'],
  }
}

/** Weights that were not loaded as they should be. */
export const misloadedWeights: Rule = lineRule([drops, absents, refusals])
