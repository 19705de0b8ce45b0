import { expect, test } from 'vitest'
import { redactor } from '../../src/domain/redact.ts'
import { sanitise } from '../../src/domain/sanitise.ts'
import { CARRIER_NAMES, leaksIn, planted, secrets, toldOf } from './planted.ts'

const ALL = secrets(1_007)
const PLANTED = planted(ALL)
const redact = redactor(toldOf(ALL))

test('1,007 secrets in twelve carriers: none is shown, in whichever order they are cleaned', () => {
  const orders: Readonly<Record<string, (text: string) => string>> = {
    'sanitised first': (text) => redact(sanitise(text)),
    'redacted first': (text) => sanitise(redact(text)),
    'only redacted': redact,
  }
  for (const [order, clean] of Object.entries(orders)) {
    const leaks = PLANTED.flatMap((one) => leaksIn(clean(one.text), [one]))
    console.log(
      `secrets ${order}: ${leaks.length} of ${PLANTED.length} placements in ${CARRIER_NAMES.length} carriers leaked`,
    )
    expect(leaks, order).toEqual([])
  }
  expect(PLANTED.length).toBeGreaterThan(12_000)
}, 60_000)

test('what is left stays so when it is cleaned again', () => {
  for (const { text } of PLANTED) {
    const clean = redact(sanitise(text))
    if (redact(sanitise(clean)) !== clean) throw new Error(JSON.stringify(text))
  }
})

test('the scan sees what is shown: without redaction every placement leaks', () => {
  const leaks = PLANTED.filter((one) => leaksIn(one.text, [one]).length > 0)
  expect(leaks).toHaveLength(PLANTED.length)
})
