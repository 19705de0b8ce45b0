import { expect, test } from 'vitest'
import { refusalOf } from '../../../src/domain/gate/refusal.ts'
import type { GateReply } from '../../../src/domain/gate.ts'

const refused = (rc: number, text: string): GateReply => ({
  rc,
  delivery: 'installed',
  noise: '',
  sections: [{ name: 'refusal', rc, text, truncated: false }],
})

const ROWS = [
  [64, 'usage log ALIAS lines N', 'gate-refused', /other words.*log ALIAS lines N/, /install the one/],
  [66, 'not-there process 77', 'not-there', /not there \(process 77\)/, /look again/],
  [66, 'not-there /etc/pilotflame/units', 'not-there', /units/, /deploy\/host\/setup/],
  [67, 'no-such-unit sglang', 'no-such-unit', /\(sglang\)/, /etc\/pilotflame\/units/],
  [69, 'tool-missing nvidia-smi', 'tool-missing', /nvidia-smi is not installed/, /driver's tools.*container/],
  [69, 'tool-missing journalctl', 'tool-missing', /journalctl is not/, /log=/],
  [69, "tool-missing systemctl: Can't operate", 'tool-missing', /systemctl does not work: Can't operate/, /systemd/],
  [69, 'tool-missing xyz', 'tool-missing', /xyz is not/, /install it/],
  [69, 'tool-missing constructor', 'tool-missing', /constructor is not/, /install it/],
  [69, 'tool-missing', 'tool-missing', /a tool/, /install it/],
  [73, 'no-state /var/lib/pilotflame', 'no-state', /nothing was changed/, /disk is full/],
  [75, 'fence-busy sglang', 'fence-busy', /another change/, /wait/],
  [
    76,
    'fence-stale generation: planned 12, now 13',
    'fence-stale',
    /planned 12, now 13.*nothing was done/,
    /ask again/,
  ],
  [
    77,
    'sudo systemctl restart: a password is required',
    'sudo',
    /a password is required/,
    /sudoers.*deploy\/host\/setup/,
  ],
  [77, 'permission /etc/pilotflame/units', 'permission', /may not.*units/, /belongs/],
  [
    77,
    "permission /usr/local/sbin/pilotflame-gate must be root's, mode 755",
    'permission',
    /others than root may change it \(\/usr.*mode 755\)/,
    /^run deploy\/host\/setup there again/,
  ],
  [
    77,
    'permission /etc/pilotflame/units, line 3: log=app.log does not fit',
    'permission',
    /list.*line 3: log=app\.log/,
    /^correct that line/,
  ],
  [78, 'in-transition activating', 'in-transition', /activating/, /`stop` is allowed/],
  [124, 'timeout nvidia-smi', 'deadline', /own time.*nvidia-smi/, /hangs/],
  [126, 'refused word too long', 'gate-refused', /form.*too long/, /install the one/],
  [127, 'unknown-verb dance', 'gate-refused', /does not know.*dance/, /install the one/],
] as const

test.each(ROWS)('%i %s', (rc, text, kind, observed, next) => {
  expect(refusalOf('host box', refused(rc, `${text}\n`))).toEqual({
    kind,
    thing: 'host box',
    observed: expect.stringMatching(observed),
    next: expect.stringMatching(next),
  })
})

test('each way to refuse has its own sentence and its own next step, where there is one to take', () => {
  const said = [...new Map(ROWS.map((row) => [row[1].split(' ')[0], refusalOf('x', refused(row[0], row[1]))])).values()]
  expect(new Set(said.map((failure) => failure?.observed)).size).toBe(said.length)
  expect(new Set(said.map((failure) => failure?.next)).size).toBe(said.length - 2)
})

test.each([
  [77, 'sudo: a password is required', 'permission', /\(sudo: a password is required\)/],
  [75, 'constructor x', 'fence-busy', /\(constructor x\)/],
  [76, '', 'fence-stale', /no longer as it was/],
  [1, '', 'exit', /ended with 1 and gave no reason/],
  [1, 'strange words', 'exit', /ended with 1: strange words/],
  [1, 'fence-busy x', 'fence-busy', /another change/],
])('%i %j falls back', (rc, text, kind, observed) => {
  expect(refusalOf('x', refused(rc, text))).toMatchObject({ kind, observed: expect.stringMatching(observed) })
})

test('what was done was not refused', () => {
  expect(refusalOf('x', refused(0, 'usage x'))).toBeNull()
})

test('a status without a section is a refusal too', () => {
  expect(refusalOf('x', { ...refused(124, ''), sections: [] })).toMatchObject({ kind: 'deadline' })
})

test('a long refusal is cut', () => {
  expect(refusalOf('x', refused(76, `fence-stale ${'word '.repeat(50_000)}`))?.observed.length).toBeLessThan(500)
})
