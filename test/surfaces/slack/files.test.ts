import { expect, test } from 'vitest'
import type { SlackOptions } from '../../../src/surfaces/slack/index.ts'
import { serve } from '../../adapters/http-server.ts'
import { closeLater } from '../../adapters/tidy.ts'
import { openHouse } from '../../commands/house.ts'
import type { Bot } from './harness.ts'
import { startBot } from './harness.ts'

const LOG = [
  '[2026-05-01 10:00:01 TP0] Init torch distributed begin.',
  '[2026-05-01 10:00:02 TP0] Load weight begin. avail mem=23.10 GB',
  'RuntimeError: Not enough memory. Please try to increase --mem-fraction-static.',
].join('\n')
const upload = (name: string, text: string | Buffer, type = 'text/plain') => [{ name, bytes: Buffer.from(text), type }]

/** The whole house behind the surface. */
async function bot(other: Partial<SlackOptions> = {}, lacking: readonly string[] = []): Promise<Bot> {
  const { house } = await openHouse()
  return startBot((ask, talk) => house.handle(ask, talk), other, lacking)
}

/** All that the bot said in the thread of a message, once it says `sign`. */
async function said({ slack }: Bot, thread: string, sign: RegExp): Promise<string> {
  const texts = (): string =>
    JSON.stringify(
      slack
        .messages()
        .filter(({ ts }) => ts === thread)
        .map(({ replies }) => replies),
    )
  return slack.until(() => (sign.test(texts()) ? texts() : null))
}

const FOUND = /Diagnosis: mem\./

test('a log behind the word, in a code block with entities, is explained in its thread', async () => {
  await using one = await bot()
  const { ts } = one.slack.mention(`explain \`\`\`\n${LOG}\n<module> & more\n\`\`\``)
  expect(await said(one, ts, FOUND)).toContain('Not enough memory')
})

test('an uploaded log is read where files are wanted, with the token and from Slack’s own address', async () => {
  await using one = await bot({ readFiles: true })
  const { ts } = one.slack.mention('explain', { files: upload('server.log', LOG) })
  expect(await said(one, ts, FOUND)).toContain('server.log')
  expect(one.slack.calls().filter(({ method }) => method === 'files.info')).toHaveLength(1)
})

test('where they are not wanted, no call is made, and both ways out are named', async () => {
  await using one = await bot()
  const { ts } = one.slack.mention('explain', { files: upload('server.log', LOG) })
  const text = await said(one, ts, /uploaded files are not read here/)
  expect(text).toContain('paste its text; or set slack.read_files: true')
  expect(text).toContain('Add an OAuth Scope: files:read')
  expect(one.slack.calls().some(({ method }) => method.startsWith('files.'))).toBe(false)
})

test('where the token lacks the scope, the click that adds it is named', async () => {
  await using one = await bot({ readFiles: true }, ['files:read'])
  const { ts } = one.slack.mention('explain', { files: upload('server.log', LOG) })
  const text = await said(one, ts, /the scope files:read is missing/)
  expect(text).toContain('Add an OAuth Scope: files:read')
})

test.each([
  ['one byte more than 1 MB', 'big.log', 'x'.repeat(1_048_577), 'text/plain', /it has more than 1\.0 MB.*tail -n 5000/],
  ['a picture', 'screen.png', 'PNG', 'image/png', /it is no text \(image\/png\).*a picture cannot be read/],
  ['zero bytes in it', 'core.bin', 'ELF\u0000\u0000', 'application/octet-stream', /it holds zero bytes/],
  ['empty', 'empty.log', ' \n', 'text/plain', /it is empty/],
])('a file that cannot be read is named: %s', async (_, name, text, type, says) => {
  await using one = await bot({ readFiles: true })
  const { ts } = one.slack.mention('explain', { files: upload(name, text, type) })
  expect(await said(one, ts, says)).toContain(name)
})

test('the token goes to Slack alone: another address is not asked', async () => {
  const asked: string[] = []
  const other = await serve(({ url = '' }, answer) => {
    asked.push(url)
    answer.end(LOG)
  })
  closeLater(other)
  await using one = await bot({ readFiles: true })
  const [file] = upload('server.log', LOG)
  const { ts } = one.slack.mention('explain', {
    files: file === undefined ? [] : [{ ...file, address: `${other.url}/server.log` }],
  })
  await said(one, ts, /Slack gave no address of its own for it/)
  expect(asked).toEqual([])
})

test('a log of 1 MB is read, and so is one in UTF-16 as PowerShell writes it', async () => {
  await using one = await bot({ readFiles: true })
  const padded = `${'ordinary line\n'.repeat(74_000)}${LOG}`
  const whole = one.slack.mention('explain', { files: upload('whole.log', padded.slice(-1_048_576)) })
  await said(one, whole.ts, FOUND)
  const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(LOG, 'utf16le')])
  const other = one.slack.mention('explain', { files: upload('wide.log', wide) })
  await said(one, other.ts, FOUND)
})

test('said under a file or a pasted text, it means what stands above it in the thread', async () => {
  await using one = await bot({ readFiles: true })
  const first = one.slack.mention('whoami', { files: upload('server.log', LOG) })
  one.slack.mention('explain this', { thread: first.ts })
  expect(await said(one, first.ts, FOUND)).toContain('server.log')
  const second = one.slack.mention('whoami')
  one.slack.reply(`${LOG}\n<module> & more`, { thread: second.ts })
  one.slack.mention('explain', { thread: second.ts })
  expect(await said(one, second.ts, FOUND)).toContain('a pasted text')
})

test('mentions only: the thread is not read, and it says where to put the text', async () => {
  await using one = await bot({ mentionsOnly: true })
  const first = one.slack.mention('whoami')
  one.slack.mention('explain', { thread: first.ts })
  await said(one, first.ts, /slack\.mentions_only is set.*put the text, or the file, into the message/)
  expect(one.slack.calls().some(({ method }) => method === 'conversations.replies')).toBe(false)
})
