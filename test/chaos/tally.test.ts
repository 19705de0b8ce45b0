import { expect, test } from 'vitest'
import type { DisconnectReason } from '../../src/lab/slack/faults.ts'
import type { Ack } from '../../src/lab/slack/socket.ts'
import type { Message } from '../../src/lab/slack/world.ts'
import { written } from '../../src/surfaces/slack/escape.ts'
import { tellRestarted } from '../../src/surfaces/slack/unanswered.ts'
import { recordingLog } from '../surfaces/slack/harness.ts'
import type { Cut } from './disturb.ts'
import { doubledIn, isApology } from './doubled.ts'
import { fatesIn } from './fates.ts'
import type { Sent } from './storm.ts'
import type { Tally } from './tally.ts'
import { faultsOf } from './tally.ts'

// What judges the storm is judged itself: each thing that must not be is seen where it is.

const good: Tally = {
  ...{ asks: 2000, kills: 40, cuts: 10, faults: 280, hung: 0, dark: 200, cut: 100, lost: 20, abandoned: 0 },
  ...{ unanswered: [], raws: 4, doubled: [], unsure: 30, apologies: 10, unended: [], untrue: [] },
  ...{ confirmed: 30, deeds: 20, twice: [] },
}

test('what a storm may leave is no fault', () => {
  expect(faultsOf(good)).toEqual([])
  // the most of each: 2.5 s of 10 asks a second, two under way and four private answers a kill, 50 a cut
  expect(faultsOf({ ...good, dark: 1000, cut: 500, lost: 90, unsure: 160, abandoned: 20 })).toEqual([])
})

test.each<[Partial<Tally>, string]>([
  [{ dark: 1900 }, '1900 commands and presses found nobody, in 40 kills'],
  [{ cut: 501 }, '501 commands and presses found nobody, after 10 cuts'],
  [{ lost: 100 }, '100 commands and presses were lost under way, in 40 kills and 10 cuts'],
  [{ unsure: 200 }, '200 private answers are perhaps repeated, in 40 kills'],
  [{ abandoned: 21 }, '21 mentions were given up by Slack, of 2000 asks'],
  [{ hung: 1 }, '1 stops did not end'],
  [{ unanswered: ['#1'] }, 'unanswered: #1'],
  [{ doubled: ['#1'] }, 'doubled: #1'],
  [{ unended: ['#1'] }, 'unended: #1'],
  [{ untrue: ['#1'] }, 'untrue: #1'],
  [{ twice: ['ask 1'] }, 'beyond its plan: ask 1'],
])('%j is one', (bad, told) => {
  expect(faultsOf({ ...good, ...bad })).toEqual([told])
})

const heard: Ack = { ok: true, ms: 5, payload: {} }
const nobody: Ack = { ok: false, ms: 0, error: 'dispatch_failed' }
const late: Ack = { ok: false, ms: 3_000, error: 'operation_timeout' }
const at = 100_000
const kill = { at, gone: at + 10, back: at + 2_000 }
/** one that was the only connection, and a new one 300 ms later */
const cutOf = (how: DisconnectReason, back: number | null = at + 300): Cut => ({ how, at, back })

test.each<[string, Ack, number, string]>([
  ['acknowledged', heard, 0, 'heard'],
  ['while the bot is dead', nobody, 1_999, 'dark'],
  ['once it is back', nobody, 2_001, 'ignored'],
  ['before it died', nobody, -1, 'ignored'],
  ['under way when it died', late, -2_999, 'lost'],
  ['long before it died', late, -3_001, 'ignored'],
])('of a kill: %s', (_, ack, ms, fate) => {
  expect(fatesIn({ kills: [kill], cuts: [] })({ at: at + ms, ack })).toBe(fate)
})

test.each<[string, Cut, Ack, number, string]>([
  ['a refresh of the only connection, at once', cutOf('refresh_requested'), nobody, 300, 'cut'],
  ['a refresh, once there is a new one', cutOf('refresh_requested'), nobody, 301, 'ignored'],
  ['a refresh where another one is up', cutOf('refresh_requested', at), nobody, 1, 'ignored'],
  ['a refresh that leaves the bot deaf', cutOf('warning', null), nobody, 1_001, 'ignored'],
  ['a drop that leaves the bot deaf', cutOf('drop', null), nobody, 1_001, 'ignored'],
  ['a silent connection, until it is given up', cutOf('silent', at + 12_000), nobody, 12_000, 'cut'],
  ['a silent connection that is never given up', cutOf('silent', null), nobody, 13_001, 'ignored'],
  ['under way when it is refreshed', cutOf('refresh_requested'), late, -1, 'ignored'],
  ['under way when it is dropped', cutOf('drop'), late, -2_999, 'lost'],
  ['after it was dropped', cutOf('drop'), late, 1, 'ignored'],
])('of a cut: %s', (_, cut, ack, ms, fate) => {
  expect(fatesIn({ kills: [], cuts: [cut] })({ at: at + ms, ack })).toBe(fate)
})

