import { describe, expect, it } from 'vitest'
import { askedOf } from '../../src/judge/asked.ts'

const sent = (body: unknown) => {
  const request = typeof body === 'string' ? body : JSON.stringify(body)
  return askedOf({ exchange: { url: '', request, status: 200, headers: {}, response: '', end: 'eof' } })
}

const NOTHING = { tools: false, logprobs: false, grammar: false, usage: false, promptTokens: null }

describe('what a request asked for', () => {
  it.each([
    ['tools', { tools: [{ type: 'function' }] }, { tools: true }],
    ['tools, as a count', { tools: 1 }, { tools: true }],
    ['tools of older clients', { functions: [{ name: 'x' }] }, { tools: true }],
    ['log probabilities', { logprobs: true }, { logprobs: true }],
    ['their number', { top_logprobs: 5 }, { logprobs: true }],
    ['a schema', { response_format: { type: 'json_schema' } }, { grammar: true }],
    ['a schema, by its name', { response_format: 'json_schema' }, { grammar: true }],
    ['a grammar of llama.cpp', { grammar: 'root ::= "a"' }, { grammar: true }],
    ['counters', { stream_options: { include_usage: true } }, { usage: true }],
    ['so many tokens', { prompt_tokens_estimate: 15_750 }, { promptTokens: 15_750 }],
  ])('%s', (_, body, expected) => {
    expect(sent(body)).toEqual({ ...NOTHING, ...expected })
  })

  it.each([
    ['no tools', { tools: [] }],
    ['no log probabilities', { logprobs: false, top_logprobs: 0 }],
    ['plain text', { response_format: { type: 'text' } }],
    ['a count that is none', { prompt_tokens_estimate: -1 }],
    ['a list', [1]],
    ['no JSON', 'oops'],
  ])('nothing: %s', (_, body) => {
    expect(sent(body)).toEqual(NOTHING)
  })

  it('nothing where the exchange is not known', () => {
    expect(askedOf({ exchange: null })).toEqual(NOTHING)
  })
})
