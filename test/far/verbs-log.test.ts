import { expect, vi } from 'vitest'
import { follow, log, unit } from '../../src/domain/verbs/index.ts'
import type { LogArgs, LogReading } from '../../src/domain/verbs/log.ts'
import { failureIn, never, valueIn } from '../adapters/tidy.ts'
import type { BothWays } from './both-ways.ts'
import { DELIVERIES } from './both-ways.ts'
import { LOG_FILE, look, show, talk, test } from './furnished.ts'
import { GATE_SCRIPT, newOp } from './verbs-over.ts'

const texts = ({ lines }: LogReading) => lines.map(({ text }) => text)

async function read(ways: BothWays, args: Partial<LogArgs>): Promise<LogReading> {
  return valueIn(await ways.same(log, { unit: 'talker', lines: 100, ...args }))
}

/** Reads until a line is there: the journal takes it a moment after it was written. */
function until(ways: BothWays, line: string): Promise<LogReading> {
  return vi.waitFor(async () => {
    const reading = await read(ways, {})
    expect(texts(reading)).toContain(line)
    return reading
  }, 8000)
}

test('the lines of one start, and of the one before', async ({ ways, box }) => {
  const started = async (text: string) => {
    await talk(box, `${text}\n`)
    await until(ways, text)
    return show(box, 'talker', 'InvocationID')
  }
  const first = await started('out of memory in the first start')
  await look(box, 'systemctl restart talker')
  const second = await started('all well in the second start')
  const told = async (invocation: string) => texts(await read(ways, { invocation })).join('\n')
  expect(await told(first)).toContain('out of memory in the first start')
  expect(await told(first)).toMatch(/Started talker/)
  expect(await told(first)).not.toContain('second start')
  expect(await told(second)).toContain('all well in the second start')
  expect(await told(second)).not.toContain('first start')
  expect(texts(await read(ways, { invocation: 'a'.repeat(32) }))).toEqual([])
  const independent = await look(box, `journalctl -o cat _SYSTEMD_INVOCATION_ID=${second}`)
  expect(texts(await read(ways, { invocation: second }))).toEqual(expect.arrayContaining(independent.split('\n')))
})

test('since a moment, after a line, the last ones', async ({ ways, box }) => {
  for (const text of ['one', 'two', 'three']) await talk(box, `${text}\n`)
  const { lines } = await until(ways, 'three')
  const two = lines.find(({ text }) => text === 'two')
  expect(texts(await read(ways, { after: two?.cursor ?? '' }))).toEqual(['three'])
  expect(texts(await read(ways, { lines: 2 }))).toEqual(['two', 'three'])
  expect(texts(await read(ways, { lines: 1, after: lines.at(-3)?.cursor ?? '' }))).toEqual(['two'])
  const now = Number(await look(box, 'date +%s'))
  expect(texts(await read(ways, { since: now + 60 }))).toEqual([])
  expect(texts(await read(ways, { since: now - 3600 }))).toContain('one')
  expect(two).toMatchObject({ priority: 6, invocation: await show(box, 'talker', 'InvocationID') })
})

test.for([
  'he said "no" and "maybe"',
  'grüße aus Köln, 100 %',
  '$(touch /tmp/from-a-log-line) `touch /tmp/from-a-log-line`',
  String.raw`C:\models\x "${'\\'}n"`,
  "it's 'quoted'",
  '.* [a-z] ^$',
])('a text that is looked for is only a text: %s', async (text, { ways, box }) => {
  await talk(box, `before ${text} after\nanother line\n`)
  await until(ways, `before ${text} after`)
  expect(texts(await read(ways, { grep: text }))).toEqual([`before ${text} after`])
  expect(texts(await read(ways, { grep: `${text}?` }))).toEqual([])
  await box.disk.write(LOG_FILE, `x\nbefore ${text} after\ny\n`)
  expect(texts(await read(ways, { unit: 'filed', grep: text }))).toEqual([`before ${text} after`])
  expect(await box.exec('ls /tmp/from-a-log-line')).not.toMatchObject({ rc: 0 })
})

test('colours and bytes that are no text', async ({ ways, box }) => {
  await box.exec(String.raw`printf '\033[31mred\033[0m alert\nbin \377\376\001 end\n' >/run/talker`)
  const [red, binary] = ['\u001B[31mred\u001B[0m alert', 'bin \uFFFD\uFFFD\u0001 end']
  await until(ways, binary)
  expect(texts(await read(ways, { lines: 2 }))).toEqual([red, binary])
  for (const grep of ['red\u001B[0m alert', 'alert', '[31mred'])
    expect(texts(await read(ways, { grep }))).toEqual([red])
  // however many lines with colours came since
  await box.exec(String.raw`yes "$(printf '\033[32mgreen\033[0m')" | head -n 300 >/run/talker`)
  await vi.waitFor(async () => expect(texts(await read(ways, { lines: 1 }))[0]).toContain('green'), 8000)
  expect(texts(await read(ways, { grep: 'alert' }))).toEqual([red])
})

