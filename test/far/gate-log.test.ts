import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { refusal, tried } from './gate-unit.ts'
import type { GateWorld, Shell } from './gate-world.ts'
import { ask, gateWorld, newOp, skips } from './gate-world.ts'

const each = describe.skipIf(tried.some(({ reason }) => skips(reason))).each(tried)

const packed = (text: string) => Buffer.from(text).toString('base64url')

const ENTRIES = Array.from({ length: 100 }, (_, at) => `line ${at} $(id) \\n "ü" \x1b[31m`)

each('a log file, under $name', ({ reason, shell }) => {
  test('its last lines, and from where on they are', async () => {
    const all = `${ENTRIES.join('\n')}\n`
    const { world, id } = await withLog(reason, all)
    const size = Buffer.byteLength(all)
    const tail = `${ENTRIES.slice(-3).join('\n')}\n`
    expect(await read(world, shell, 'lines 3')).toEqual([`${id} ${size} ${size - Buffer.byteLength(tail)}\n`, tail])
    expect(await read(world, shell, 'lines 5000')).toEqual([`${id} ${size} 0\n`, all])
  })

  test('what came since an offset, and all of it once it was begun anew', async () => {
    const { world, file, id } = await withLog(reason, 'one\n')
    await appendFile(file, 'two\nthr')
    expect(await read(world, shell, 'lines 10 offset 4')).toEqual([`${id} 11 4\n`, 'two\nthr'])
    expect(await read(world, shell, 'lines 10 offset 11')).toEqual([`${id} 11 11\n`, ''])
    expect(await read(world, shell, 'lines 10 offset 12')).toEqual([`${id} 11 0\n`, 'one\ntwo\nthr'])
    await rename(file, `${file}.1`)
    await writeFile(file, 'new\n')
    const [facts] = await read(world, shell, 'lines 10 offset 11')
    expect(facts).not.toContain(id)
  })

  test('lines with a fixed text, which is no pattern', async () => {
    const { world } = await withLog(reason, `${ENTRIES.join('\n')}\na.c\nabc\n-e x\n`)
    expect((await read(world, shell, `lines 9 grep ${packed('a.c')}`))[1]).toBe('a.c\n')
    expect((await read(world, shell, `lines 9 grep ${packed('-e x')}`))[1]).toBe('-e x\n')
    expect((await read(world, shell, `lines 2 grep ${packed('$(id) \\n "ü"')}`))[1]).toBe(
      `${ENTRIES.slice(-2).join('\n')}\n`,
    )
    expect((await read(world, shell, `lines 2 offset 0 grep ${packed('line 1')}`))[1]).toBe(
      `${ENTRIES[1]}\n${ENTRIES[10]}\n`,
    )
    for (const text of ['\n', 'a\nb', '']) {
      expect((await ask(world, shell, 'log', `main lines 9 grep ${packed(text) || 'AA'}`)).rc).toBe(64)
    }
  })
})

