import type { Family } from '../domain/knowledge.ts'

/** `35B-A3B`, `moe`: only a part of the weights computes each token. */
const MIXTURE = /(?:^|[^a-z0-9])a\d+(?:\.\d+)?b(?![a-z0-9])|moe/i

/**
 * Every family that something is known of. Classes by the SGLang release tags v0.4.0 to v0.5.18, names as the makers write
 * them. The first whose name fits is taken, so a special one stands before the general one.
 */
export const families: readonly Family[] = [
  {
    name: 'qwen3.5-moe',
    title: 'Qwen3.5/3.6/3.8 (mixture of experts)',
    architectures: ['Qwen3_5MoeForConditionalGeneration', 'Qwen3_5MoeForCausalLM'],
    pattern: new RegExp(String.raw`qwen[-_]?3[._][568](?!\d*b).*?(?:${MIXTURE.source})`, 'i'),
  },
  {
    name: 'qwen3.5-dense',
    title: 'Qwen3.5/3.6/3.8 (dense)',
    architectures: ['Qwen3_5ForConditionalGeneration', 'Qwen3_5ForCausalLM'],
    pattern: /qwen[-_]?3[._][568](?!\d*b)/i,
  },
  {
    name: 'qwen3-next',
    title: 'Qwen3-Next',
    architectures: ['Qwen3NextForCausalLM'],
    pattern: /qwen[-_]?3[-_]?next|qwen[-_]?3[-_]coder[-_]next/i,
  },
  {
    name: 'qwen3-vl',
    title: 'Qwen3-VL',
    architectures: ['Qwen3VLForConditionalGeneration', 'Qwen3VLMoeForConditionalGeneration'],
    pattern: /qwen[-_]?3[-_]?vl/i,
  },
  {
    name: 'qwen3-coder',
    title: 'Qwen3-Coder',
    architectures: ['Qwen3MoeForCausalLM'],
    pattern: /qwen[-_]?3[-_]coder/i,
  },
  {
    name: 'qwen3-thinking',
    title: 'Qwen3 Thinking 2507',
    architectures: ['Qwen3ForCausalLM', 'Qwen3MoeForCausalLM'],
    pattern: /qwen[-_]?3-.*thinking/i,
  },
  {
    name: 'qwen3',
    title: 'Qwen3',
    architectures: ['Qwen3ForCausalLM', 'Qwen3MoeForCausalLM'],
    pattern: /qwen[-_]?3(?!\d|[._]\d(?!\d*b))/i,
    except: /deepseek|embedding|reranker|omni|guard|asr|tts|distill/i,
  },
  {
    name: 'deepseek-v4',
    title: 'DeepSeek V4',
    architectures: ['DeepseekV4ForCausalLM'],
    pattern: /deepseek[-_]?v4/i,
  },
  {
    name: 'deepseek-v3.2',
    title: 'DeepSeek V3.2',
    architectures: ['DeepseekV32ForCausalLM'],
    pattern: /deepseek[-_]?v3[._]?2/i,
  },
  {
    name: 'kimi-k3',
    title: 'Kimi K3',
    architectures: ['KimiK3ForConditionalGeneration'],
    pattern: /kimi[-_]?k3/i,
  },
  {
    name: 'kimi-k2.5',
    title: 'Kimi K2.5 to K2.7',
    architectures: ['KimiK25ForConditionalGeneration'],
    pattern: /kimi[-_]?k2[._][567]/i,
  },
  {
    name: 'kimi-k2',
    title: 'Kimi K2',
    architectures: ['DeepseekV3ForCausalLM'],
    pattern: /kimi[-_]?k2(?![._]\d)/i,
  },
  {
    name: 'deepseek-r1',
    title: 'DeepSeek R1',
    architectures: ['DeepseekV3ForCausalLM'],
    pattern: /deepseek[-_]?r1/i,
    except: /distill|qwen|llama/i,
  },
  {
    name: 'deepseek-v3.1',
    title: 'DeepSeek V3.1',
    architectures: ['DeepseekV3ForCausalLM'],
    pattern: /deepseek[-_]?v3[._]?1/i,
  },
  {
    name: 'deepseek-v3',
    title: 'DeepSeek V3',
    architectures: ['DeepseekV3ForCausalLM'],
    pattern: /deepseek[-_]?v3(?![._]?\d)/i,
  },
  {
    name: 'glm-5',
    title: 'GLM-5 to 5.2',
    architectures: ['GlmMoeDsaForCausalLM'],
    pattern: /glm[-_]?5(?![\d])/i,
    except: /v(?:ision)?\b/i,
  },
  {
    name: 'glm-4.7-flash',
    title: 'GLM-4.7 Flash',
    architectures: ['Glm4MoeLiteForCausalLM'],
    pattern: /glm[-_]?4[._]7[-_]flash/i,
  },
  {
    name: 'glm-4.5',
    title: 'GLM-4.5 to 4.7',
    architectures: ['Glm4MoeForCausalLM'],
    pattern: /glm[-_]?4[._][567](?!v)/i,
  },
  {
    name: 'gpt-oss',
    title: 'gpt-oss',
    architectures: ['GptOssForCausalLM'],
    pattern: /gpt[-_]?oss/i,
  },
  {
    name: 'minimax-m3',
    title: 'MiniMax M3',
    architectures: ['MiniMaxM3SparseForCausalLM', 'MiniMaxM3SparseForConditionalGeneration'],
    pattern: /minimax[-_]?m3/i,
  },
  {
    name: 'minimax-m2',
    title: 'MiniMax M2 to M2.7',
    architectures: ['MiniMaxM2ForCausalLM'],
    pattern: /minimax[-_]?m2/i,
  },
  {
    name: 'llama-4',
    title: 'Llama 4',
    architectures: ['Llama4ForConditionalGeneration', 'Llama4ForCausalLM'],
    pattern: /llama[-_]?4[-_]/i,
  },
  {
    name: 'llama-3',
    title: 'Llama 3 to 3.3',
    // its class is that of many other models, so the name alone tells
    architectures: [],
    pattern: /llama[-_]?3(?:[._][123])?[-_]/i,
    except: /distill|nemotron|hermes|vision|guard/i,
  },
  {
    name: 'gemma-4',
    title: 'Gemma 4',
    architectures: ['Gemma4ForConditionalGeneration', 'Gemma4ForCausalLM'],
    pattern: /gemma[-_]?4[-_]/i,
  },
  {
    name: 'gemma-3',
    title: 'Gemma 3',
    architectures: ['Gemma3ForConditionalGeneration', 'Gemma3ForCausalLM'],
    pattern: /gemma[-_]?3[-_]/i,
  },
  {
    name: 'mistral-3',
    title: 'Mistral Large 3, Ministral 3',
    architectures: ['MistralLarge3ForCausalLM', 'Ministral3ForCausalLM'],
    pattern: /mistral[-_]large[-_]3|ministral[-_]3/i,
  },
  {
    name: 'nemotron-3',
    title: 'Nemotron 3',
    architectures: ['NemotronHForCausalLM'],
    pattern: /nemotron[-_]?3/i,
  },
  {
    name: 'step-3.5',
    title: 'Step 3.5',
    architectures: ['Step3p5ForCausalLM'],
    pattern: /step[-_]?3[._]5/i,
  },
  {
    name: 'mimo-v2',
    title: 'MiMo V2 Flash',
    architectures: ['MiMoV2FlashForCausalLM'],
    pattern: /mimo[-_]?v2[-_]flash/i,
  },
]
