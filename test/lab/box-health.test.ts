import { expect, test } from 'vitest'
import { readReply } from '../../src/domain/gate/reply.ts'
import { hostHealth } from '../../src/domain/verbs/index.ts'
import { createGate } from '../../src/lab/box-gate.ts'
import { fieldBox } from '../../src/lab/field-story/machine.ts'
import { never, valueIn } from '../adapters/tidy.ts'

const OP = '0123456789abcdef0123456789abcdef'
const AT = Date.UTC(2026, 4, 1, 12)

test('the box of the field story tells its health, with the time of the box', async () => {
  const { machine } = fieldBox(() => {})
  const gate = createGate({ units: ['field'], now: () => AT, machine })
  const { stdout } = await gate.exec(`host-health ${OP}`, '', never)
  const health = valueIn(hostHealth.parse(valueIn(readReply(String(stdout), OP)), {}))
  expect(health).toMatchObject({ timeMs: AT, container: 'lxc', driver: '580.95.05', services: null, links: { rc: 0 } })
  expect(health.cards?.columns.split(',')).toHaveLength(health.cards?.text.split('\n')[0]?.split(', ').length ?? 0)
  expect((await gate.exec(`host-health ${OP} more`, '', never)).stdout).toContain('usage host-health takes other words')
})
