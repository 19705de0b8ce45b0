import { expect, test } from 'vitest'
import { accessCode, codeCheck, tellAccessCode } from '../../src/app/access-code.ts'
import { CODE_LETTERS } from '../../src/domain/access-code.ts'
import { folder, SMALL } from '../config/folder.ts'

const KEY = { botToken: 'xoxb-1', appToken: 'xapp-1' }

test('a code is ten letters of Crockford’s base32, and the same for a minute', () => {
  const code = accessCode(KEY, 60_000)
  expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{10}$/)
  expect(accessCode(KEY, 119_999)).toBe(code)
  expect(accessCode(KEY, 120_000)).not.toBe(code)
})

test('other tokens make other codes, also where only their border differs', () => {
  const others = [
    { ...KEY, botToken: 'xoxb-2' },
    { ...KEY, appToken: 'xapp-2' },
    { botToken: 'xoxb-1\nx', appToken: 'app-1' },
  ]
  const codes = new Set([KEY, ...others].map((key) => accessCode(key, 0)))
  expect(codes.size).toBe(4)
})

test('each of the 32 letters comes as often as chance has it, and no code comes twice in 20,000 minutes', () => {
  const codes = Array.from({ length: 20_000 }, (_, at) => accessCode(KEY, at * 60_000))
  expect(new Set(codes).size).toBe(20_000)
  const counts = [...CODE_LETTERS].map((letter) => codes.join('').split(letter).length - 1)
  console.log(`letters in 200,000: ${Math.min(...counts)} to ${Math.max(...counts)}, 6,250 by chance`)
  expect(Math.min(...counts)).toBeGreaterThan(5_850)
  expect(Math.max(...counts)).toBeLessThan(6_650)
})

test.each(['', '0', 'x'.repeat(10_000), '👩‍🚀👩‍🚀👩‍🚀👩‍🚀👩‍🚀', '----------'])('%j is wrong, and no bug', (given) => {
  expect(codeCheck(KEY, { now: () => 0 })(given)).toBe('wrong')
})

const TOKENS = { SLACK_BOT_TOKEN: 'xoxb-1-a', SLACK_APP_TOKEN: 'xapp-1-a' }

test.each([
  ['the line to type', SMALL, TOKENS, 0, /^\/pilotflame access claim [0-9A-Z]{5}-[0-9A-Z]{5}$/],
  ['it with the prefix', SMALL, { ...TOKENS, COMMAND_PREFIX: 'acme-' }, 0, /^\/acme-pilotflame access claim /],
  ['where the tokens are missing', SMALL, {}, 1, /No code: .*none are set here.*Next: run this where/],
  ['who is admin', `${SMALL}roles:\n  admins: [T0ABC:U0ABC]\n`, TOKENS, 1, /^T0ABC:U0ABC is admin already.*Next:/],
  ['it where only a group is', `${SMALL}roles:\n  admin_groups: [S0ABC]\n`, TOKENS, 0, /^\/pilotflame access claim /],
  ['what is wrong with the file', 'targets: 1\n', TOKENS, 1, /targets/],
])('the terminal prints %s', (_, file, env, status, words) => {
  const said = { out: '', err: '' }
  const into = (to: 'out' | 'err') => ({
    write(text: string | Uint8Array) {
      said[to] += String(text)
      return true
    },
  })
  const cwd = folder({ 'pilotflame.yml': file })
  expect(tellAccessCode([], { env, cwd, now: 0, out: into('out'), err: into('err') })).toBe(status)
  expect((status === 0 ? said.out : said.err).trim()).toMatch(words)
  expect(said.out === '').toBe(status !== 0)
})

test.each([
  ['the line', ['--json'], TOKENS, 0, { status: 'done', line: expect.stringContaining('access claim '), minutes: 10 }],
  ['why there is none', ['--json'], {}, 1, { status: 'misconfigured', title: expect.stringContaining('No code') }],
  ['a wrong use', ['--json', '--now'], TOKENS, 2, { status: 'usage', title: expect.stringContaining('"--now"') }],
])('--json prints %s as one document, and nothing beside it', (_, words, env, status, document) => {
  const said = { out: '', err: '' }
  const write = (to: 'out' | 'err') => (text: string | Uint8Array) => {
    said[to] += String(text)
    return true
  }
  const cwd = folder({ 'pilotflame.yml': SMALL })
  const [out, err] = [{ write: write('out') }, { write: write('err') }]
  expect(tellAccessCode(words, { env, cwd, now: 0, out, err })).toBe(status)
  expect(said.err).toBe('')
  expect(JSON.parse(said.out)).toMatchObject(document)
})
