import { expect, test } from 'vitest'
import { TELEMETRY_KINDS } from '../../src/domain/telemetry.ts'
import { telemetry } from '../../src/telemetry/index.ts'

test('each kind that the gate knows has its reader, in its order', () => {
  expect(telemetry.map(({ kind }) => kind)).toEqual(TELEMETRY_KINDS)
})