each('a log file at its limits, under $name', ({ reason, shell }) => {
  test('of 300 KB the end, but after an offset the beginning', async () => {
    const { world } = await withLog(reason, `${'x'.repeat(99)}\n`.repeat(3000))
    const [facts, end] = await read(world, shell, 'lines 5000')
    expect([facts?.split(' ').slice(1), end?.length]).toEqual([['300000', `${300_000 - 262_144}\n`], 262_144])
    const [, beginning] = await read(world, shell, 'lines 5000 offset 7')
    expect(beginning?.length).toBe(262_145)
  })

  test('not there, and words of the journal', async () => {
    const { world, file } = await withLog(reason, '')
    for (const words of ['since 1', `invocation ${newOp()}`, `after ${newOp()}.1.${newOp()}.1.1.1`]) {
      expect((await ask(world, shell, 'log', `main lines 1 ${words}`)).rc).toBe(64)
    }
    await rename(file, `${file}.1`)
    const answer = await ask(world, shell, 'log', 'main lines 1')
    expect([answer.rc, refusal(answer)]).toEqual([66, `not-there ${file}\n`])
  })

  test('followed: each line comes as it is written, and it ends by itself', async () => {
    const { world, file } = await withLog(reason, 'before\n')
    const op = newOp()
    const [program, ...args] = shell.command
    const child = spawn(program, [...args, world.gate], {
      env: { SSH_ORIGINAL_COMMAND: `follow ${op} main seconds 3` },
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    let text = ''
    const heard = async (part: string) => {
      while (!text.includes(part)) text += String((await once(child.stdout, 'data'))[0])
    }
    const ended = once(child, 'close')
    await heard('section log\n')
    // tail says nothing when it is ready, so lines come until one is heard
    const writing = setInterval(() => void appendFile(file, 'hello\n'), 50)
    await heard('hello\n')
    clearInterval(writing)
    expect(child.exitCode).toBeNull()
    child.stdout.on('data', (chunk) => {
      text += String(chunk)
    })
    expect((await ended)[0]).toBe(0)
    expect(text).not.toContain('before')
    expect(text.endsWith(`\nGATE ${op} close 0\n\nGATE ${op} end 0\n`)).toBe(true)
  })
})

const entry = (at: number) => JSON.stringify({ MESSAGE: `step ${at}`, __CURSOR: `s=${at}` })
const entries = (count: number) =>
  `i=0; while [ $i -lt ${count} ]; do echo '{"MESSAGE":"step '$i'","__CURSOR":"s='$i'"}'; i=$((i + 1)); done`

each('the journal, under $name', ({ reason, shell }) => {
  test('asked in exactly these words', async () => {
    const world = await gateWorld({ reason })
    const [run, boot] = [newOp(), newOp()]
    const common = '--no-pager -o json --output-fields=MESSAGE,PRIORITY,_PID,_SYSTEMD_INVOCATION_ID -u sglang.service'
    const rows = [
      ['log', 'lines 20', `-n 20 ${common}`],
      ['log', 'lines 20 since 1700000000', `-n 20 --since=@1700000000 ${common}`],
      ['log', `lines 5 invocation ${run}`, `-n 5 ${common} _SYSTEMD_INVOCATION_ID=${run} + INVOCATION_ID=${run}`],
      [
        'log',
        `lines 5 after ${run}.1f.${boot}.2a.3b.4c`,
        `-n 5 ${common} --after-cursor=s=${run};i=1f;b=${boot};m=2a;t=3b;x=4c`,
      ],
      ['log', `lines 5 grep ${packed('x')}`, `-n 50000 ${common}`],
      ['follow', 'seconds 1', `-f -n 0 ${common}`],
      [
        'follow',
        `seconds 1 after ${run}.1f.${boot}.2a.3b.4c`,
        `-f --no-tail ${common} --after-cursor=s=${run};i=1f;b=${boot};m=2a;t=3b;x=4c`,
      ],
    ] as const
    for (const [verb, words] of rows) expect((await ask(world, shell, verb, `main ${words}`)).rc).toBe(0)
    expect(await world.calls()).toEqual(rows.map(([, , call]) => `journalctl ${call}`))
    expect((await ask(world, shell, 'log', 'main lines 5 offset 0')).rc).toBe(64)
  })

  test('sifted on the host: the last that fit, and what journalctl itself says', async () => {
    const world = await gateWorld({ reason })
    await world.tool('journalctl', `echo 'Hint: you see no other logs.' >&2\n${entries(50)}`)
    const { sections } = await ask(world, shell, 'log', `main lines 3 grep ${packed('step 4')}`)
    expect(sections['log']?.text).toBe([47, 48, 49].map((at) => `${entry(at)}\n`).join(''))
    const all = await ask(world, shell, 'log', `main lines 30 grep ${packed('ep 49')}`)
    expect(all.sections['log']?.text).toBe(`Hint: you see no other logs.\n${entry(49)}\n`)
  })

  test('after a cursor the first that fit', async () => {
    const world = await gateWorld({ reason })
    await world.tool('journalctl', entries(50))
    const after = `after ${newOp()}.1.${newOp()}.2.3.4`
    const { sections } = await ask(world, shell, 'log', `main lines 2 ${after} grep ${packed('step 4')}`)
    expect(sections['log']?.text).toBe(`${entry(4)}\n${entry(40)}\n`)
    await world.tool('journalctl', `echo 'Hint: you see no other logs.' >&2\n${entries(50)}`)
    const first = await ask(world, shell, 'log', `main lines 1 ${after} grep ${packed('step 4')}`)
    expect(first.sections['log']?.text).toBe(`Hint: you see no other logs.\n${entry(4)}\n`)
  })

  test('its failure is told', async () => {
    const world = await gateWorld({ reason })
    await world.tool('journalctl', 'echo "No journal files were opened due to insufficient permissions." >&2; exit 1')
    const { sections, rc } = await ask(world, shell, 'log', 'main lines 3')
    expect([rc, sections['log']]).toEqual([
      0,
      { rc: 1, text: 'No journal files were opened due to insufficient permissions.\n' },
    ])
  })
})

const bytes = (text: string) => [...Buffer.from(text)]

/** A message, what is looked for, and whether it stands in the message. */
const MESSAGES: readonly (readonly [message: unknown, sought: string, found: boolean])[] = [
  ['status 500', '500', true],
  ['status 200', '500', false],
  ['status 200', '5001', false],
  ['status 200', '1767225005', false],
  ['status 200', 'MESSAGE', false],
  ['status 200', '_PID', false],
  ['MESSAGE', 'MESSAGE', true],
  ['say "500" now', '500', true],
  ['say ","MESSAGE":"x', 'x', true],
  ['a \\', '500', false],
  ['a \\"', '500', false],
  ['first\nlast', 'nlast', false],
  ['first\nlast', 'last', true],
  ['red\u001b[31m', '001b', false],
  ['[500', '[500', true],
  ['Größe', 'öß', true],
  [bytes('\u001b[1mstatus 500'), 'status 500', true],
  [bytes('\u001b[1mGröße'), 'öß', true],
  [bytes('\u001b[1mstatus 200'), '50', false],
  [['one', 'two'], 'one', true],
  [['one', 'two'], 'two', false],
  [[bytes('one'), bytes('two')], 'one', true],
  [[bytes('one'), bytes('two')], 'two', false],
  [null, 'null', false],
  [null, '500', false],
  [[], '500', false],
]

each('the sieve of the journal, under $name', ({ reason, shell }) => {
  test.each(MESSAGES)('its message alone is sifted: of %j, for %j', async (message, sought, found) => {
    const world = await gateWorld({ reason })
    if (shell.name === 'busybox ash') await world.tool('awk', 'exec /usr/bin/busybox awk "$@"')
    await writeFile(join(world.folder, 'journal'), `${jsonOf(message)}\n${jsonOf(message).replace(/":/g, '" : ')}\n`)
    await world.tool('journalctl', `exec cat ${world.folder}/journal`)
    const { sections } = await ask(world, shell, 'log', `main lines 9 grep ${packed(sought)}`)
    expect(sections['log']?.text?.split('\n').length).toBe(found ? 3 : 1)
  })
})

/** An entry in which many a text stands beside its message. */
function jsonOf(message: unknown): string {
  return JSON.stringify({
    _PID: '4242',
    __CURSOR: 's=abc;i=5001;b=def;m=2a;t=3b;x=4c',
    MESSAGE: message,
    __REALTIME_TIMESTAMP: '1767225005000000',
    _BOOT_ID: '500e',
  })
}

async function withLog(reason: string | null, text: string): Promise<{ world: GateWorld; file: string; id: string }> {
  const units = (folder: string) => `main sglang.service log=${folder}/app.log\n`
  const world = await gateWorld({ reason })
  const file = join(world.folder, 'app.log')
  await writeFile(file, text)
  await writeFile(join(world.folder, 'etc/units'), units(world.folder))
  const { dev, ino } = await stat(file)
  return { world, file, id: `${dev}:${ino}` }
}

async function read(world: GateWorld, shell: Shell, words: string): Promise<readonly (string | undefined)[]> {
  const { sections } = await ask(world, shell, 'log', `main ${words}`)
  const text = sections['log']?.text
  return [sections['file']?.text, text === undefined ? text : Buffer.from(text, 'latin1').toString()]
}
