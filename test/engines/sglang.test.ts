import { describe, expect, test } from 'vitest'

import { sglang } from '../../src/engines/sglang.ts'
import { reply } from '../adapters/http-server.ts'
import { askServer, engineContract, sse, stream } from '../contract/engine.ts'
import { dialect, record } from './sglang-dialect.ts'

engineContract(dialect({ version: '0.5.9', after13: false, counts: false }))
engineContract(dialect({ version: '0.5.13', after13: true, counts: true }))

describe('SGLang in trouble', () => {
  test('NaN is told by matched_stop', async () => {
    const { stream: text } = record(
      { version: '0.5.9', after13: false, counts: false },
      {
        reasoning: null,
        content: '!!!',
        finish: 'stop',
        stop: 'NaN happened',
        prompt: 9,
        tokens: 3,
        reasoningTokens: 0,
      },
    )
    const answer = await askServer(sglang, (_, response) => stream(response, text))
    expect(answer.completion).toMatchObject({ stop: 'NaN happened', content: '!!!' })
  })

  test('an abort that ends as a normal chunk is kept as its finish', async () => {
    const text = sse([
      { choices: [{ delta: { content: 'so f' } }] },
      { choices: [{ delta: {}, finish_reason: 'abort' }] },
    ])
    const answer = await askServer(sglang, (_, response) => stream(response, text))
    expect(answer).toMatchObject({ failure: null, completion: { finish: 'abort', content: 'so f' } })
  })

  test('an error chunk in mid-stream is a failure that keeps what had come', async () => {
    const error = {
      error: {
        object: 'error',
        message: 'The request was aborted: OOM',
        type: 'InternalServerError',
        param: null,
        code: 500,
      },
    }
    const text = sse([{ choices: [{ delta: { content: 'so f' } }] }, error])
    const answer = await askServer(sglang, (_, response) => stream(response, text))
    expect(answer).toMatchObject({
      completion: { content: 'so f', finish: null },
      failure: { kind: 'stream-error', http: { status: 200, complaint: { kind: 'aborted' } } },
      exchange: { end: 'stream-error', response: text },
    })
  })

  test('an end without finish and [DONE] is a server that died', async () => {
    const text = `data: ${JSON.stringify({ choices: [{ delta: { reasoning_content: 'hm' } }] })}\n\n`
    const answer = await askServer(sglang, (_, response) => stream(response, text))
    expect(answer).toMatchObject({ completion: { reasoning: 'hm', content: null }, failure: { kind: 'ended-early' } })
  })

  test('a proxy that answers 200 with a page', async () => {
    for (const streamed of [true, false]) {
      const answer = await askServer(sglang, (_, response) => reply(response, 200, 'text/html', '<html>login</html>'), {
        stream: streamed,
      })
      expect(answer).toMatchObject({ completion: null, failure: { kind: streamed ? 'not-stream' : 'not-json' } })
      expect(answer.exchange.response).toBe('<html>login</html>')
    }
  })
})
