import type { ServerResponse } from 'node:http'

import { expect, test } from 'vitest'

import { askModels } from '../../src/engines/ask.ts'
import { complaint } from '../../src/engines/complaint.ts'
import { openai } from '../../src/engines/openai.ts'
import { reply, replyJson, serve } from '../adapters/http-server.ts'
import { failureIn, keep, never, open } from '../adapters/tidy.ts'
import { askServer, stream } from '../contract/engine-ask.ts'
import { sse } from '../contract/engine-dialect.ts'

const SECRET = `hf_${'Q'.repeat(34)}`

/** Words with a secret that a cut after so many characters, or a few more or less for what is around it, would split. */
const around = (most: number) => `${'no '.repeat(most / 3 - 4)}${SECRET} and more ${'no '.repeat(400)}`

test.for([
  ['a refusal', (r: ServerResponse): void => reply(r, 500, 'text/plain', around(160))],
  ['a page', (r: ServerResponse): void => reply(r, 200, 'text/html', around(160))],
  ['JSON that is no answer', (r: ServerResponse): void => stream(r, sse([{ hello: around(150) }]))],
  [
    'an event that is no JSON',
    (r: ServerResponse): void => stream(r, `data: ${around(160)}\n\n${sse([{ choices: [] }])}`),
  ],
  ['an error in the stream', (r: ServerResponse): void => stream(r, sse([{ error: { message: around(300) } }]))],
  ['a redirect', (r: ServerResponse): void => void r.writeHead(302, { location: around(200) }).end()],
] as const)('%s is quoted without half a secret', async ([, respond]) => {
  const { failure } = await askServer(openai, (_, response) => respond(response))
  expect(failure?.observed).toMatch(/no …/)
  expect(failure?.observed).not.toContain('hf_')
})

test('so is what is no model list, and an engine’s complaint', async () => {
  const server = await keep(serve((_, response) => replyJson(response, [around(160)])))
  expect(failureIn(await askModels(open(server.url), never)).observed).not.toContain('hf_')
  for (const said of [complaint(500, around(200)), complaint(500, JSON.stringify({ message: around(1000) }))]) {
    expect(said.message).toMatch(/no …$/)
    expect(said.message).not.toContain('hf_')
  }
})
