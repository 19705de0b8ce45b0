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
