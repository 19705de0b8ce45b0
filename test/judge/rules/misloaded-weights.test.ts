import { expect } from 'vitest'
import { misloadedWeights } from '../../../src/judge/rules/misloaded-weights.ts'
import { logged, ORDINARY, READY } from '../logged.ts'
import { ruleTable } from '../rule-table.ts'

const wrong = { code: 'model.weights-misloaded', verdict: 'broken' } as const
const dropped = (name: string) => `[t TP0] Parameter ${name} not found in params_dict`
const SCALES = Array.from({ length: 40 }, (_, layer) => dropped(`model.layers.${layer}.mlp.down_proj.weight_scale_inv`))

ruleTable(misloadedWeights, {
  speaks: {
    'scales that were dropped, and a server that starts': [
      logged([...SCALES, READY]),
      { ...wrong, confidence: 'likely', cause: expect.stringContaining('40 weights of the checkpoint') },
    ],
    'one weight of a layer': [
      logged([dropped('model.layers.3.self_attn.in_proj_ba.weight'), READY]),
      { ...wrong, confidence: 'likely' },
    ],
    'a name that may not matter': [logged(dropped('model.extra_norm_table')), { ...wrong, confidence: 'possible' }],
    'weights that are chance': [
      logged(
        "Some weights of Qwen3ForCausalLM were not initialized from the model checkpoint at /models/q and are newly initialized: ['lm_head.weight']",
      ),
      { ...wrong, cause: expect.stringContaining('lm_head.weight') },
    ],
    'weights that vLLM misses': [
      logged(
        "(EngineCore pid=651) ValueError: Following weights were not initialized from checkpoint: {'model.layers.22.self_attn.k_norm.weight'}",
      ),
      wrong,
    ],
    'names that vLLM does not know': [
      logged("ValueError: There is no module or parameter named 'lm_head.input_scale' in Qwen3ForCausalLM"),
      { ...wrong, cause: expect.stringContaining('lm_head.input_scale') },
    ],
    'shapes that do not fit': [
      logged('RuntimeError: size mismatch for model.embed_tokens.weight: copying a param with shape'),
      wrong,
    ],
  },
  silent: {
    ...ORDINARY,
    'a head that is tied': logged(dropped('lm_head.weight')),
    'tables that are computed': logged(dropped('model.layers.0.self_attn.rotary_emb.inv_freq')),
    'the draft of the checkpoint, unused': logged(dropped('mtp.layers.0.mlp.down_proj.weight')),
    'scales of the cache': logged(dropped('model.layers.0.self_attn.k_scale')),
    'the pooler of an embedding model': logged(
      "Some weights of BertModel were not initialized from the model checkpoint at /m and are newly initialized: ['pooler.dense.bias', 'pooler.dense.weight']",
    ),
    'keys that are left over, as expected': logged(
      'Some weights of the model checkpoint at /m were not used when initializing Qwen3: this IS expected if',
    ),
  },
})
