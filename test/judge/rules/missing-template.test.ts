import { expect, test } from 'vitest'
import { diagnose } from '../../../src/judge/diagnose.ts'
import { rules } from '../../../src/judge/rules/index.ts'
import { missingTemplate } from '../../../src/judge/rules/missing-template.ts'
import { logged, ORDINARY, READY } from '../logged.ts'
import { ruleTable } from '../rule-table.ts'

const none = { code: 'template.missing', verdict: 'misconfigured' } as const

const ABSENT = "[t] No chat template found, defaulting to 'string' content format"
const CHAT = (status: string) => `[t] INFO:     127.0.0.1:51000 - "POST /v1/chat/completions HTTP/1.1" ${status}`
const POST = (path: string, status: string) => `[t] INFO:     127.0.0.1:51001 - "POST ${path} HTTP/1.1" ${status}`
const WORK = [
  ...['/generate', '/generate_stream', '/v1/responses', '/v1/messages', '/v1/embeddings', '/v1/rerank', '/v1/score'],
  ...['/api/chat', '/pooling', '/classify'],
]
const NEGATIVE = 'ValueError: temperature must be non-negative, got -1.0.'

const codes = (...lines: readonly string[]) =>
  diagnose(logged([ABSENT, READY, ...lines, CHAT('400 Bad Request')]), rules).findings.map(({ code }) => code)

test('a cause that the log tells is told alone', () => {
  const long = "[t] The input (41200 tokens) is longer than the model's context length (32768 tokens)."
  expect(codes(long)[0]).toBe('context.exceeded')
  expect(codes(long)).not.toContain('template.missing')
})

test('without a word why, it is the first guess; with one, it is none', () => {
  expect(codes()[0]).toBe('template.missing')
  expect(codes(NEGATIVE)).not.toContain('template.missing')
})

ruleTable(missingTemplate, {
  speaks: {
    transformers: [
      logged(
        'ValueError: As of transformers v4.44, default chat template is no longer allowed, so you must provide a chat template if the tokenizer does not define one.',
      ),
      { ...none, remedy: expect.arrayContaining([expect.stringContaining('--chat-template FILE')]) },
    ],
    'the tokenizer': [
      logged(
        'ValueError: Cannot use chat template functions because tokenizer.chat_template is not set and no template argument was passed!',
      ),
      none,
    ],
    'a chat that SGLang refused without a template': [
      logged([ABSENT, READY, CHAT('400 Bad Request')]),
      {
        ...none,
        confidence: 'possible',
        because: [expect.stringContaining('400 Bad Request'), expect.stringContaining('No chat template')],
        missing: [expect.stringContaining('curl -i')],
      },
    ],
    'a chat that ended in an error': [
      logged([ABSENT, READY, CHAT('500 Internal Server Error')]),
      { ...none, confidence: 'possible' },
    ],
    'a chat beside work that was refused too': [
      logged([ABSENT, READY, CHAT('400 Bad Request'), POST('/generate', '422 Unprocessable Entity')]),
      { ...none, confidence: 'possible' },
    ],
    'a chat beside a health check': [
      logged([ABSENT, READY, CHAT('400 Bad Request'), '"GET /health_generate HTTP/1.1" 200 OK']),
      { ...none, confidence: 'possible' },
    ],
    'llama.cpp that takes another': [
      logged('main: The chat template that comes with this model is not yet supported, falling back to chatml.'),
      { code: 'template.wrong', verdict: 'degraded', remedy: [expect.stringContaining('--jinja'), expect.any(String)] },
    ],
  },
  silent: {
    ...ORDINARY,
    'the template of the model': logged(
      "[t] Using default HuggingFace chat template with detected content format: 'string'",
    ),
    'a template that was given': logged('[t] Loading chat template from /srv/qwen.jinja'),
    'a template that llama.cpp prints': logged(
      "main: chat template, chat_template: {%- if tools %}, example_format: '<|im_start|>system'",
    ),
    'SGLang, which renders by its own code': logged([
      '[t] No HuggingFace chat template found',
      ABSENT,
      READY,
      CHAT('200 OK'),
    ]),
    'a request that was wrong, among others that were answered': logged([
      ABSENT,
      READY,
      CHAT('400 Bad Request'),
      CHAT('200 OK'),
    ]),
    'a value that the engine refused': logged([ABSENT, READY, NEGATIVE, CHAT('400 Bad Request')]),
    'a body of another shape': logged([ABSENT, READY, CHAT('422 Unprocessable Entity')]),
    'a base model that is asked as one': logged([
      ABSENT,
      READY,
      CHAT('400 Bad Request'),
      '[t] INFO:     127.0.0.1:51000 - "POST /v1/completions HTTP/1.1" 200 OK',
    ]),
    'an embedding server': logged([
      ABSENT,
      READY,
      '[t] INFO:     127.0.0.1:51000 - "POST /v1/embeddings HTTP/1.1" 200 OK',
    ]),
    ...Object.fromEntries(
      WORK.map((path) => [
        `a chat beside an answer of ${path}`,
        logged([ABSENT, READY, CHAT('400'), POST(path, '200 OK')]),
      ]),
    ),
    'a chat that was refused for its key': logged([ABSENT, READY, CHAT('401 Unauthorized')]),
    'a chat that was refused while the server loaded': logged([ABSENT, CHAT('503 Service Unavailable'), READY]),
    'a chat that was refused by a server with a template': logged([READY, CHAT('400 Bad Request')]),
    'none is needed': logged('[t] No chat requests yet'),
  },
})
