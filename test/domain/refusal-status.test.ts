import { expect, test } from 'vitest'

import { kindOfStatus } from '../../src/domain/refusal-status.ts'

test.for([
  [400, 'schema'],
  [401, 'auth'],
  [403, 'route'],
  [404, 'route'],
  [405, 'route'],
  [413, 'context'],
  [422, 'schema'],
  [429, 'overloaded'],
  [500, 'server'],
  [501, 'server'],
  [502, 'proxy'],
  [503, 'not-ready'],
  [504, 'proxy'],
] as const)('%s means %s', ([status, kind]) => {
  expect(kindOfStatus(status)).toBe(kind)
})
