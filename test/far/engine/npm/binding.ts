import { createRequire } from 'node:module'

/** node-llama-cpp and the template engine that it brings, from below `root`. */
export async function loadFromNpm(root: string): Promise<{ llama: Llama; Template: Jinja['Template'] }> {
  const from = createRequire(`${root}/`)
  const { getLlama }: NodeLlamaCpp = await import(from.resolve('node-llama-cpp'))
  const { Template }: Jinja = from('@huggingface/jinja')
  return { llama: await getLlama({ gpu: false, build: 'never', maxThreads: 1, logLevel: 'warn' }), Template }
}

/* What we use of node-llama-cpp 3.21 and @huggingface/jinja 0.5, written by hand: they are no packages of the project. */

interface NodeLlamaCpp {
  getLlama(options: object): Promise<Llama>
}

interface Jinja {
  readonly Template: new (source: string) => Template
}

/** A chat template of a model. */
export interface Template {
  render(values: object): string
}

/** llama.cpp in this process. */
export interface Llama {
  readonly llamaCppRelease: { readonly release: string }
  loadModel(options: object): Promise<Model>
}

export interface Model {
  readonly fileInfo: { readonly metadata: { readonly tokenizer: { readonly chat_template: string } } }
  tokenize(text: string, specialTokens: boolean): readonly number[]
  detokenize(tokens: readonly number[], specialTokens: boolean): string
  isEogToken(token: number): boolean
  createContext(options: object): Promise<{ getSequence(): Sequence }>
}

/** What a slot works with: the tokens so far and their state. */
export interface Sequence {
  clearHistory(): Promise<void>
  evaluate(tokens: readonly number[], options: object): AsyncIterable<number>
}
