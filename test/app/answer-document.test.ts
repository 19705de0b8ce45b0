import { describe, expect, test } from 'vitest'
import { answerDocument, answerEvidence, bareAnswer } from '../../src/app/diagnose/answer-document.ts'

const BODY = {
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello there!' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 12, completion_tokens: 4 },
}
const came = (body: unknown, change: object = {}) => ({ status: 200, headers: {}, body, end: 'eof', ...change })
const whole = came(JSON.stringify(BODY))

const requestIn = (request: object) => answerEvidence({ ...request }, whole, {}).smoke?.request
const engineIn = (context: object, body: unknown = BODY) => answerEvidence({}, came(body), { ...context }).engine
const failureIn = (change: object, request: object = {}) =>
  answerEvidence({ ...request }, came('', change), {}).smoke?.failure

function findingOf(input: unknown) {
  const judged = answerDocument(input)
  return judged.ok ? judged.finding : expect.unreachable(judged.problem)
}

describe('what was asked', () => {
  test.each([
    ['a prompt', { prompt: 'Hi' }, { prompt: 'Hi' }],
    ['a list of prompts', { prompt: ['Hi', 'you'] }, { prompt: 'Hi\nyou' }],
    [
      'messages, without what the model said',
      {
        messages: [
          { role: 'system', content: 'Be kind.' },
          { role: 'assistant', content: 'x' },
          { role: 'user', content: 'Hi' },
        ],
      },
      { prompt: 'Be kind.\nHi' },
    ],
    [
      'messages in parts',
      { messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }, { type: 'image_url' }] }] },
      { prompt: 'Hi' },
    ],
    ['max_tokens', { max_tokens: 200 }, { budget: 200 }],
    ['max_completion_tokens', { max_completion_tokens: 300 }, { budget: 300 }],
    ['n_predict of llama.cpp', { n_predict: 64 }, { budget: 64 }],
    ['num_predict of Ollama', { options: { num_predict: 50, temperature: 0.2 } }, { budget: 50, temperature: 0.2 }],
    [
      'max_new_tokens of SGLang',
      { sampling_params: { max_new_tokens: 70, temperature: 0 } },
      { budget: 70, temperature: 0 },
    ],
    ['no budget', {}, { budget: Number.POSITIVE_INFINITY }],
    ['no budget, as llama.cpp writes it', { n_predict: -1 }, { budget: Number.POSITIVE_INFINITY }],
    ['a budget that is a word', { max_tokens: 'many' }, { budget: Number.POSITIVE_INFINITY }],
    ['no temperature', {}, { temperature: null, thinking: null, model: null, stream: false }],
    ['thinking off', { chat_template_kwargs: { enable_thinking: false } }, { thinking: false }],
    ['thinking on, as DeepSeek calls it', { chat_template_kwargs: { thinking: true } }, { thinking: true }],
    [
      'thinking off, as a client sends it',
      { extra_body: { chat_template_kwargs: { enable_thinking: false } } },
      { thinking: false },
    ],
    ['thinking off, as an object', { thinking: { type: 'disabled' } }, { thinking: false }],
    ['thinking off, for Ollama', { think: false }, { thinking: false }],
    ['no effort', { reasoning_effort: 'none' }, { thinking: false }],
    ['a word for Qwen3', { prompt: 'Hi /no_think' }, { thinking: false }],
    ['a stream', { stream: true }, { stream: true }],
    ['a model', { model: 'qwen' }, { model: 'qwen' }],
  ])('%s', (_, request, expected) => {
    expect(requestIn(request)).toMatchObject(expected)
  })

  test('a body of events is a stream, whatever the request says', () => {
    const events = `data: ${JSON.stringify({ choices: [{ delta: { content: 'Hi' }, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`
    expect(answerEvidence({ stream: false }, came(events), {}).smoke).toMatchObject({
      request: { stream: true },
      completion: { content: 'Hi' },
      failure: null,
    })
  })
})

