import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, copyFile, readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { hostname, uptime } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readProcess } from '../../src/domain/verbs/process-line.ts'
import { listen } from '../../src/lab/listen.ts'
import { by, NOBODY, openToAll, refusal, tried } from './gate-unit.ts'
import { answerIn, ask, gateWorld, newOp, run, skips } from './gate-world.ts'

const each = describe.skipIf(tried.some(({ reason }) => skips(reason))).each(tried)

const LARGEST = 262_145

each('the frame, under $name', ({ reason, shell }) => {
  test('both deliveries send the same, and say which they are', async () => {
    const world = await gateWorld({ reason })
    const op = newOp()
    const [installed, quick] = [await world.installed(shell, `disk ${op}`), await world.quick(shell, ['disk', op])]
    expect(installed.stdout).toBe(
      `\nGATE ${op} begin 1 installed\n\nGATE ${op} section disk\n\nGATE ${op} close 0\n\nGATE ${op} end 0\n`,
    )
    expect(quick).toEqual({ ...installed, stdout: installed.stdout.replace('installed', 'quick') })
  })

  test.each([
    ['nothing at all', ''],
    ['a shell', 'bash -i'],
    ['sftp', '/usr/lib/openssh/sftp-server'],
    ['the part that is for root', 'as-root kill'],
    ['two lines', `ping ${'0'.repeat(32)}\nid`],
    ['a capital id', `ping ${'A'.repeat(32)}`],
    ['a short id', `ping ${'a'.repeat(31)}`],
    ['an option', `ping ${'a'.repeat(32)} --help`],
    ['17 words', `ping ${'a'.repeat(32)}${' a'.repeat(15)}`],
    ['401 bytes', `ping ${'a'.repeat(32)} ${'a'.repeat(181)} ${'a'.repeat(181)}`],
  ])('refused before anything is done: %s', async (_, line) => {
    const world = await gateWorld({ reason })
    const { code, stdout, stderr } = await world.installed(shell, line)
    expect({ code, stderr, calls: await world.calls() }).toEqual({ code: 126, stderr: '', calls: [] })
    expect(stdout).toMatch(/^\nGATE - begin 1 installed\n\nGATE - refused [^\n]+\n$/)
  })

  test('400 bytes and 16 words are allowed', async () => {
    const world = await gateWorld({ reason })
    const op = newOp()
    for (const words of [`${'a '.repeat(14)}`, `${'a'.repeat(180)} ${'a'.repeat(181)}`]) {
      const line = `ping ${op} ${words}`
      expect(answerIn(await world.installed(shell, line), op).rc).toBe(64)
    }
  })
})

each('what is not done, under $name', ({ reason, shell }) => {
  test('an unknown verb, wrong words, no such unit, a missing tool', async () => {
    const world = await gateWorld({ reason })
    const rows = [
      ['reboot', '', 127, 'unknown-verb reboot\n'],
      ['gpu', 'main', 64, 'usage gpu takes other words\n'],
      ['tree', 'other', 67, 'no-such-unit other\n'],
      ['tree', 'sglang.service', 67, 'no-such-unit sglang.service\n'],
      ['process', '4194304', 66, 'not-there process 4194304\n'],
      ['opstat', newOp().slice(1), 64, 'usage opstat takes other words\n'],
    ] as const
    for (const [verb, words, rc, said] of rows) {
      const answer = await ask(world, shell, verb, words)
      expect([answer.rc, refusal(answer)]).toEqual([rc, said])
    }
    await run('/bin/rm', [join(world.folder, 'bin/nvidia-smi')], {}, null)
    expect(refusal(await ask(world, shell, 'gpu'))).toBe('tool-missing nvidia-smi\n')
  })

  test('a transfer that is cut runs nothing', async () => {
    const world = await gateWorld({ reason })
    const script = await readFile(world.gate, 'utf8')
    const [file, ...args] = shell.command
    for (const part of [0.1, 0.5, 0.9, 0.99, 0.999]) {
      const cut = script.slice(0, Math.floor((script.length - 10) * part))
      const { stdout } = await run(file, [...args, '-s', '--', 'gpu', newOp()], {}, cut)
      expect(stdout).toBe('')
    }
    expect(await world.calls()).toEqual([])
  })

  test('a list of units that others may write is not believed', async () => {
    const world = await gateWorld({ reason })
    await chmod(join(world.folder, 'etc/units'), 0o664)
    expect((await ask(world, shell, 'tree', 'main')).rc).toBe(77)
    await chmod(join(world.folder, 'etc/units'), 0o644)
    await chmod(join(world.folder, 'etc'), 0o777)
    expect((await ask(world, shell, 'tree', 'main')).rc).toBe(77)
  })
})

