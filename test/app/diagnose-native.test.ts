import { describe, expect, test } from 'vitest'
import { answerDocument } from '../../src/app/diagnose/answer-document.ts'
import { formOf } from '../../src/app/diagnose/form.ts'
import { readsIn } from '../../src/app/diagnose/reads.ts'

async function findingOf(text: string) {
  async function* input() {
    yield Buffer.from(text)
  }
  const reads = await Array.fromAsync(readsIn(input()))
  const [first] = reads
  if (reads.length !== 1 || first?.read.ok !== true) return expect.unreachable(JSON.stringify(reads))
  return first.read.document.finding
}

const CHAT =
  '{"object":"chat.completion","choices":[{"message":{"role":"assistant","content":"Hello there."},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":4}}'
const NO_CHOICE = CHAT.replace(/\[.*\]/, '[]')
const SSE = 'data: {"choices":[{"delta":{"content":"Hello"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
const OLLAMA =
  '{"model":"qwen3","created_at":"t","message":{"role":"assistant","content":"Hello there."},"done":true,"done_reason":"stop","prompt_eval_count":9,"eval_count":4}'
const PIECE = '{"model":"qwen3","created_at":"t","message":{"role":"assistant","content":"Hello there."},"done":false}'
const LAST = OLLAMA.replace('Hello there.', '')
const GENERATE =
  '{"text":" Hello there.","meta_info":{"finish_reason":{"type":"stop","matched":2},"prompt_tokens":5,"completion_tokens":4}}'
const COMPLETION =
  '{"index":0,"content":" Hello there.","tokens":[],"id_slot":0,"stop":true,"model":"q.gguf","tokens_predicted":4,"tokens_evaluated":9,"stop_type":"eos","stopping_word":""}'
const NO_ROUTE = '{"message":"no Route matched with those values"}'

/** The rows of curl write over each other: a terminal shows the last one, a paste all of them. */
const ROW = '100   500  100   500    0     0  12345      0 --:--:-- --:--:-- --:--:-- 12500'
const METER = `  % Total    % Received % Xferd  Average Speed   Time    Time     Time  Current
                                 Dload  Upload   Total   Spent    Left  Speed
\r  0     0    0     0    0     0      0      0 --:--:-- --:--:-- --:--:--     0\r${ROW}
`

describe('what a text is by its looks', () => {
  test.each([
    ['what a server says of its health', '{"status":"ok"}', 'answer'],
    ['the same of Ollama', 'Ollama is running', 'answer'],
    ['a refusal of a gateway', NO_ROUTE, 'answer'],
    ['an answer of llama.cpp', COMPLETION, 'answer'],
    ['an old one of it, without counters', '{"content":"Hi","stop":true}', 'answer'],
    [
      'one that is longer than what is looked at',
      COMPLETION.replace(/\}$/, `,"prompt":"${'a '.repeat(40_000)}`),
      'answer',
    ],
    ['health that is denied', '{"healthy":true,"ready":false}', 'answer'],
    ['models of Ollama', '{"models":[{"name":"a:1b","model":"a:1b"}]}', 'answer'],
    ['an answer below the meter of curl', METER + CHAT, 'answer'],
    ['a stream below it', METER + SSE, 'answer'],
    ['an error of curl below it', `${METER}curl: (7) Failed to connect`, 'log'],
    ['a meter alone', METER, 'log'],
    ['a line of a log in JSON', '{"ts":1,"msg":"Load weight begin"}', 'documents'],
    ['a document that says more of itself', '{"id":1,"status":"x","log":"y"}', 'documents'],
    ['other JSON', '{"hello":1}', 'documents'],
  ])('%s', (_, text, form) => {
    expect(formOf(text)).toBe(form)
  })
})

