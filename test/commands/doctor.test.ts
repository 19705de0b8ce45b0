import { expect, test } from 'vitest'
import type { Check, CheckResult } from '../../src/domain/check.ts'
import { openHouse } from './house.ts'

const check = (name: string, result: CheckResult): Check => ({ name, run: async () => result })
const fine = (name: string) => check(name, { state: 'ok', saw: 'as it should be' })
const down = (name: string, cause?: string) =>
  check(name, {
    state: 'fault',
    saw: 'connection refused',
    next: 'start it',
    ...(cause === undefined ? {} : { cause }),
  })
const odd = (name: string) => check(name, { state: 'warning', saw: 'a plain shell', next: 'install the gate' })
const skipped = (name: string) => check(name, { state: 'skipped', saw: 'not looked at' })

async function doctor(...checks: readonly Check[]) {
  const { say } = await openHouse({ checks })
  const report = (await say('doctor', { how: 'mention' })).answer()
  return {
    title: report?.title,
    status: report?.status,
    tone: report?.tone,
    lines: report?.sections[0]?.body.split('\n'),
  }
}

test('the headline counts what is not fine', async () => {
  expect(await doctor(fine('a'), fine('b'))).toMatchObject({ title: 'All 2 checks are fine', tone: 'good' })
  expect(await doctor(fine('a'), odd('b'), skipped('c'))).toMatchObject({
    title: '1 of 3 checks are fine, 1 warning, 1 not looked at',
    tone: 'warning',
    status: 'healthy',
  })
  expect(await doctor(fine('a'), odd('b'), down('c'))).toMatchObject({
    title: '1 of 3 checks found a fault',
    tone: 'bad',
    status: 'misconfigured',
  })
})

test('what failed of the same thing is told once, and nothing else is', async () => {
  const { lines } = await doctor(
    down('host a', 'host a: refused'),
    down('target one through a', 'host a: refused'),
    down('target two', 'target two: refused'),
    down('target three'),
    down('target four'),
    odd('host b'),
    odd('host c'),
  )
  expect(lines?.map((line) => line.replace(/: .*?(the same as .*)?$/, ' $1').trim())).toEqual([
    '✗ host a',
    '✗ target one through a the same as host a',
    '✗ target two',
    '✗ target three',
    '✗ target four',
    '! host b',
    '! host c',
  ])
})
