import { describe, expect, test } from 'vitest'
import { inChat } from '../../src/engines/native.ts'
import { toldInstead } from '../../src/engines/native-facts.ts'

const CALL = { function: { name: 'add', arguments: { a: 1 } } }
const inBody = (told: object) => JSON.stringify(told)
const lines = (...all: readonly object[]) => `${all.map((one) => JSON.stringify(one)).join('\n')}\n`
const piece = (content: string, more: object = {}) => ({
  model: 'demo',
  message: { role: 'assistant', content },
  done: false,
  ...more,
})
const END = piece('', { done: true, done_reason: 'stop', eval_count: 2 })

/** The only choice of a whole body, or all data of a stream. */
function chatOf(text: string): unknown {
  const read = inChat(text)
  if (read === null) return null
  if (!read.isStream) return JSON.parse(read.text)
  return read.text
    .split('\n\n')
    .filter(Boolean)
    .map((event) => event.slice('data: '.length))
    .map((data) => (data === '[DONE]' ? data : JSON.parse(data)))
}

describe('an answer of an engine’s own API in the chat dialect', () => {
  test.each([
    [
      '/api/chat of Ollama',
      {
        model: 'demo',
        message: { role: 'assistant', content: 'Hi', thinking: 'Hm', tool_calls: [CALL] },
        done: true,
        done_reason: 'length',
        prompt_eval_count: 9,
        eval_count: 3,
      },
      {
        model: 'demo',
        choices: [
          {
            message: {
              content: 'Hi',
              thinking: 'Hm',
              tool_calls: [{ function: { name: 'add', arguments: '{"a":1}' } }],
            },
            finish_reason: 'length',
          },
        ],
        usage: { prompt_tokens: 9, completion_tokens: 3 },
      },
    ],
    [
      '/api/generate of Ollama, by an old version that names no reason',
      { response: 'Hi', done: true },
      { choices: [{ message: { content: 'Hi' }, finish_reason: 'stop' }] },
    ],
    [
      '/generate of SGLang',
      {
        text: 'Hi',
        meta_info: { finish_reason: { type: 'stop', matched: 7 }, prompt_tokens: 9, completion_tokens: 3 },
      },
      { choices: [{ message: { content: 'Hi' }, finish_reason: 'stop', matched_stop: 7 }] },
    ],
    [
      '/completion of llama.cpp',
      { content: 'Hi', stop: true, stop_type: 'limit', stopping_word: '', tokens_evaluated: 9, tokens_predicted: 3 },
      { choices: [{ finish_reason: 'length', matched_stop: null }], usage: { completion_tokens: 3 } },
    ],
  ])('%s', (_, told, expected) => {
    expect(chatOf(inBody(told))).toMatchObject(expected)
    expect(chatOf(JSON.stringify(told, null, 2))).toMatchObject(expected)
  })
})