describe('pasted, it is judged as what it is:', () => {
  test.each([
    ['an answer of Ollama', OLLAMA, 'ok.answered'],
    ['an answer of /api/generate', '{"model":"q","response":"Hello there.","done":true,"eval_count":4}', 'ok.answered'],
    ['an answer of Ollama that was cut', OLLAMA.replace('"stop"', '"length"'), 'budget.too-small'],
    ['lines of Ollama', `${PIECE}\n${LAST}\n`, 'ok.answered'],
    ['lines without counters', `${PIECE}\n${LAST.replace(/,"prompt_eval.*\d/, '')}\n`, 'ok.answered'],
    ['lines that break off', `${PIECE}\n${PIECE}\n`, 'stream.ended-without-finish'],
    ['lines that break off in one', `${PIECE}\n${PIECE.slice(0, 60)}`, 'stream.ended-without-finish'],
    ['an answer of SGLang', GENERATE, 'ok.answered'],
    ['a stream of SGLang', `data: ${GENERATE}\n\ndata: [DONE]\n\n`, 'ok.answered'],
    ['an answer of llama.cpp', COMPLETION, 'ok.answered'],
    ['one of it that was cut', COMPLETION.replace('eos', 'limit'), 'budget.too-small'],
    ['one of it over many lines', JSON.stringify(JSON.parse(COMPLETION), null, 2), 'ok.answered'],
    ['a model that was only loaded', LAST.replace('"stop"', '"load"'), 'state.up-unverified'],
    ['health', '{"status":"ok"}', 'state.up-unverified'],
    ['health of Ollama', 'Ollama is running\n', 'state.up-unverified'],
    ['health while it loads', '{"status":"loading model"}', 'state.loading'],
    ['a list of models', '{"object":"list","data":[{"id":"qwen","owned_by":"sglang"}]}', 'state.up-unverified'],
    ['a list with its head', 'HTTP/1.1 200 OK\n\n{"object":"list","data":null}', 'state.up-unverified'],
    ['no choice', NO_CHOICE, 'state.up-unverified'],
    ['a refusal of a gateway', NO_ROUTE, 'proxy.backend-down'],
    ['an answer below the meter of curl', METER + CHAT, 'ok.answered'],
    ['a paste without its carriage returns', METER.replaceAll('\r', '') + CHAT, 'ok.answered'],
    ['an answer within the meter', METER.replace(`\r${ROW}`, `${CHAT}\r${ROW}`), 'ok.answered'],
    ['an answer with its head below the meter', `${METER}HTTP/1.1 200 OK\r\n\r\n${CHAT}`, 'ok.answered'],
  ])('%s', async (_, text, code) => {
    expect(await findingOf(text)).toMatchObject({ code })
  })
})

describe('recorded, as kind A', () => {
  const judge = (body: string, request: object = {}, change: object = {}) => {
    const judged = answerDocument({ request, response: { status: 200, headers: {}, body, end: 'eof', ...change } })
    return judged.ok ? judged : expect.unreachable(judged.problem)
  }
  const ASKED = { prompt: 'Say hello', options: { num_predict: 4 } }

  test('an answer is judged by what was asked, and its channels are told', () => {
    const cut = OLLAMA.replace('"stop"', '"length"').replace('"content"', '"thinking":"Hm","content"')
    expect(judge(cut, ASKED)).toMatchObject({
      finding: { code: 'budget.too-small', cause: expect.stringContaining('4 tokens') },
      parsed: { reasoning: 'Hm', content: 'Hello there.' },
    })
  })

  test('lines of JSON under their own type are a stream', () => {
    const headers = { 'Content-Type': 'application/x-ndjson' }
    const request = { ...ASKED, stream: true }
    expect(judge(`${PIECE}\n${LAST}\n`, request, { headers }).finding.code).toMatch(/^ok\./)
    expect(judge(`${PIECE}\n`, request, { headers, end: 'reset' }).finding.code).toBe('transport.truncated')
  })

  test.each([
    ['health', '{"status":"ok"}'],
    ['a list of models', '{"object":"list","data":[{"id":"qwen"}]}'],
  ])('%s where a prompt was sent is the answer of another URL', (_, body) => {
    expect(judge(body).finding.code).toBe('state.up-unverified')
    expect(judge(body, ASKED).finding.code).toBe('proxy.backend-down')
  })

  test('an empty list of choices is none of another program, whatever was asked', () => {
    expect(judge(NO_CHOICE, ASKED).finding).toMatchObject({ code: 'state.up-unverified', verdict: 'inconclusive' })
  })

  test('what was refused is a refusal, whatever its body says', () => {
    expect(judge('{"status":"ok"}', {}, { status: 503 }).finding.code).not.toBe('state.up-unverified')
  })
})
