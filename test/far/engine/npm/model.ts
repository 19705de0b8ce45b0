import type { Llama, Model, Sequence } from './binding.ts'

/** A model in npm's llama.cpp, in this process. Each slot serves one request at a time; others wait for one. */
export interface NpmModel {
  /** its chat template, in Jinja */
  readonly template: string
  /** tokens that a slot can hold, its prompt among them */
  readonly room: number
  readonly slots: readonly Slot[]
  /** requests that wait for a slot */
  waiting(): number
  /** The tokens of a text; tags of the template are tokens of their own. */
  tokens(text: string): readonly number[]
  /** What the model writes after a prompt, token by token. It ends with the model, with `signal`, or where its reader stops. */
  write(prompt: readonly number[], temperature: number, signal: AbortSignal): AsyncGenerator<Written>
}

export interface Slot {
  readonly id: number
  readonly busy: boolean
  /** tokens written since the start, counted when the slot is free again */
  readonly decoded: number
}

/** One token. Its text is `''` where a character is not whole yet, and at the end. */
export interface Written {
  readonly text: string
  readonly end: boolean
}

/** Throws with llama.cpp's words where the file is no model. */
export async function openModel(
  llama: Llama,
  { file, slots, room }: { readonly file: string; readonly slots: number; readonly room: number },
): Promise<NpmModel> {
  const model = await llama.loadModel({ modelPath: file })
  // more threads spin against each other on a busy machine: 20 tokens then take seconds
  const context = await model.createContext({ contextSize: room, sequences: slots, threads: 1 })
  const own = Array.from({ length: slots }, (_, id) => ({ id, busy: false, decoded: 0, work: context.getSequence() }))
  const queue = queueOf(own)
  return {
    template: model.fileInfo.metadata.tokenizer.chat_template,
    room,
    slots: own,
    waiting: queue.waiting,
    tokens: (text) => model.tokenize(text, true),
    async *write(prompt, temperature, signal) {
      const slot = await queue.take()
      slot.busy = true
      let decoded = 0
      try {
        for await (const written of writtenBy(model, slot.work, prompt, temperature)) {
          if (signal.aborted) return
          decoded += 1
          yield written
        }
      } finally {
        slot.busy = false
        slot.decoded += decoded
        queue.give(slot)
      }
    },
  }
}

async function* writtenBy(
  model: Model,
  sequence: Sequence,
  prompt: readonly number[],
  temperature: number,
): AsyncGenerator<Written> {
  await sequence.clearHistory()
  let open: number[] = []
  for await (const token of sequence.evaluate(prompt, { ...SAMPLING, temperature })) {
    if (model.isEogToken(token)) return yield { text: '', end: true }
    open.push(token)
    const text = model.detokenize(open, true)
    // a character has at most four bytes, each may be a token
    const whole = open.length === 4 || !text.endsWith('\ufffd')
    if (whole) open = []
    yield { text: whole ? text : '', end: false }
  }
}

/** llama-server's own; the end is a token that counts. */
const SAMPLING = { topK: 40, topP: 0.95, minP: 0.05, yieldEogToken: true }

/** Hands things out one at a time, in the order in which they were asked for. */
function queueOf<T>(all: readonly T[]) {
  const idle = [...all]
  const waiting: ((one: T) => void)[] = []
  return {
    take(): Promise<T> {
      const one = idle.shift()
      return one === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(one)
    },
    give(one: T): void {
      const next = waiting.shift()
      if (next === undefined) idle.push(one)
      else next(one)
    },
    waiting: () => waiting.length,
  }
}