each('who may change the gate, under $name', ({ reason, shell }) => {
  test('an installed gate that others than root may change does nothing, and says why', async () => {
    const world = await gateWorld({ reason })
    const unsafe = `permission ${world.gate} must be root's, mode 755\n`
    for (const change of [
      ['/bin/chmod', '775'],
      ['/bin/chmod', '757'],
      ['/bin/chown', '65534'],
    ]) {
      await run('/bin/chmod', ['755', world.gate], {}, null)
      await run('/bin/chown', ['0', world.gate], {}, null)
      expect((await ask(world, shell, 'disk')).rc).toBe(0)
      await run(change[0] ?? '', [change[1] ?? '', world.gate], {}, null)
      const answer = await ask(world, shell, 'disk')
      expect([answer.rc, refusal(answer)]).toEqual([77, unsafe])
    }
    const op = newOp()
    const quick = await world.quick(shell, ['disk', op])
    expect(answerIn(quick, op).rc).toBe(0)
  })
})

each('tools and their ends, under $name', ({ reason, shell }) => {
  test("a tool's own failure is told, and is not the gate's", async () => {
    const world = await gateWorld({ reason })
    for (const rc of [0, 9, 15, 255]) {
      await world.tool('nvidia-smi', `echo 0, GPU-1\necho lost >&2\nexit ${rc}`)
      const { sections, rc: end } = await ask(world, shell, 'gpu')
      expect([end, sections['gpu']]).toEqual([0, { rc, text: '0, GPU-1\nlost\n' }])
    }
  })

  test('300 KB are cut at 256 KiB and a byte, and the end line still comes', async () => {
    const world = await gateWorld({ reason })
    await world.tool('nvidia-smi', `i=0; while [ $i -lt 3000 ]; do echo "${'x'.repeat(99)}"; i=$((i + 1)); done`)
    const { sections, rc } = await ask(world, shell, 'gpu')
    expect([rc, sections['gpu']?.text.length]).toEqual([0, LARGEST])
  })

  test.each([
    ['ends when asked', 'exec sleep 60'],
    ['must be killed', `trap '' TERM\nwhile :; do sleep 60; done`],
  ])('a tool that hangs and %s: 124', async (_, script) => {
    const edit = (text: string) => text.replaceAll('limited 20 nvidia-smi', 'limited 1 nvidia-smi')
    const world = await gateWorld({ reason, edit })
    await world.tool('nvidia-smi', `echo first\n${script}`)
    const answer = await ask(world, shell, 'gpu')
    expect([answer.rc, answer.sections['gpu'], refusal(answer)]).toEqual([
      124,
      // a shell may add that it was killed
      { rc: 124, text: expect.stringMatching(/^first\n(?:Killed\n)?$/) },
      'timeout gpu took longer than it may\n',
    ])
  })

  test.each([
    ['KILL', 137],
    ['TERM', 143],
  ])('a tool that another one ends at once by %s did not take too long: %i', async (signal, rc) => {
    const world = await gateWorld({ reason })
    await world.tool('nvidia-smi', `kill -${signal} $$`)
    const answer = await ask(world, shell, 'gpu')
    expect([answer.rc, answer.sections['gpu']?.rc]).toEqual([0, rc])
  })

  test('no tool reads what stands on standard input', async () => {
    const world = await gateWorld({ reason })
    await world.tool('nvidia-smi', 'cat')
    const op = newOp()
    const [file, ...args] = shell.command
    // more than any shell reads ahead
    const input = (await readFile(world.gate, 'utf8')) + '# left over\n'.repeat(50_000)
    const { sections } = answerIn(await run(file, [...args, '-s', '--', 'gpu', op], {}, input), op)
    expect(sections['gpu']?.text).toBe('')
  })
})