describe('what is known of the server', () => {
  test.each([
    ['its engine', { engine: 'sglang' }, { kind: 'sglang' }],
    ['an engine behind a front', { engine: 'dynamo+sglang' }, { kind: 'sglang' }],
    ['llama.cpp by any name', { engine: 'llama-server' }, { kind: 'llama-cpp' }],
    ['its version', { engine: 'vllm', engine_version: '0.11.0' }, { version: '0.11.0' }],
    ['a version in the name', { engine: 'SGLang v0.5.9' }, { kind: 'sglang', version: '0.5.9' }],
    ['a build', { engine: 'llama.cpp', build: 9333 }, { version: '9333' }],
    [
      'flags',
      { engine: 'sglang', flags: '--tp-size 2 --reasoning-parser qwen3 --context-length 8192' },
      { tensorParallel: 2, reasoningParser: 'qwen3', context: 8192 },
    ],
    ['flags that are not there', { engine: 'vllm', flags: '(no --reasoning-parser)' }, { reasoningParser: null }],
    [
      'fields',
      { engine: 'vllm', tp: 4, max_model_len: 16384, model: 'Qwen/Qwen3-8B' },
      { tensorParallel: 4, context: 16384, loaded: 'Qwen/Qwen3-8B' },
    ],
  ])('%s', (_, context, expected) => {
    expect(engineIn(context)).toMatchObject(expected)
  })

  test.each([
    ['sglang', { ...BODY, metadata: { weight_version: 'default' } }],
    ['ollama', { ...BODY, system_fingerprint: 'fp_ollama' }],
    ['llama-cpp', { ...BODY, timings: { predicted_per_second: 40 } }],
    ['vllm', { ...BODY, kv_transfer_params: null }],
    ['openai', BODY],
  ])('%s, by its body', (kind, body) => {
    expect(engineIn({}, body)).toMatchObject({ kind, version: null })
  })

  test('the notes of whoever recorded it, one a line', () => {
    const { told } = answerEvidence({}, whole, { note: 'tp 1 is fine', gpus: { name: 'L4' } })
    expect(told).toEqual(['note: tp 1 is fine', 'gpus.name: L4'])
  })

  test('a log beside a failure is read as a log, beside an answer it is not', () => {
    const context = { log_hint: 'AssertionError: x' }
    expect(answerEvidence({}, came('', { status: 500 }), context).log?.lines).toBe(1)
    expect(answerEvidence({}, whole, context).log).toBeUndefined()
  })
})

describe('how it ended', () => {
  test.each([
    ['an empty body', {}, 'empty-body'],
    ['a status', { status: 500, body: 'Internal Server Error' }, 'http-status'],
    ['a status and pages', { status: 502, body: '<html>' }, 'http-status'],
    ['no JSON', { body: 'oops' }, 'not-json'],
    ['another JSON', { body: '{"a":1}' }, 'shape'],
    ['an error in it', { body: '{"error":{"message":"x"}}' }, 'stream-error'],
    ['a redirection', { status: 302, headers: { Location: '/x' } }, 'redirect'],
    ['a timeout before the head', { status: null, end: 'timeout' }, 'headers-timeout'],
    ['a timeout after it', { body: '{"choices', end: 'timeout after 60 s' }, 'stalled'],
    ['a closed connection', { body: '{"choices', end: 'ECONNRESET' }, 'cut'],
    ['a hang-up before the head', { status: null, end: 'socket hang up' }, 'reset'],
    ['a closed port', { status: null, end: 'connect ECONNREFUSED 127.0.0.1:30000' }, 'refused'],
    ['an unknown name', { status: null, end: 'getaddrinfo ENOTFOUND gpu' }, 'dns'],
    ['a person', { body: '{"choices', end: 'cancelled by the user' }, 'stopped'],
  ])('%s', (_, change, kind) => {
    expect(failureIn(change)?.kind).toBe(kind)
  })

  test.each([
    ['a body that is no text', came(BODY)],
    [
      'the events as a list of lines',
      came([`data: ${JSON.stringify(BODY).replace('message', 'delta')}`, '', 'data: [DONE]', '']),
    ],
    [
      'a compressed body that was recorded plain',
      came(JSON.stringify(BODY), { headers: { 'Content-Encoding': 'gzip' } }),
    ],
    ['a body without its head', { body: JSON.stringify(BODY) }],
    ['an end without a word', { status: 200, body: JSON.stringify(BODY) }],
  ])('%s is read', (_, response) => {
    expect(findingOf({ response })).toMatchObject({ verdict: 'healthy' })
  })

  test('the silence at the end is told in seconds', () => {
    const response = came('data: {"choices":[{"delta":{"content":"Hi"}}]}\n\n', {
      end: 'timeout',
      timeline: [
        { t_ms: 120, n: 1 },
        { t_ms: 60_120, n: 0 },
      ],
    })
    expect(findingOf({ request: { stream: true }, response })).toMatchObject({
      code: 'stream.stalled',
      cause: expect.stringContaining('for 60 s'),
    })
  })

  test('pings are no progress', () => {
    const body = 'data: {"choices":[{"delta":{"content":"Hi"}}]}\n\n: ping\n\n: ping\n\n'
    expect(findingOf({ request: { stream: true }, response: came(body, { end: 'timeout' }) })).toMatchObject({
      cause: expect.stringContaining('nothing but pings'),
    })
  })
})

