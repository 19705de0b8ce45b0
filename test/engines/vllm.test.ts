import { describe, expect, test } from 'vitest'

import { vllm } from '../../src/engines/vllm.ts'
import { reply, replyJson, serve } from '../adapters/http-server.ts'
import { keep, never, open } from '../adapters/tidy.ts'
import { engineContract } from '../contract/engine.ts'
import { askServer, stream } from '../contract/engine-ask.ts'
import { said } from '../contract/engine-dialect.ts'
import { dialect, record, VLLM_010, VLLM_011, VLLM_NOW } from './vllm-dialect.ts'

engineContract(dialect(VLLM_010))
engineContract(dialect(VLLM_011))
engineContract(dialect(VLLM_NOW))

test.for([128_009, 'END', null])('stop_reason %j is what ended it', async (stop) => {
  const recorded = record(VLLM_NOW, said({ content: 'x' }), stop)
  const streamed = await askServer(vllm, (_, response) => stream(response, recorded.stream))
  const whole = await askServer(vllm, (_, response) => reply(response, 200, 'application/json', recorded.whole), {
    stream: false,
  })
  expect([streamed.completion?.stop, whole.completion?.stop]).toEqual([stop, stop])
})

describe('the load', () => {
  const loadWith = async (page: string, server_load: number) => {
    const server = await keep(
      serve(({ url }, response) => {
        if (url === '/metrics') reply(response, 200, 'text/plain', page)
        else replyJson(response, { server_load })
      }),
    )
    return await vllm.load(open(server.url), never)
  }

  test('with statistics off, its count of requests tells', async () => {
    expect(await loadWith('python_info{version="3.12"} 1.0\n', 3)).toMatchObject({
      value: { running: 3, waiting: null, asked: '/load' },
    })
  })

  test('a count of 0 may be one that is off, so it says nothing', async () => {
    expect(await loadWith('python_info{version="3.12"} 1.0\n', 0)).toMatchObject({
      value: { running: null, asked: null },
    })
  })

  test('the rate of older versions is read', async () => {
    const page = 'vllm:num_requests_running{model_name="x"} 1.0\nvllm:avg_generation_throughput_toks_per_s 41.5\n'
    expect(await loadWith(page, 0)).toMatchObject({
      value: { running: 1, waiting: null, cacheUsage: null, tokensPerSecond: 41.5, asked: '/metrics' },
    })
  })
})