test('a log file: its end, what came since, and that it was rotated', async ({ ways, box }) => {
  await box.disk.write(LOG_FILE, '')
  await box.exec(String.raw`printf 'one\n\033[1mtwo\033[0m\n\nb\377d\nhalf' >${LOG_FILE}`)
  const filed = (args: Partial<LogArgs>) => read(ways, { unit: 'filed', ...args })
  const first = await filed({})
  expect(texts(first)).toEqual(['one', '\u001B[1mtwo\u001B[0m', '', 'b\uFFFDd', 'half'])
  expect(first.file).toEqual({ id: await look(box, `stat -c %d:%i ${LOG_FILE}`), size: 25, next: 21 })
  expect(texts(await filed({ lines: 1 }))).toEqual(['half'])
  await box.exec(`printf ' and whole\\nlast\\n' >>${LOG_FILE}`)
  const second = await filed({ offset: first.file?.next ?? 0 })
  expect(texts(second)).toEqual(['half and whole', 'last'])
  expect(texts(await filed({ offset: second.file?.next ?? 0 }))).toEqual([])
  await box.exec(`mv ${LOG_FILE} ${LOG_FILE}.1; printf 'new\\n' >${LOG_FILE}; chmod 644 ${LOG_FILE}`)
  const rotated = await filed({ offset: second.file?.next ?? 0 })
  expect(texts(rotated)).toEqual(['new'])
  expect(rotated.file?.id).not.toBe(first.file?.id)
})

test('a log file comes byte by byte as it is, by both deliveries', async ({ ways, box }) => {
  const op = newOp()
  await box.exec(`head -c 30000 /dev/urandom >${LOG_FILE}; chmod 644 ${LOG_FILE}`)
  const answers = DELIVERIES.map((delivery) => bytesOf(ways, delivery, `/bin/sh -s -- log ${op} filed lines 5000`))
  const [installed, quick] = await Promise.all(answers)
  expect(installed?.toString('latin1').replace('begin 1 installed', 'begin 1 quick')).toBe(quick?.toString('latin1'))
  const whole = Buffer.from(await look(box, `base64 -w 0 ${LOG_FILE}`), 'base64')
  expect(quick?.indexOf(whole)).toBeGreaterThan(0)
})

async function bytesOf(ways: BothWays, host: string, line: string): Promise<Buffer> {
  const connection = valueIn(await ways.pool.connect(host, never))
  const pieces: Buffer[] = []
  const onOutput = (piece: Buffer) => pieces.push(Buffer.from(piece))
  const stdin = host === 'quick' ? GATE_SCRIPT : ''
  const executed = await connection.exec({ line, stdin, deadlineMs: 10_000, onOutput }, never).executed
  expect(valueIn(executed).run.end).toEqual({ how: 'exited', code: 0 })
  return Buffer.concat(pieces)
}

test.for([
  ['filed', { since: 1 }, 'filed has a log file'],
  ['talker', { offset: 1 }, 'talker has the journal'],
] as const)('%s: what its log cannot do is refused', async ([alias, more, words], { ways }) => {
  const failure = failureIn(await ways.same(log, { unit: alias, lines: 10, ...more }))
  expect(failure).toMatchObject({ kind: 'gate-refused', observed: expect.stringContaining(words) })
})

test('a log file that is gone, and one that may not be read', async ({ ways, box }) => {
  await look(box, `chmod 600 ${LOG_FILE}`)
  const ask = async () => failureIn(await ways.same(log, { unit: 'filed', lines: 10 }))
  expect(await ask()).toMatchObject({ kind: 'permission', observed: expect.stringContaining(LOG_FILE) })
  await look(box, `rm ${LOG_FILE}`)
  expect(await ask()).toMatchObject({ kind: 'not-there', observed: expect.stringContaining(LOG_FILE) })
})

test.for(DELIVERIES)(
  '%s: a new line is seen within 2 s; an abort ends the program there',
  async (delivery, { ways, box }) => {
    const stop = new AbortController()
    const heard = Promise.withResolvers<number>()
    const { reply } = await ways.ask(delivery, unit, { unit: 'talker' })
    expect(reply).not.toBeNull()
    const ended = ways
      .host(delivery)
      .follow(
        follow,
        { unit: 'talker', seconds: 3 },
        ({ text }) => text === `now by ${delivery}` && heard.resolve(performance.now()),
        stop.signal,
      )
    await vi.waitFor(async () => expect(await followers(box)).toBeGreaterThan(0), 8000)
    // journalctl has started, and looks where the journal ends
    await new Promise((resolve) => setTimeout(resolve, 300))
    const said = performance.now()
    await talk(box, `now by ${delivery}\n`)
    expect((await heard.promise) - said).toBeLessThan(2000)
    stop.abort()
    expect(valueIn(await ended)).toEqual({ lines: expect.any(Number), why: 'stopped' })
    await vi.waitFor(async () => expect(await followers(box)).toBe(0), 6000)
  },
)

test('what nobody stops is over in its own time, with a log file, too', async ({ ways, box }) => {
  await box.disk.write(LOG_FILE, 'old\n')
  const lines: (string | null)[] = []
  const ended = ways.host('quick').follow(follow, { unit: 'filed', seconds: 2 }, ({ text }) => lines.push(text), never)
  await vi.waitFor(async () => expect(await followers(box)).toBeGreaterThan(0), 8000)
  await box.exec(`printf 'appended\\n' >>${LOG_FILE}`)
  expect(valueIn(await ended)).toEqual({ lines: 1, why: 'over' })
  expect(lines).toEqual(['appended'])
})

async function followers(box: Parameters<typeof look>[0]): Promise<number> {
  const { stdout } = await box.exec(
    'ps -eo user,args | awk \'$1 ~ /^pilotfl/ && ($2 == "journalctl" || $2 == "tail")\' | wc -l',
  )
  return Number(stdout)
}
