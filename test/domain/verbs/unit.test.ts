import { expect, test } from 'vitest'
import { readFence } from '../../../src/domain/unit.ts'
import { kill, opstat, restart, unit, units, variant } from '../../../src/domain/verbs/index.ts'
import { timeSpanMs } from '../../../src/domain/verbs/time-span.ts'
import { INVOCATION, reply, SHOW } from './replies.ts'

const ALIAS = { unit: 'sglang' }
const with_ = (changes: Readonly<Record<string, string>>) =>
  Object.entries(changes).reduce(
    (text, [key, value]) => text.replace(new RegExp(`^${key}=.*$`, 'm'), `${key}=${value}`),
    SHOW,
  )
const shown = (text: string, rc = 0) => unit.parse(reply({ unit: [rc, text] }), ALIAS)
const stateOf = (text: string) => {
  const read = shown(text)
  return read.ok ? read.value.state : read.failure
}

test('every property', () => {
  expect(stateOf(SHOW)).toEqual({
    id: 'sglang.service',
    loadState: 'loaded',
    activeState: 'active',
    subState: 'running',
    result: 'success',
    type: 'simple',
    restart: 'on-failure',
    mainPid: 4242,
    mainExit: null,
    nRestarts: 2,
    invocation: INVOCATION,
    controlGroup: '/system.slice/sglang.service',
    activeEnteredMs: 5000123,
    inactiveLeftMs: 5000000,
    stateChangedMs: 5000123,
    unitFileState: 'enabled',
    fragmentPath: '/etc/systemd/system/sglang.service',
    dropIns: [
      '/etc/systemd/system/sglang.service.d/10-a.conf',
      '/etc/systemd/system/sglang.service.d/50-pilotflame.conf',
    ],
    job: null,
    user: 'llm',
    memoryBytes: 8589934592,
    startTimeoutMs: 90_000,
    stopTimeoutMs: null,
    startLimitBurst: 5,
    successStatuses: [],
  })
})

test.each([
  [{ MainPID: '0' }, { mainPid: null }],
  [{ MainPID: 'x' }, { mainPid: null }],
  [{ ExecMainCode: '1', ExecMainStatus: '3' }, { mainExit: { how: 'exited', status: 3 } }],
  [{ ExecMainCode: '2', ExecMainStatus: '9' }, { mainExit: { how: 'killed', status: 9 } }],
  [{ ExecMainCode: '3', ExecMainStatus: '11' }, { mainExit: { how: 'dumped', status: 11 } }],
  [{ ExecMainCode: '7', ExecMainStatus: '1' }, { mainExit: null }],
  [{ ExecMainCode: '1', ExecMainStatus: '' }, { mainExit: null }],
  [{ InvocationID: '' }, { invocation: null }],
  [{ InvocationID: 'x'.repeat(32) }, { invocation: null }],
  [{ MemoryCurrent: '[not set]' }, { memoryBytes: null }],
  [{ MemoryCurrent: '18446744073709551615' }, { memoryBytes: null }],
  [{ ActiveEnterTimestampMonotonic: '0' }, { activeEnteredMs: null }],
  [{ NRestarts: '' }, { nRestarts: null }],
  [{ NRestarts: '-1' }, { nRestarts: null }],
  [
    { User: '', DropInPaths: '' },
    { user: null, dropIns: [] },
  ],
  [{ StartLimitBurst: '5\nJob=77' }, { startLimitBurst: 5, job: 77 }],
  [{ StartLimitBurst: '5\nSuccessExitStatus=143 KILL' }, { successStatuses: ['143', 'KILL'] }],
  [{ StartLimitBurst: '5\nJob=0' }, { job: null }],
  [
    { Result: 'start-limit-hit', SubState: 'auto-restart' },
    { result: 'start-limit-hit', subState: 'auto-restart' },
  ],
  [{ LoadState: 'not-found', ActiveState: 'inactive', SubState: 'dead' }, { loadState: 'not-found' }],
])('%j', (changes, expected) => {
  expect(stateOf(with_(changes))).toMatchObject(expected)
})

test.each([
  ['', 0, 'exit', /printed nothing/],
  ['Id=sglang.service\n', 0, 'exit', /something else/],
  [with_({ ActiveState: '' }), 0, 'exit', /something else/],
  [SHOW, 1, 'exit', /ended with 1/],
  ["System has not been booted with systemd as init system (PID 1). Can't operate.", 1, 'exit', /not been booted/],
  ['Failed to connect to bus: Permission denied', 1, 'permission', /bus/],
])('no state from %j with %i', (text, rc, kind, observed) => {
  expect(shown(text, rc)).toMatchObject({
    ok: false,
    failure: { kind, thing: 'systemctl show', observed: expect.stringMatching(observed) },
  })
})

test('fence and variants', () => {
  const read = unit.parse(
    reply({ unit: SHOW, fence: `12.active-${INVOCATION}\n`, variants: 'eagle\navailable eagle\navailable b\n' }),
    ALIAS,
  )
  expect(read).toMatchObject({
    value: { fence: { generation: 12, seen: { state: 'active' } }, variant: 'eagle', variants: ['eagle', 'b'] },
  })
  expect(shown(SHOW)).toMatchObject({ value: { fence: null, variant: null, variants: [] } })
  expect(unit.parse(reply({ unit: SHOW, variants: 'none\n' }), ALIAS)).toMatchObject({ value: { variant: null } })
})

test.each([
  [`12.active-${INVOCATION}`, { generation: 12, seen: { state: 'active', invocation: INVOCATION } }],
  ['0.starting', { generation: 0, seen: { state: 'starting' } }],
  ['999999999999999.loop', { generation: 999999999999999, seen: { state: 'loop' } }],
  ['7.stopped', { seen: { state: 'stopped' } }],
  ['7.stopping', { seen: { state: 'stopping' } }],
])('fence %s', (token, expected) => {
  expect(readFence(token)).toMatchObject({ token, ...expected })
})