each('facts of the machine, under $name', ({ reason, shell }) => {
  test('ping', async () => {
    const world = await gateWorld({ reason })
    const { sections } = await ask(world, shell, 'ping')
    const facts = Object.fromEntries(
      (sections['ping']?.text ?? '')
        .trimEnd()
        .split('\n')
        .map((line) => line.split('=')),
    )
    expect(facts).toMatchObject({
      ...{ gate: '1', delivery: 'installed', user: 'root', uid: '0', host: hostname(), sudo: 'yes' },
      boot: (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim(),
      state: join(world.folder, 'state'),
    })
    expect(Math.abs(Number(facts['uptime']) - uptime())).toBeLessThan(60)
    expect(Math.abs(Number(facts['time']) - Date.now() / 1000)).toBeLessThan(60)
  })

  test('where changes would be recorded', async () => {
    const world = await gateWorld({ reason })
    await run('/bin/rm', ['-r', join(world.folder, 'state')], {}, null)
    expect((await ask(world, shell, 'ping')).sections['ping']?.text).toMatch(/^state=none$/m)
    const op = newOp()
    const quick = answerIn(await world.quick(shell, ['ping', op]), op)
    expect(quick.sections['ping']?.text).toContain(`\nstate=${world.folder}/state\n`)
    expect(existsSync(join(world.folder, 'state'))).toBe(false)
    await openToAll(world)
    const home = async (HOME: string) =>
      answerIn(await world.quick(by(NOBODY, shell), ['ping', op], { HOME }), op).sections['ping']?.text
    expect(await home('/tmp')).toContain('\nstate=/tmp/.local/state/pilotflame\n')
    expect(await home(world.folder)).toContain('\nstate=none\n')
  })
})

each('GPUs, under $name', ({ reason, shell }) => {
  test('gpu-processes names each process once', async () => {
    const world = await gateWorld({ reason })
    const [own, parent] = [process.pid, process.ppid]
    await world.tool(
      'nvidia-smi',
      `printf '%s\\n' 'GPU-1, ${own}, a, 1' 'GPU-2, ${own}, a, 1' 'GPU-1, ${parent}, b, 2' 'GPU-1, [N/A], c, 3'`,
    )
    const { sections } = await ask(world, shell, 'gpu-processes')
    expect(sections['apps']?.text.split('\n')).toHaveLength(5)
    expect(lines(sections['processes']?.text).map((line) => readProcess(line)?.pid)).toEqual([own, parent])
  })

  test('dmesg-gpu: of dmesg, else of the journal', async () => {
    const world = await gateWorld({ reason })
    const line = '2026-05-01T12:00:00,123456+00:00 NVRM: Xid (PCI:0000:01:00): 79, GPU has fallen off the bus.'
    await world.tool('dmesg', `echo '${line}'; echo '2026-05-01T12:00:01,000000+00:00 usb 1-1: new device'`)
    expect((await ask(world, shell, 'dmesg-gpu')).sections).toEqual({ dmesg: { rc: 0, text: `${line}\n` } })
    await world.tool('dmesg', 'echo "dmesg: read kernel buffer failed: Operation not permitted" >&2; exit 1')
    await world.tool('journalctl', `echo '${line}'`)
    expect((await ask(world, shell, 'dmesg-gpu')).sections).toEqual({ journal: { rc: 0, text: `${line}\n` } })
  })

  test('pci', async () => {
    const world = await gateWorld({ reason })
    const answer = await ask(world, shell, 'pci')
    expect(answer.rc).toBe(existsSync('/sys/bus/pci/devices') ? 0 : 66)
    expect(
      lines(answer.sections['pci']?.text).filter((line) => !/^[0-9a-f:.]+ 0x\w+ 0x\w+ 0x03\w+ \S+$/.test(line)),
    ).toEqual([])
  })
})

each('disk and listeners, under $name', ({ reason, shell }) => {
  test('disk', async () => {
    const world = await gateWorld({ reason })
    await world.tool('df', 'exec /usr/bin/df "$@"')
    expect((await ask(world, shell, 'disk')).sections['disk']?.text).toMatch(/ \d+% \/\n/)
  })

  test('listeners: all, those of one port, and whose they are', async () => {
    const world = await gateWorld({ reason })
    await world.tool('ss', 'exec /usr/bin/ss "$@"')
    const server = createServer()
    onTestFinished(() => void server.close())
    const port = await listen(server, 0)
    const one = await ask(world, shell, 'listeners', String(port))
    expect(lines(one.sections['listeners']?.text)).toEqual([expect.stringContaining(`127.0.0.1:${port} `)])
    expect(lines(one.sections['processes']?.text).map((line) => readProcess(line)?.pid)).toEqual([process.pid])
    const all = await ask(world, shell, 'listeners')
    expect(all.sections['listeners']?.text).toContain(`127.0.0.1:${port} `)
    const none = await ask(world, shell, 'listeners', '1')
    expect([none.sections['listeners']?.text, none.sections['processes']?.text]).toEqual(['', ''])
  })
})

each('process, under $name', ({ reason, shell }) => {
  test('whatever it is called, and whatever its arguments hold', async () => {
    const world = await gateWorld({ reason })
    const file = join(world.folder, 'a) S 1 (b c')
    await copyFile('/usr/bin/sleep', file)
    await chmod(file, 0o755)
    const child = spawn(file, ['60'], { argv0: 'first\nGATE - end 0', stdio: 'ignore' })
    onTestFinished(() => void child.kill('SIGKILL'))
    await once(child, 'spawn')
    const { sections } = await ask(world, shell, 'process', String(child.pid))
    const [own, parent] = lines(sections['processes']?.text).map(readProcess)
    expect(own).toMatchObject({
      ...{ pid: child.pid, ppid: process.pid, owner: 'root', state: 'S', comm: 'a) S 1 (b c' },
      argv: ['first\nGATE - end 0', '60'],
    })
    expect(own?.start).toBe(
      Number((await readFile(`/proc/${child.pid}/stat`, 'utf8')).split(') ').at(-1)?.split(' ')[19]),
    )
    expect(own?.rssKiB).toBeGreaterThan(100)
    expect(own?.cgroup).toMatch(/^\//)
    expect(parent?.pid).toBe(process.pid)
    expect(parent?.argv[0]).toMatch(/node/)
  })
})

function lines(text: string | undefined): readonly string[] {
  return (text ?? '').split('\n').filter((line) => line !== '')
}