describe('a stream of an engine’s own API in the chat dialect', () => {
  test('JSON lines of Ollama', () => {
    expect(chatOf(lines(piece('Hel'), piece('lo!'), END))).toMatchObject([
      { choices: [{ delta: { content: 'Hel' }, finish_reason: null }] },
      { choices: [{ delta: { content: 'lo!' }, finish_reason: null }] },
      { choices: [{ finish_reason: 'stop' }], usage: { completion_tokens: 2 } },
      '[DONE]',
    ])
  })

  test.each([
    ['between two lines', lines(piece('Hel'), piece('lo'))],
    ['within a line', `${lines(piece('Hel'), piece('lo'))}{"model":"de`],
    ['after the first line', lines(piece('Hel'))],
  ])('JSON lines that break off %s have no end', (_, text) => {
    expect(inChat(text)).toMatchObject({ isStream: true, finish: null })
    expect(inChat(text)?.text).not.toMatch(/DONE|"de$/)
  })

  test('lines of Ollama are always what is new', () => {
    expect(chatOf(lines(piece('a'), piece('ab')))).toMatchObject([
      { choices: [{ delta: { content: 'a' } }] },
      { choices: [{ delta: { content: 'ab' } }] },
    ])
  })

  test('an error among JSON lines stays', () => {
    expect(chatOf(lines(piece('Hel'), { error: 'out of memory' }))).toMatchObject([{}, { error: 'out of memory' }])
  })

  test.each([
    ['a chat answer', inBody({ choices: [{ message: { content: 'Hi' }, finish_reason: 'stop' }] })],
    ['its stream', `data: ${inBody({ choices: [{ delta: { content: 'Hi' } }] })}\n\n`],
    ['an error', inBody({ error: 'model not found' })],
    ['a page', '<html></html>'],
    ['other JSON', inBody({ hello: 1 })],
    ['the state of a task', inBody({ done: true })],
    ['a list', '[]'],
    ['a word', 'Hi'],
    ['nothing', ''],
  ])('%s is none', (_, text) => {
    expect(inChat(text)).toBeNull()
  })
})

describe('a stream of SGLang, of new texts or of all so far, as all of it shows', () => {
  const event = (text: string, type: string | null = null) =>
    `data: ${inBody({ text, meta_info: { finish_reason: type && { type }, completion_tokens: 2 } })}\n\n`

  test.each([
    ['the same token again', ['!', '!', '!'], ['!', '!', '!']],
    ['tokens that come twice', ['We', ' have', ' have', ' a'], ['We', ' have', ' have', ' a']],
    ['one that begins with the one before, and an end', ['a', 'ab', 'b'], ['a', 'ab', 'b']],
    ['nothing at its end', ['ha', 'ha', ''], ['ha', 'ha', '']],
    ['nothing at its beginning', ['', 'ha', 'ha'], ['', 'ha', 'ha']],
    ['all so far', ['H', 'He', 'He', 'Hello'], ['H', 'e', '', 'llo']],
    ['all so far, and nothing where it was aborted', ['H', 'Hello', ''], ['H', 'ello', '']],
  ])('%s', (_, sent, contents) => {
    const text = sent.map((one, at) => event(one, at === sent.length - 1 ? 'stop' : null)).join('')
    expect(chatOf(text)).toMatchObject([
      ...contents.map((content) => ({ choices: [{ delta: { content } }] })),
      '[DONE]',
    ])
  })

  test('an event of the whole text so far brings what is new in it', () => {
    expect(chatOf(`${event('Hel', null)}${event('Hello', 'stop')}data: [DONE]\n\n`)).toMatchObject([
      { choices: [{ delta: { content: 'Hel' } }] },
      { choices: [{ delta: { content: 'lo' }, finish_reason: 'stop' }], usage: { completion_tokens: 2 } },
      '[DONE]',
    ])
  })
})

describe('what a server tells in place of an answer', () => {
  test.each([
    ['a list of models', { object: 'list', data: [{ id: 'a' }, { id: 'b' }] }, { what: 'models', names: ['a', 'b'] }],
    ['no model, as Ollama says it', { object: 'list', data: null }, { what: 'models', names: [] }],
    ['/api/tags', { models: [{ name: 'a:1b', model: 'a:1b', size: 9 }] }, { what: 'models', names: ['a:1b'] }],
    ['/health', { status: 'ok', slots_idle: 1 }, { what: 'health', said: 'ok' }],
    ['health of others', { healthy: true }, { what: 'health', said: 'healthy' }],
    [
      'health and what it is of',
      { status: 'UP', version: '1', uptime: 9, model: 'q', model_loaded: true, error: null },
      { what: 'health', said: 'UP' },
    ],
    ['/version', { version: '0.11.0' }, { what: 'facts', names: ['version'] }],
    [
      '/model_info',
      { model_path: 'a', tokenizer_path: 'a', is_generation: true },
      { what: 'facts', names: ['model_path', 'tokenizer_path'] },
    ],
    ['a model that was loaded', { ...END, done_reason: 'load' }, { what: 'load', model: 'demo' }],
    ['one that was put out', { ...END, done_reason: 'unload' }, { what: 'unload', model: 'demo' }],
    ['no choice', { object: 'chat.completion', choices: [] }, { what: 'no-choice' }],
  ])('%s', (_, told, expected) => {
    expect(toldInstead(inBody(told))).toEqual(expected)
  })

  test('the page of Ollama', () => {
    expect(toldInstead('Ollama is running\n')).toEqual({ what: 'health', said: 'Ollama is running' })
  })

  test.each([
    ['an answer', { choices: [{ message: { content: 'ok' } }] }],
    ['an answer of Ollama', { ...END, message: { content: 'Hi' } }],
    ['no choice, and an error', { choices: [], error: { message: 'x' } }],
    ['embeddings', { object: 'list', data: [{ object: 'embedding', embedding: [1] }] }],
    ['a bad state', { status: 'error' }],
    ['up, and an error', { status: 'ok', slots_idle: 0, error: 'no model loaded' }],
    ['up, and no model', { status: 'ok', model_loaded: false }],
    ['up, and not loaded', { status: 'ok', loaded: false }],
    ['healthy, and not ready', { healthy: true, ready: false, workers: 0 }],
    ['up, and not healthy', { status: 'ok', healthy: false }],
    ['an answer with a state: response', { status: 'ok', response: 'Paris', model: 'q' }],
    ['an answer with a state: data', { status: 'ok', data: { answer: 'Paris' } }],
    ['an answer with a state: result', { status: 'ok', result: 'Paris' }],
    ['an answer with a state: message', { status: 'ok', message: 'Paris' }],
    ['a success', { status: 'success' }],
    ['a task that passed', { status: 'pass' }],
    ['a task that runs', { status: 'running', job: 17 }],
    ['a model that is a list', { status: 'ok', model: ['q'] }],
    ['an answer of another API', { status: 'completed', output: [] }],
    ['a version among other things', { version: '1', name: 'grafana' }],
  ])('%s is none of it', (_, told) => {
    expect(toldInstead(inBody(told))).toBeNull()
  })
})
