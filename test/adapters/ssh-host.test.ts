import { readFileSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'

import { LIMITS } from '../../src/adapters/ssh-limits.ts'
import { sectionOf } from '../../src/domain/gate.ts'
import { failed, ok } from '../../src/domain/outcome.ts'
import type { GateDelivery } from '../../src/domain/target.ts'
import type { Verb } from '../../src/domain/verb.ts'
import type { BoxEnd, BoxExec, BoxRun } from '../../src/lab/box-exec.ts'
import { box, frame, hostOf, poolFor, relayTo, SCRIPT, settingsFor } from './ssh-box.ts'
import { kindOf, never, valueIn } from './tidy.ts'

const look: Verb<string, string> = {
  name: 'look',
  access: 'read',
  deadlineMs: 5_000,
  words: (alias) => [alias],
  parse: (reply) => ok(sectionOf(reply, 'look')?.text ?? 'no section'),
}

const change: Verb<string, string> = { ...look, name: 'change', access: 'operate' }

const done = { how: 'exited', code: 0 } as const
const OP = 'abcdef0123456789'.repeat(2)

/** A host whose commands do what `exec` says, and all that was asked of it. */
async function hostThat(exec: (command: string, count: number) => BoxRun, more: Given = {}) {
  const asked: { readonly command: string; readonly stdin: string }[] = []
  const record: BoxExec = (command, stdin) => {
    asked.push({ command, stdin })
    return exec(command, asked.length)
  }
  const made = await box({ exec: record })
  const port = more.through === undefined ? made.port : await more.through(made.port)
  const pool = poolFor([settingsFor(made, { gate: more.gate ?? null, port })], more.limits)
  return { host: hostOf(pool), pool, asked, made }
}

interface Given {
  readonly gate?: GateDelivery
  readonly through?: (port: number) => Promise<number>
  readonly limits?: Parameters<typeof poolFor>[1]
}

const answer = (command: string, delivery: GateDelivery = 'quick'): BoxRun => ({
  stdout: frame(command, { look: 'all is well' }, { delivery }),
  end: done,
})

describe('a verb', () => {
  test('is one command line, and its answer comes with what it cost', async () => {
    const { host, asked } = await hostThat((command) => ({
      stdout: `Welcome!\n${frame(command, { look: 'all is well' })}`,
      end: done,
    }))
    const ran = valueIn(await host.run(look, 'qwen', { signal: never }))
    expect(ran).toMatchObject({ value: 'all is well', noise: 'Welcome!\n' })
    expect(ran.tookMs).toBeGreaterThan(0)
    expect(ran.shellMs).toBeGreaterThan(0)
    expect(ran.shellMs).toBeLessThan(ran.tookMs)
    expect(asked).toEqual([{ command: `/bin/sh -s -- look ${'1'.padStart(32, '0')} qwen`, stdin: SCRIPT }])
  })

  test('carries the operation id that it is given', async () => {
    const { host, asked } = await hostThat((command) => answer(command))
    valueIn(await host.run(change, 'qwen', { signal: never, op: OP }))
    expect(asked.map(({ command }) => command)).toEqual([`/bin/sh -s -- change ${OP} qwen`])
  })

  test('with a word that no host should see never leaves', async () => {
    const { host, asked, made } = await hostThat((command) => answer(command))
    expect(kindOf(await host.run(look, '$(id)', { signal: never }))).toBe('gate-refused')
    expect(asked).toEqual([])
    expect(made.connections()).toBe(0)
  })

  test('that the gate refuses fails with its reason, and one that cannot be read with the reader’s', async () => {
    const { host } = await hostThat((command) => ({
      stdout: frame(command, { refusal: 'fence-busy' }, { rc: 75 }),
      end: { how: 'exited', code: 75 },
    }))
    expect(kindOf(await host.run(change, 'qwen', { signal: never, op: OP }))).toBe('fence-busy')
    const { host: other } = await hostThat((command) => answer(command))
    const unreadable = { ...look, parse: () => failed<string>({ kind: 'shape', thing: 'x', observed: 'y', next: 'z' }) }
    expect(kindOf(await other.run(unreadable, 'qwen', { signal: never }))).toBe('shape')
  })
})

describe('the way the gate gets there', () => {
  test('it is sent until it is known to be installed', async () => {
    const { host, asked } = await hostThat((command, count) => answer(command, count < 3 ? 'quick' : 'installed'))
    for (let call = 0; call < 4; call += 1) valueIn(await host.run(look, 'qwen', { signal: never }))
    expect(asked.map(({ stdin }) => stdin)).toEqual([SCRIPT, SCRIPT, SCRIPT, ''])
  })

  test('it is never sent where it is configured as installed', async () => {
    const { host, asked } = await hostThat((command) => answer(command, 'installed'), { gate: 'installed' })
    valueIn(await host.run(look, 'qwen', { signal: never }))
    expect(asked).toMatchObject([{ stdin: '' }])
  })

  test('a plain shell where it should be installed is told, with what to do', async () => {
    const { host, asked } = await hostThat(() => ({ stdout: 'Welcome!\n', end: done }), { gate: 'installed' })
    expect(await host.run(look, 'qwen', { signal: never })).toMatchObject({
      failure: {
        kind: 'gate-missing',
        observed: expect.stringContaining('plain shell'),
        next: expect.stringMatching(/deploy\/host\/setup.*gate: installed.*hosts\.box/),
      },
    })
    expect(asked).toHaveLength(1)
  })

  test('it is sent again where it was installed and is not any more, of a change at the next call only', async () => {
    const { host, asked } = await hostThat((command, count) => {
      if (count === 1 || count === 5) return answer(command, 'installed')
      return count === 2 || count === 6 ? { end: done } : answer(command)
    })
    const kinds: string[] = []
    for (const verb of [look, look, look, look, change, change]) {
      kinds.push(kindOf(await host.run(verb, 'qwen', { signal: never })))
    }
    expect(kinds).toEqual(['ok', 'ok', 'ok', 'ok', 'gate-missing', 'ok'])
    expect(asked.map(({ stdin }) => stdin === '')).toEqual([false, true, false, false, false, true, false])
  })
})

const ENDS: readonly BoxEnd[] = [{ how: 'lost' }, { how: 'cut', reset: false }, { how: 'cut', reset: true }]

describe('what is lost', () => {
  test.for(ENDS)('a read that ends by %o before its answer is asked once more', async (end) => {
    const { host, asked } = await hostThat((command, count) => (count === 1 ? { stdout: 'x', end } : answer(command)))
    expect(valueIn(await host.run(look, 'qwen', { signal: never })).value).toBe('all is well')
    expect(asked).toHaveLength(2)
  })

  test.for(ENDS)('but not twice, where that ends by %o as well', async (end) => {
    const { host, asked } = await hostThat(() => ({ stdout: 'x', end }))
    expect(kindOf(await host.run(look, 'qwen', { signal: never }))).toBe('lost')
    expect(asked).toHaveLength(2)
  })

  test.for(ENDS)('a change that ends by %o is lost, and is never repeated', async (end) => {
    const { host, asked } = await hostThat((command) => ({
      stdout: `\nGATE ${command.split(' ')[4]} begin 1 quick\n`,
      end,
    }))
    expect(await host.run(change, 'qwen', { signal: never, op: OP })).toMatchObject({
      failure: { kind: 'lost', thing: expect.stringContaining('host box') },
    })
    expect(asked).toHaveLength(1)
  })

  test('a change whose connection had died unnoticed was never begun, and is asked on a new one', async () => {
    const { host, asked, made, pool } = await hostThat((command) => answer(command))
    const { closed } = valueIn(await pool.connect('box', never))
    made.drop()
    valueIn(await host.run(change, 'qwen', { signal: never, op: OP }))
    await closed
    expect(asked).toHaveLength(1)
  })
})

describe('what is not lost', () => {
  test.for([
    ['ends with a signal', { end: { how: 'signalled', signal: 'KILL' } }, 'signalled'],
    ['prints something else', { stdout: 'hello\n', end: done }, 'gate-missing'],
    [
      'prints half an answer',
      { stdout: frame(`/bin/sh -s -- look ${'1'.padStart(32, '0')}`).slice(0, -9), end: done },
      'gate-garbled',
    ],
    ['prints without end', { stdout: 'x'.repeat(3_000_000), end: done }, 'output-cut'],
  ] as const)('a read that %s is not asked again', async ([, run, kind]) => {
    const { host, asked } = await hostThat(() => run)
    expect(kindOf(await host.run(look, 'qwen', { signal: never }))).toBe(kind)
    expect(asked).toHaveLength(1)
  })

  test.for<BoxEnd>([...ENDS, { how: 'exited', code: 1 }, { how: 'signalled', signal: 'HUP' }])(
    'a whole answer counts, though the command ends by %o',
    async (end) => {
      const { host, asked } = await hostThat((command) => ({ ...answer(command), stderr: 'bash: warning\n', end }))
      expect(valueIn(await host.run(change, 'qwen', { signal: never, op: OP })).value).toBe('all is well')
      expect(asked).toHaveLength(1)
    },
  )
})

describe('what does not end', () => {
  test('a change on a host that freezes ends by keepalive', async () => {
    const frozen = Promise.withResolvers<() => void>()
    const through = async (port: number) => {
      const relay = await relayTo(port)
      frozen.resolve(relay.freeze)
      return relay.port
    }
    const { host, asked } = await hostThat(() => ({ end: { how: 'never' } }), { through, limits: { keepaliveMs: 40 } })
    const running = host.run(change, 'qwen', { signal: never, op: OP })
    while (asked.length === 0) await setImmediate()
    ;(await frozen.promise)()
    expect(kindOf(await running)).toBe('keepalive')
  })

  test('a start-up file that waits is told within its own limit, whatever it printed before', async () => {
    for (const stdout of ['', 'Loading modules\n']) {
      const { host, asked } = await hostThat(() => ({ stdout, end: { how: 'never' } }), { limits: { firstByteMs: 50 } })
      const ran = await host.run(look, 'qwen', { signal: never })
      expect(ran).toMatchObject({
        failure: {
          kind: 'no-end',
          observed: expect.stringMatching(/^the login works, and the account's shell gave no answer within 0\.1 s/),
          next: expect.stringContaining('.bashrc'),
        },
      })
      expect(asked).toHaveLength(1)
    }
  })

  test('that limit is below what doctor gives a check', () => {
    const doctor = readFileSync(new URL('../../src/commands/doctor.ts', import.meta.url), 'utf8')
    const checkMs = Number(/const CHECK_MS = ([\d_]+)/.exec(doctor)?.[1]?.replace('_', ''))
    expect(LIMITS.firstByteMs).toBeLessThan(checkMs / 1.5)
  })

  test('an abort is told as such', async () => {
    const { host, asked } = await hostThat(() => ({ end: { how: 'never' } }))
    const stop = new AbortController()
    const running = host.run(look, 'qwen', { signal: stop.signal })
    while (asked.length === 0) await setImmediate()
    stop.abort()
    expect(kindOf(await running)).toBe('stopped')
    expect(asked).toHaveLength(1)
  })
})