describe('what was read', () => {
  const parsedOf = (message: object) => {
    const judged = answerDocument({ response: came({ choices: [{ message, finish_reason: 'stop' }] }) })
    return judged.ok ? judged.parsed : null
  }

  test.each([
    ['both channels', { content: 'Hi', reasoning: 'Hm.' }, { content: 'Hi', reasoning: 'Hm.' }],
    ['the older name', { content: 'Hi', reasoning_content: 'Hm.' }, { content: 'Hi', reasoning: 'Hm.' }],
    ['nothing', { content: null }, { content: null, reasoning: null }],
    ['an empty text', { content: '' }, { content: '', reasoning: null }],
    ['thinking in tags', { content: '<think>\nHm.\n</think>\n\nHi' }, { content: 'Hi', reasoning: 'Hm.' }],
    [
      'thinking whose first tag stood in the prompt',
      { content: 'Hm.\n</think>\nHi' },
      { content: 'Hi', reasoning: 'Hm.' },
    ],
    [
      'the channels of gpt-oss',
      { content: '<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Hi' },
      { content: 'Hi', reasoning: 'Hm.' },
    ],
    [
      'a tag that is quoted',
      { content: 'Write `</think>` here' },
      { content: 'Write `</think>` here', reasoning: null },
    ],
  ])('%s', (_, message, parsed) => {
    expect(parsedOf(message)).toEqual(parsed)
  })

  test('nothing at all where no answer came', () => {
    expect(answerDocument({ response: came('', { status: 500 }) })).toMatchObject({ ok: true, parsed: {} })
  })
})

describe('a body alone', () => {
  test.each([
    ['an answer', JSON.stringify(BODY), 'ok.answered'],
    [
      'a null answer',
      '{"choices":[{"message":{"content":null},"finish_reason":"stop","matched_stop":248046}],"usage":{"completion_tokens":2}}',
      'model.immediate-eos',
    ],
    [
      'an answer that the budget ended',
      '{"choices":[{"message":{"content":"A word and"},"finish_reason":"length"}],"usage":{"completion_tokens":16}}',
      'budget.too-small',
    ],
    [
      'reasoning that the budget ended',
      '{"choices":[{"message":{"content":"","reasoning":"Hm, the"},"finish_reason":"length"}]}',
      'budget.reasoning-exhausted',
    ],
    [
      'an error with its code',
      '{"object":"error","message":"The request queue is full.","code":503}',
      'load.queue-full',
    ],
    ['a route', '{"detail":"Not Found"}', 'request.route'],
    ['a field', '{"detail":[{"loc":["body","messages"],"msg":"Field required"}]}', 'request.schema'],
    ['a key', '{"error":"Unauthorized"}', 'request.auth'],
    ['a page of a gateway', '<html><head><title>502 Bad Gateway</title></head></html>', 'proxy.backend-down'],
    ['a page of a gateway that waited', '<html>\n<h1>504 Gateway Time-out</h1></html>', 'proxy.timeout'],
    [
      'a stream',
      'data: {"choices":[{"delta":{"content":"Hi"},"finish_reason":null}]}\n\n',
      'stream.ended-without-finish',
    ],
    ['nothing', '', 'transport.empty-body'],
  ])('%s', (_, body, code) => {
    const judged = bareAnswer(body)
    expect(judged.ok && judged.finding.code).toBe(code)
    expect(JSON.stringify(judged)).not.toMatch(/Infinity|∞|undefined|NaN /)
  })

  test('a loop is likely only: what was asked is not known', () => {
    const content = 'claus '.repeat(300)
    const judged = bareAnswer(JSON.stringify({ choices: [{ message: { content }, finish_reason: 'length' }] }))
    expect(judged).toMatchObject({
      finding: {
        code: 'model.degenerate-loop',
        confidence: 'likely',
        unless: expect.stringContaining('the prompt asked for it'),
      },
    })
  })
})

describe('what is no record of an answer', () => {
  test.each([
    ['no object', 7, '"input" is no object'],
    ['no response', { request: {} }, '"input.response" is missing'],
    ['a response that is a text', { response: 'x' }, '"input.response" is missing'],
  ])('%s', (_, input, problem) => {
    expect(answerDocument(input)).toMatchObject({ ok: false, problem: expect.stringContaining(problem) })
  })
})
