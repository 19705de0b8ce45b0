import type { ServerResponse } from 'node:http'

import { describe, expect, test } from 'vitest'

import { openai } from '../../src/engines/openai.ts'
import { reply, replyJson } from '../adapters/http-server.ts'
import { askServer } from '../contract/engine-ask.ts'

const COMPLETION = {
  model: 'm',
  choices: [{ message: { role: 'assistant', reasoning: 'Hm.', content: 'Hello!' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 12, completion_tokens: 9 },
}

describe('a whole answer where a stream was asked for', () => {
  test.for([
    ['as JSON', (r: ServerResponse) => replyJson(r, COMPLETION)],
    ['without a content type', (r: ServerResponse) => r.writeHead(200).end(JSON.stringify(COMPLETION))],
    ['that says it is a stream', (r: ServerResponse) => reply(r, 200, 'text/event-stream', JSON.stringify(COMPLETION))],
  ] as const)('%s is read', async ([, respond]) => {
    const answer = await askServer(openai, (_, response) => void respond(response))
    expect(answer).toMatchObject({
      failure: null,
      completion: {
        reasoning: 'Hm.',
        content: 'Hello!',
        finish: 'stop',
        tokens: { completion: 9 },
        timing: { firstTokenMs: null },
      },
      exchange: { status: 200, response: JSON.stringify(COMPLETION), end: 'eof, not streamed' },
      pieces: [
        { channel: 'reasoning', text: 'Hm.' },
        { channel: 'content', text: 'Hello!' },
      ],
    })
  })

  test('an empty text stays one, and a long answer is read to its end', async () => {
    const of = (content: string) => ({ choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop' }] })
    const [empty, long] = ['', 'long '.repeat(40_000)]
    for (const content of [empty, long]) {
      const answer = await askServer(openai, (_, response) => replyJson(response, of(content ?? '')))
      expect(answer).toMatchObject({ failure: null, completion: { content } })
    }
  })

  test('an error in it is understood', async () => {
    const error = { object: 'error', message: 'Loading model', code: 503 }
    for (const body of [error, { error }]) {
      const answer = await askServer(openai, (_, response) => replyJson(response, body))
      expect(answer).toMatchObject({
        completion: null,
        failure: { kind: 'stream-error', http: { status: 200, complaint: { kind: 'not-ready' } } },
      })
    }
  })

  test.for([
    ['other JSON', '{"status":"maintenance"}'],
    ['cut JSON', '{"choices":[{"mess'],
    ['a page', '<html>Log in</html>'],
  ] as const)('%s is none', async ([, body]) => {
    const answer = await askServer(openai, (_, response) => reply(response, 200, 'application/json', body))
    expect(answer).toMatchObject({ completion: null, failure: { kind: 'not-stream' }, exchange: { response: body } })
  })
})
