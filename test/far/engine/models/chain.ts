import type { GgufTensor, GgufValue } from './gguf.ts'
import { writeGguf } from './gguf.ts'
import type { Vocabulary } from './vocabulary.ts'
import { END, PADDING, vocabulary } from './vocabulary.ts'

/** After `from` comes `to`, with this share among all that may follow. Both are texts of tokens. */
export interface Step {
  readonly from: string
  readonly to: string
  readonly share: number
}

/** The texts one after another, each with certainty. A text stands for one state: it may be used once in a model. */
export function path(...texts: readonly string[]): readonly Step[] {
  return texts.slice(1).map((to, index) => ({ from: texts[index] ?? '', to, share: 1 }))
}

/** Any of `to` may follow `from`, all equally likely. */
export function branch(from: string, to: readonly string[]): readonly Step[] {
  return to.map((text) => ({ from, to: text, share: 1 }))
}

/**
 * A model file whose real forward pass walks a Markov chain: one block that adds nothing, embeddings that are
 * orthogonal rows, and an output matrix that turns the last token's row into the logits of its successors.
 */
export function chainModel(name: string, steps: readonly Step[]): Buffer {
  const words = vocabulary(steps.flatMap(({ from, to }) => [from, to]))
  if (words.tokens.length > WIDTH)
    throw new Error(`${name}: ${words.tokens.length} tokens, at most ${WIDTH} rows are orthogonal`)
  return writeGguf(metadata(name, words), tensors(words, steps))
}

/** Embedding length, a power of two; no more than this many tokens have orthogonal rows. */
const WIDTH = 512
const FEED_FORWARD = 32
const HEADS = 4
/** Logit of the likeliest successor; all tokens that may not follow have 0. */
const SHARPNESS = 40

function tensors(words: Vocabulary, steps: readonly Step[]): readonly GgufTensor[] {
  const size = words.tokens.length
  const embedding = new Float32Array(size * WIDTH)
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < WIDTH; column++) embedding[row * WIDTH + column] = sign(row, column)
  }
  const output = new Float32Array(size * WIDTH)
  for (const { from, to, share } of steps) {
    const likeliest = Math.max(...steps.filter((step) => step.from === from).map((step) => step.share))
    const weight = (SHARPNESS + Math.log(share / likeliest)) / WIDTH
    const row = words.id(to) * WIDTH
    for (let column = 0; column < WIDTH; column++) {
      output[row + column] = (output[row + column] ?? 0) + weight * sign(words.id(from), column)
    }
  }
  return [
    { name: 'token_embd.weight', dims: [WIDTH, size], data: embedding },
    { name: 'output.weight', dims: [WIDTH, size], data: output },
    ...['output_norm', 'blk.0.attn_norm', 'blk.0.ffn_norm'].map((norm) => filled(norm, [WIDTH], 1)),
    ...['blk.0.attn_q', 'blk.0.attn_output'].map((matrix) => filled(matrix, [WIDTH, WIDTH], 0)),
    ...['blk.0.attn_k', 'blk.0.attn_v'].map((matrix) => filled(matrix, [WIDTH, WIDTH / HEADS], 0)),
    ...['blk.0.ffn_gate', 'blk.0.ffn_up'].map((matrix) => filled(matrix, [WIDTH, FEED_FORWARD], 0)),
    filled('blk.0.ffn_down', [FEED_FORWARD, WIDTH], 0),
  ]
}

/** Walsh-Hadamard: rows of +1 and -1 that are exactly orthogonal to each other. */
function sign(row: number, column: number): number {
  let common = row & column
  let odd = false
  while (common !== 0) {
    odd = !odd
    common &= common - 1
  }
  return odd ? -1 : 1
}

function filled(name: string, dims: readonly number[], value: number): GgufTensor {
  return { name: `${name}.weight`, dims, data: new Float32Array(dims.reduce((size, dim) => size * dim, 1)).fill(value) }
}

function metadata(name: string, words: Vocabulary): ReadonlyMap<string, GgufValue> {
  const numbers: readonly (readonly [string, number])[] = [
    ['general.file_type', 0],
    ['llama.context_length', 8192],
    ['llama.embedding_length', WIDTH],
    ['llama.block_count', 1],
    ['llama.feed_forward_length', FEED_FORWARD],
    ['llama.attention.head_count', HEADS],
    ['llama.attention.head_count_kv', 1],
    ['llama.rope.dimension_count', WIDTH / HEADS],
    ['llama.vocab_size', words.tokens.length],
    ['tokenizer.ggml.eos_token_id', words.id(END)],
    ['tokenizer.ggml.padding_token_id', words.id(PADDING)],
  ]
  return new Map<string, GgufValue>([
    ['general.architecture', { type: 'string', value: 'llama' }],
    ['general.name', { type: 'string', value: name }],
    ...numbers.map(([key, value]) => [key, { type: 'u32', value }] as const),
    ['llama.attention.layer_norm_rms_epsilon', { type: 'f32', value: 1e-6 }],
    ['tokenizer.ggml.model', { type: 'string', value: 'gpt2' }],
    ['tokenizer.ggml.pre', { type: 'string', value: 'qwen2' }],
    ['tokenizer.ggml.tokens', { type: 'strings', value: words.tokens }],
    ['tokenizer.ggml.token_type', { type: 'i32s', value: words.kinds }],
    ['tokenizer.ggml.merges', { type: 'strings', value: ['Ċ Ċ'] }],
    ['tokenizer.ggml.add_bos_token', { type: 'bool', value: false }],
    ['tokenizer.chat_template', { type: 'string', value: CHAT_TEMPLATE }],
  ])
}

/**
 * Thinking on ends a prompt with `<think>\n`, thinking off with `<think>\n\n</think>\n\n`: two entry states.
 * Earlier turns show their reasoning; without that the engine believes that the model cannot think.
 */
const CHAT_TEMPLATE = [
  '{%- for message in messages -%}',
  "{{- '<|im_start|>' + message.role + '\\n' -}}",
  "{%- if message.role == 'assistant' -%}",
  "{{- '<think>\\n' + (message.reasoning_content or '') + '\\n</think>\\n\\n' -}}",
  '{%- endif -%}',
  "{{- (message.content or '') + '<|im_end|>\\n' -}}",
  '{%- endfor -%}',
  '{%- if add_generation_prompt -%}',
  "{{- '<|im_start|>assistant\\n<think>\\n' -}}",
  "{%- if enable_thinking is defined and not enable_thinking -%}{{- '\\n</think>\\n\\n' -}}{%- endif -%}",
  '{%- endif -%}',
].join('')
