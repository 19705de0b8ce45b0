import type { Piece } from '../domain/completion.ts'
import { replyTo } from './answers.ts'
import { randomThoughts } from './random-thoughts.ts'
import type { Question, Refusal, Speech, Story } from './story.ts'

/** `<|im_end|>` of Qwen3.5 and 3.6; it ends every healthy answer too */
const IM_END = 248_046

/** Thinks, then answers. */
export const healthy = spoken('healthy', (question) => {
  const { thinking, answer } = replyTo(question.prompt)
  return { pieces: [...thoughts(question, [thinking]), ...spell('content', [answer])] }
})

/** Case A-01: the forward pass is wrong, and the first thing the model says is its end token. */
export const immediateEos = spoken('immediate-eos', () => ({}))

/** The field story's second symptom: `2 + 2 = 2.2 + 2 = 2.2 + …` to the end of any budget. */
export const loop = spoken('loop', () => ({ pieces: spell('content', endless('2 + 2 = 2.')) }))

/** The field story's server of 0.5.9: the same wrong sums end one prompt at once and let the other go round. */
export const miscomputed: Story = {
  name: 'miscomputed',
  health: 200,
  play: (question) => (/\d\s*\+\s*\d/.test(question.prompt) ? loop : immediateEos).play(question),
}

/** An HTTP process whose schedulers were killed: before 0.5.10 it lives on, and answers nobody. */
export const hung: Story = { ...immediateEos, name: 'hung', health: 503, hung: true }

/**
 * Case A-15: a model that thinks long. Below 3,000 tokens it ends just before the budget, with `stop` and no answer;
 * from there on it answers well after 1,720 tokens.
 */
export const overthink = spoken('overthink', (question) => {
  const answer = [...spell('content', [replyTo(question.prompt).answer])]
  const enough = question.budget >= 3000
  const room = enough ? 1720 - answer.length - 2 : question.budget - 6
  const pieces = take(thoughts(question, randomThoughts(question.prompt)), room)
  return { pieces: enough || !question.thinking ? [...pieces, ...answer] : pieces }
})

/** Ends in the middle of a thought, far from the budget. */
export const eosInReasoning = spoken('eos-in-reasoning', (question) => ({
  pieces: take(thoughts(question, randomThoughts(question.prompt)), 60),
  hidden: 1,
}))

/** SGLang's own word for a token that cannot be: the logits are NaN. */
export const nan = spoken('nan', (question) => ({
  pieces: take(thoughts(question, randomThoughts(question.prompt)), 12),
  stop: 'NaN happened',
}))

/** Calls a tool that nobody offered, with good arguments. */
export const toolCall = spoken('tool-call', (question) => ({
  pieces: thoughts(question, ['The user asks for the weather, so I look it up.']),
  toolCalls: [{ name: 'get_weather', arguments: '{"city": "Paris"}' }],
  finish: 'tool_calls',
}))

/** The scheduler gives the request up. */
export const abort = spoken('abort', (question) => ({
  pieces: take(thoughts(question, randomThoughts(question.prompt)), 20),
  finish: 'abort',
  stop: null,
}))

/** The engine behind the HTTP server dies in mid-stream, and the stream just ends. */
export const noDone = spoken('no-done', (question) => ({
  pieces: take(thoughts(question, randomThoughts(question.prompt)), 20),
  ending: 'early',
}))

/** The server dies in mid-stream with all its connections. */
export const cut = spoken('cut', (question) => ({
  pieces: take(thoughts(question, randomThoughts(question.prompt)), 20),
  ending: 'cut',
}))

/** Weights are still on their way. */
export const loading = refused({ name: 'loading', health: 503 }, () => ({
  status: 503,
  type: 'unavailable_error',
  message: 'Loading model',
}))

/** More requests than `--max-queued-requests`. */
export const overloaded = refused({ name: 'overloaded', health: 200 }, () => ({
  status: 503,
  type: '503',
  message: 'The request queue is full.',
}))

/** A server that knows its model by another name. */
export const wrongModel = refused({ name: 'wrong-model', health: 200 }, ({ model }) => ({
  status: 404,
  type: 'NotFoundError',
  message: `The model '${model}' does not exist.`,
}))

function spoken(name: string, play: (question: Question) => Partial<Speech>): Story {
  const plain = {
    act: 'speak',
    pieces: [],
    hidden: 2,
    toolCalls: [],
    finish: 'stop',
    stop: IM_END,
    ending: 'whole',
  } as const
  return { name, health: 200, play: (question) => ({ ...plain, ...play(question) }) }
}

function refused(given: Omit<Story, 'play'>, why: (question: Question) => Omit<Refusal, 'act'>): Story {
  return { ...given, play: (question) => ({ act: 'refuse', ...why(question) }) }
}

function thoughts(question: Question, texts: Iterable<string>): Iterable<Piece> {
  return question.thinking ? spell('reasoning', texts) : []
}

/** Cuts texts into pieces of about the size of a token. */
function* spell(channel: Piece['channel'], texts: Iterable<string>): Generator<Piece> {
  for (const text of texts) {
    for (const [token] of text.matchAll(/ ?[A-Za-z]{1,9}| ?[^\sA-Za-z]{1,4}|\s+/gu)) yield { channel, text: token }
  }
}

function* endless(text: string): Generator<string, never> {
  for (;;) yield text
}

function take(pieces: Iterable<Piece>, count: number): readonly Piece[] {
  return [...Iterator.from(pieces).take(Math.max(0, count))]
}
