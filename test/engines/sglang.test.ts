import { describe, expect, test } from 'vitest'

import { sglang } from '../../src/engines/sglang.ts'
import { reply, replyJson, serve } from '../adapters/http-server.ts'
import { keep, never, open } from '../adapters/tidy.ts'
import { engineContract } from '../contract/engine.ts'
import { askServer, stream } from '../contract/engine-ask.ts'
import { said } from '../contract/engine-dialect.ts'
import { dialect, record } from './sglang-dialect.ts'

const OLD = { version: '0.5.9', after13: false, counts: false }

engineContract(dialect(OLD))
engineContract(dialect({ version: '0.5.13', after13: true, counts: true }))

test('NaN is told by matched_stop', async () => {
  const { stream: text } = record(OLD, said({ content: '!!!' }), 'NaN happened')
  const answer = await askServer(sglang, (_, response) => stream(response, text))
  expect(answer.completion).toMatchObject({ stop: 'NaN happened', content: '!!!' })
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

/** The load by what a server answers at each path; a path that is missing is 404. */
async function loadOf(facts: Readonly<Record<string, unknown>>) {
  const server = await keep(
    serve(({ url = '' }, response) => {
      const fact = facts[url]
      if (typeof fact === 'string') reply(response, 200, 'text/plain', fact)
      else replyJson(response, fact ?? { detail: 'Not Found' }, fact === undefined ? 404 : 200)
    }),
  )
  return await sglang.load(open(server.url), never)
}

describe('the load of other versions', () => {
  test('0.4.7 to 0.5.7: all requests, those in line among them', async () => {
    const ranks = [
      { dp_rank: 0, num_reqs: 5, num_waiting_reqs: 2, num_tokens: 900 },
      { dp_rank: 1, num_reqs: 1, num_waiting_reqs: 0, num_tokens: 90 },
    ]
    expect(await loadOf({ '/get_load': ranks })).toMatchObject({
      value: { running: 4, waiting: 2, cacheUsage: null, tokensPerSecond: null, asked: '/get_load' },
    })
  })

  test('before: metrics, where they are on; the ranks of one model count once', async () => {
    const page = [0, 1]
      .flatMap((rank) => [
        `sglang:num_running_reqs{model_name="x",tp_rank="${rank}",pp_rank="0",dp_rank="0"} 4.0`,
        `sglang:num_queue_reqs{model_name="x",tp_rank="${rank}",pp_rank="0",dp_rank="0"} 1.0`,
        `sglang:token_usage{model_name="x",tp_rank="${rank}",pp_rank="0",dp_rank="0"} 0.31`,
        `sglang:gen_throughput{model_name="x",tp_rank="${rank}",pp_rank="0",dp_rank="0"} ${rank === 0 ? 88.5 : 0}`,
      ])
      .join('\n')
    expect(await loadOf({ '/metrics': page })).toMatchObject({
      value: { running: 4, waiting: 1, cacheUsage: 0.31, tokensPerSecond: 88.5, asked: '/metrics' },
    })
  })

  test('a summary without ranks does as well', async () => {
    const aggregate = { total_running_reqs: 7, total_waiting_reqs: 0, avg_token_usage: 0.5, avg_throughput: 10 }
    expect(await loadOf({ '/v1/loads?include=core': { dp_rank_count: 2, aggregate } })).toMatchObject({
      value: { running: 7, waiting: 0, cacheUsage: 0.5, tokensPerSecond: null },
    })
  })

  test.for([
    ['a rank that does not count', { num_running_reqs: null }, { running: null, waiting: 1 }],
    ['a count that is a text', { num_running_reqs: '3' }, { running: null, waiting: 1 }],
    ['a count below nothing', { num_running_reqs: -1 }, { running: null, waiting: 1 }],
    ['a usage in percent', { token_usage: 41 }, { cacheUsage: null, running: 2 }],
  ] as const)('%s is not known, and hides nothing else', async ([, strange, value]) => {
    const rank = { num_running_reqs: 2, num_waiting_reqs: 1, token_usage: 0.5, gen_throughput: 1, ...strange }
    expect(await loadOf({ '/v1/loads?include=core': { loads: [rank] } })).toMatchObject({ value })
  })

  test('a scheduler that does not answer is a failure', async () => {
    const server = await keep(serve((_, response) => replyJson(response, { error: 'scheduler timed out' }, 500)))
    expect(await sglang.load(open(server.url), never)).toMatchObject({
      failure: { kind: 'http-status', http: { status: 500, complaint: { kind: 'server' } } },
    })
  })
})
