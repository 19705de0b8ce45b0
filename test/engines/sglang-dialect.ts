import { sglang } from '../../src/engines/sglang.ts'
import type { Dialect, Recorded, Said } from '../contract/engine-dialect.ts'
import { callDeltas, inPieces, inWords, readOf, sse, wholeCalls } from '../contract/engine-dialect.ts'
import { factsOf, infoIn, LOAD } from './sglang-facts.ts'
import { flat, REFUSALS } from './sglang-refusals.ts'

export interface Version {
  readonly version: string
  /** 0.5.13 sends '' where it sent null before, and leaves null keys out of deltas */
  readonly after13: boolean
  /** since 0.5.10 */
  readonly counts: boolean
}

/** SGLang as it answers in one version, on the wire (sglang.md 1.3, 1.5, 2.1, 2.3). */
export function dialect(version: Version): Dialect {
  return {
    engine: sglang,
    name: `SGLang ${version.version}`,
    facts: factsOf(version),
    info: infoIn(version),
    load: LOAD,
    noRoute: '{"detail":"Not Found"}',
    answers: inWords((said) => record(version, said)),
    thinkingOff: { chat_template_kwargs: { enable_thinking: false } },
    errorEvent: {
      data: { error: flat(500, 'InternalServerError', 'The request was aborted: OOM') },
      kind: 'aborted',
      says: 'OOM',
    },
    refusals: REFUSALS,
  }
}

type Stop = number | string | null

/** `<|im_end|>` of Qwen3.5 and 3.6 ends every healthy answer, and the others too. */
const stopOf = (said: Said): Stop => (said.finish === 'length' ? null : 248_046)

/** One answer of a version, whole and streamed. */
export function record(version: Version, said: Said, stop: Stop = stopOf(said)): Recorded {
  const reasoning = version.counts ? said.reasoningTokens : 0
  const usage = {
    prompt_tokens: said.prompt,
    total_tokens: said.prompt + said.tokens,
    completion_tokens: said.tokens,
    prompt_tokens_details: null,
    reasoning_tokens: reasoning,
  }
  const empty = version.after13 ? '' : null
  const message = {
    role: 'assistant',
    content: said.content ?? empty,
    reasoning_content: said.reasoning,
    tool_calls: said.calls.length === 0 ? null : wholeCalls(said.calls),
  }
  const choice = { index: 0, message, logprobs: null, finish_reason: said.finish, matched_stop: stop }
  return {
    whole: JSON.stringify({
      ...HEAD,
      object: 'chat.completion',
      choices: [choice],
      usage,
      metadata: { weight_version: 'default' },
    }),
    stream: sse(chunks(version, said, stop, usage)),
    read: {
      ...readOf(said),
      content: said.content ?? empty,
      stop,
      model: 'demo-27b',
      tokens: {
        prompt: said.prompt,
        completion: said.tokens,
        reasoning: reasoning === 0 ? null : reasoning,
        cached: null,
      },
    },
    // the role chunk's empty content is no text
    readStream: { content: said.content },
  }
}

function chunks({ after13 }: Version, said: Said, stop: Stop, usage: unknown): unknown[] {
  const blank = after13
    ? { reasoning_content: null }
    : { role: null, content: null, reasoning_content: null, tool_calls: null }
  const chunk = (delta: object, end = { finish_reason: NO_TEXT, matched_stop: NO_STOP }) => ({
    ...HEAD,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta: { ...blank, ...delta }, logprobs: null, ...end }],
    ...(after13 ? {} : { usage: null }),
  })
  return [
    chunk({ role: 'assistant', content: '' }),
    ...inPieces(said.reasoning).map((text) => chunk({ reasoning_content: text })),
    ...inPieces(said.content).map((text) => chunk({ content: text })),
    ...callDeltas(said.calls).map((delta) => chunk(delta)),
    chunk({}, { finish_reason: said.finish, matched_stop: stop }),
    { ...HEAD, object: 'chat.completion.chunk', choices: [], usage },
  ]
}

const NO_TEXT: string | null = null
const NO_STOP: Stop = null

const HEAD = { id: '0f3c9a1b2d4e4f6a8b7c6d5e4f3a2b1c', created: 1780000000, model: 'demo-27b' }
