import { expect, test } from 'vitest'

import { complaint } from '../../src/engines/complaint.ts'

test.for([
  [401, '', 'auth'],
  [401, 'Unauthorized', 'auth'],
  [401, '<html><title>401 Authorization Required</title></html>', 'auth'],
  [403, '{"error":"Forbidden"}', 'auth'],
  [403, '{"detail":"Invalid or missing API-Key"}', 'auth'],
  [403, 'missing api_key', 'auth'],
  [403, 'User not authenticated', 'auth'],
] as const)('%i with %j is about a key', ([status, body, kind]) => {
  expect(complaint(status, body).kind).toBe(kind)
})

test.for([
  [403, '', 'route'],
  [403, 'Forbidden', 'route'],
  [403, '{}', 'route'],
  [403, '{"detail":"Your address may not come here"}', 'route'],
  [403, '<html><title>403 Forbidden</title><center>nginx</center></html>', 'route'],
  [502, '<html>Bad Gateway</html>', 'proxy'],
  [503, 'no healthy upstream', 'proxy'],
  [400, 'api_key', 'schema'],
] as const)('%i with %j is not', ([status, body, kind]) => {
  expect(complaint(status, body).kind).toBe(kind)
})

const INPUT = '"input":{"messages":[{"role":"user","content":"a secret plan"}]}'

test.for([
  [
    'flat',
    400,
    '{"object":"error","message":"bad top_p","type":"BadRequestError","param":null,"code":400}',
    'bad top_p',
  ],
  ['nested', 400, '{"error":{"message":"bad top_p","type":"BadRequestError","param":"top_p","code":400}}', 'bad top_p'],
  ['nested, without a code', 400, '{"error":{"message":"bad top_p","type":"x","param":null,"code":null}}', 'bad top_p'],
  ['a text', 400, '{"error":"bad top_p"}', 'bad top_p'],
  ['Anthropic’s', 400, '{"type":"error","error":{"type":"invalid_request_error","message":"bad top_p"}}', 'bad top_p'],
  ['FastAPI’s text', 422, '{"detail":"bad top_p"}', 'bad top_p'],
  [
    'FastAPI’s list',
    422,
    `{"detail":[{"type":"missing","loc":["body","messages",0],"msg":"Field required",${INPUT}},{"loc":["body"],"msg":"x"}]}`,
    'body.messages.0: Field required; body: x',
  ],
  ['plain', 400, 'bad top_p', 'bad top_p'],
  ['a page', 400, '<html><h1>bad</h1> <p>top_p</p></html>', 'bad top_p'],
] as const)('%s: the words of it', ([, status, body, message]) => {
  expect(complaint(status, body)).toEqual({ kind: body.startsWith('<') ? 'proxy' : 'schema', message })
})

test.for(['{"detail":{"x":1}}', '{"detail":[7]}', '{"error":{}}', '{"error":7}', '[]', '7'])(
  '%s has no words of its own and is quoted',
  (body) => {
    expect(complaint(400, body)).toEqual({ kind: 'schema', message: body })
  },
)

test.for([
  [503, '{"error":{"message":"server busy, please try again.  maximum pending requests exceeded"}}', 'overloaded'],
  [529, '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}', 'overloaded'],
  [503, '{"error":{"type":"Service Unavailable","code":"server_selection_failed","message":"none"}}', 'proxy'],
  [503, '', 'not-ready'],
  [500, '{"error":{"message":"busy waiting is off"}}', 'server'],
] as const)('%i with %j is %s', ([status, body, kind]) => {
  expect(complaint(status, body).kind).toBe(kind)
})

test('llama.cpp gives a request up in the words of a fault of its own', () => {
  const body = '{"error":{"code":500,"message":"Context size has been exceeded.","type":"server_error"}}'
  expect(complaint(500, body).kind).toBe('context')
  expect(complaint(500, '{"error":{"code":500,"message":"Context size is 4096.","type":"server_error"}}').kind).toBe(
    'server',
  )
})