function sentOf(sort: Sent['asked']['sort']): Sent {
  const asked = { number: 7, how: 'slash', text: 'whoami', person: 'U0CHAOS0', channel: 'C0CHAOS7', sort } as const
  return { asked, ts: null, at, ack: heard, presses: [], raw: null }
}

function message(text: string, onlyFor: string | null = 'U0CHAOS0', ms = 0): Message {
  const whose = { channel: 'C0CHAOS7', user: 'U0BOT', thread: null, onlyFor }
  return { ...whose, ts: String((at + ms) / 1000), text, blocks: [], files: [], reactions: [], metadata: null }
}

/** What the product really says to whoever asked a process that was killed: alone, or by name. */
async function apologyBy(how: 'private' | 'name', of: 'slash' | 'button'): Promise<string> {
  const said: string[] = []
  const post = {
    async privately(...[, , { text }]: readonly [unknown, unknown, { readonly text: Parameters<typeof written>[0] }]) {
      said.push(written(text))
      const refusal = { kind: 'no', code: 'user_not_in_channel', waitMs: 0, details: [] } as const
      return how === 'private' ? ({ ok: true, ts: '1' } as const) : ({ ok: false, refusal } as const)
    },
    async message(...[, { text }]: readonly [unknown, { readonly text: Parameters<typeof written>[0] }]) {
      said.push(written(text))
      return { ok: true, ts: '1' } as const
    },
  }
  const to = { channel: 'C0CHAOS7', thread: null }
  await tellRestarted({ id: 'a', how: of, at, keys: ['a'], user: 'U0CHAOS0', to }, { post, log: recordingLog() })
  return said.at(-1) ?? ''
}

const quiet = { kills: [] }
const silent = { calls: () => [] }

test.each(['private', 'name'] as const)('an apology (%s) beside an answer is one too many', async (how) => {
  const apology = message(await apologyBy(how, 'slash'), how === 'private' ? 'U0CHAOS0' : null, 500)
  expect(isApology(apology)).toBe(true)
  expect(isApology(message(await apologyBy(how, 'button')))).toBe(true)
  for (const sort of ['look', 'smoke', 'several', 'restart'] as const) {
    const said = (...words: readonly Message[]) => doubledIn(sentOf(sort), words, quiet, silent).doubled.length
    expect(said(message('You are anna'), apology), sort).toBe(1)
    expect(said(message('You are anna')), sort).toBe(0)
    expect(said(apology), sort).toBe(0)
  }
})

test('an apology to whoever pressed is none to whoever asked, and the same words in two ways are one too many', async () => {
  const [press, alone, byName] = [
    message(await apologyBy('private', 'button')),
    message(await apologyBy('private', 'slash')),
    message(await apologyBy('name', 'slash'), null),
  ]
  const pressed = { ...sentOf('restart'), presses: [{ at, ack: heard }] }
  const plan = message('Restart unit-1?', null)
  expect(doubledIn(pressed, [plan, press], quiet, silent).doubled).toEqual([])
  expect(doubledIn(pressed, [plan, alone], quiet, silent).doubled).toHaveLength(1)
  expect(doubledIn(sentOf('smoke'), [alone, byName], quiet, silent).doubled).toHaveLength(1)
})

test('of a private answer that a kill cut off nobody can know, of one that all see anybody can', () => {
  const twice = (onlyFor: string | null) => [message('You are anna', onlyFor), message('You are anna', onlyFor, 900)]
  const killed = { kills: [{ at: at + 100, gone: at + 110, back: at + 800 }] }
  expect(doubledIn(sentOf('look'), twice('U0CHAOS0'), killed, silent)).toMatchObject({ doubled: [], unsure: 1 })
  expect(doubledIn(sentOf('look'), twice('U0CHAOS0'), quiet, silent)).toMatchObject({ unsure: 0 })
  expect(doubledIn(sentOf('look'), twice(null), killed, silent)).toMatchObject({ unsure: 0 })
})