test.each([
  [''],
  ['12'],
  ['12.'],
  ['.stopped'],
  ['12.active'],
  ['12.active-'],
  [`12.active-${INVOCATION}0`],
  [`12.active-${INVOCATION.toUpperCase()}`],
  [`12.stopped-${INVOCATION}`],
  ['-1.stopped'],
  ['1.5.stopped'],
  ['1e3.stopped'],
  ['9999999999999999.stopped'],
  ['12.stopped '],
  ['12.gone'],
])('no fence: %j', (token) => {
  expect(readFence(token)).toBeNull()
})

test.each([
  ['1min 30s', 90_000],
  ['90', 90_000],
  ['500ms', 500],
  ['250us', 0.25],
  ['1.5s', 1500],
  ['1h 2min 3s', 3_723_000],
  ['1d', 86_400_000],
  ['2w', 1_209_600_000],
  ['0', 0],
  ['infinity', null],
  ['', null],
  ['1min  30s', null],
  ['-1s', null],
  ['1e3', null],
  ['5parsecs', null],
  ['min', null],
  ['NaNs', null],
])('time span %j', (text, ms) => {
  expect(timeSpanMs(text)).toBe(ms)
})

test('one unit that cannot be read does not hide the others', () => {
  expect(units.parse(reply({ 'unit.a': SHOW, 'unit.b.c': [1, 'Failed'], other: 'x' }), {})).toMatchObject({
    ok: true,
    value: {
      units: [
        { unit: 'a', state: { ok: true, value: { id: 'sglang.service' } } },
        { unit: 'b.c', state: { ok: false, failure: { kind: 'exit' } } },
      ],
    },
  })
  expect(units.parse(reply({}), {})).toEqual({ ok: true, value: { units: [] } })
})

const fence = readFence('3.stopped') ?? { token: '', generation: 0, seen: { state: 'stopped' } }
const act = (text: string) => restart.parse(reply({ act: text }), { ...ALIAS, fence })

test.each([
  [
    'state=done\ngeneration=13\nrc=0\nat=1767225600\nsaid=',
    { state: 'done', generation: 13, at: 1767225600000, said: '' },
  ],
  ['state=already\ngeneration=13\nrc=0\nat=1', { state: 'already', at: 1000 }],
  ['state=issued\ngeneration=13\nat=1', { state: 'issued' }],
  ['state=issued\nrc=\ngeneration=x', { state: 'issued', generation: null, at: null }],
  ['state=done\nrc=0\nsaid=Warning: a = b', { said: 'Warning: a = b' }],
])('a change that was accepted: %j', (text, expected) => {
  expect(act(text)).toMatchObject({ ok: true, value: expected })
})

test.each([
  [
    'state=done\nrc=5\nsaid=Failed to restart x.service: Unit x.service not found.',
    'exit',
    /with 5: Failed to restart/,
  ],
  ['state=already\nrc=1\nsaid=Job failed', 'exit', /Job failed/],
  ['state=done\nrc=1\nsaid=sudo: a password is required', 'sudo', /password/],
  ['state=done\nrc=1\nsaid=Failed to restart x.service: Access denied', 'permission', /denied/],
  ['state=done\nrc=4\nsaid=Failed: Interactive authentication required.', 'permission', /authentication/],
  ['state=done\nrc=124\nsaid=', 'deadline', /did not end/],
  ['state=done\nsaid=', 'gate-garbled', /no status/],
  ['state=done\nrc=-1', 'gate-garbled', /no status/],
  ['state=maybe\nrc=0', 'gate-garbled', /what became/],
  ['rc=0', 'gate-garbled', /what became/],
  ['', 'gate-garbled', /what became/],
])('a change that failed: %j', (text, kind, observed) => {
  expect(act(text)).toMatchObject({ ok: false, failure: { kind, observed: expect.stringMatching(observed) } })
})

test('a change that failed still tells the generation', () => {
  expect(act('state=done\ngeneration=14\nrc=1\nsaid=x')).toMatchObject({ ok: false, partial: { generation: 14 } })
})

test('words of changes', () => {
  expect(kill.words({ ...ALIAS, fence, pid: 7, start: 99, owner: 'llm', signal: 'KILL' })).toEqual(
    'sglang 3.stopped 7 99 llm KILL'.split(' '),
  )
  expect(variant.words({ ...ALIAS, fence, variant: null })).toEqual(['sglang', '3.stopped', 'none'])
})

const fate = (text: string) => opstat.parse(reply({ op: text }), { target: INVOCATION })

test.each([
  ['never', { state: 'never' }],
  ['issued restart sglang 1767225600', { state: 'issued', verb: 'restart', unit: 'sglang', at: 1767225600000 }],
  ['done stop a.b 1767225600 5', { state: 'done', verb: 'stop', unit: 'a.b', at: 1767225600000, rc: 5 }],
])('fate %j', (text, value) => {
  expect(fate(`${text}\n`)).toEqual({ ok: true, value })
})

test.each([
  [''],
  ['never mind'],
  ['issued'],
  ['issued restart sglang'],
  ['issued restart sglang soon'],
  ['issued restart sglang 1 0'],
  ['done restart sglang 1'],
  ['done restart sglang 1 x'],
  ['done restart sglang 1 0 0'],
  ['gone restart sglang 1 0'],
])('no fate: %j', (text) => {
  expect(fate(text)).toMatchObject({ ok: false, failure: { kind: 'gate-garbled' } })
})
