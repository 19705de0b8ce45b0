import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { ACTIVE, act, NOBODY, refusal, shows, tried, unitWorld } from './gate-unit.ts'
import { ask, newOp, run, skips } from './gate-world.ts'

const each = describe.skipIf(tried.some(({ reason }) => skips(reason))).each(tried)

const STRAYS = 'main sglang.service strays=nobody\n'

each('kill a stray, under $name', ({ reason, shell }) => {
  test('a stray of the account that the list names, and only as it was seen', async () => {
    const world = await unitWorld(reason, STRAYS)
    const stray = await sleeper(NOBODY)
    const { pid, start } = await facts(stray)
    const rows = [
      [`${pid} ${start + 1} nobody TERM`, 76, /^fence-stale start: /],
      [`${pid} ${start} root TERM`, 76, /^fence-stale owner: process \d+ belongs to nobody now/],
      [`4194304 ${start} nobody TERM`, 66, /^not-there process 4194304/],
    ] as const
    for (const [words, rc, said] of rows) {
      const answer = await ask(world, shell, 'kill', `main 0.active-${'a1'.repeat(16)} ${words}`)
      expect([answer.rc, refusal(answer)]).toEqual([rc, expect.stringMatching(said)])
    }
    expect(existsSync(`/proc/${pid}`)).toBe(true)
    const gone = once(stray, 'exit')
    const killed = await ask(world, shell, 'kill', `main 0.stopped ${pid} ${start} nobody TERM`)
    expect([killed.rc, act(killed)]).toEqual([0, expect.objectContaining({ state: 'done', rc: '0', generation: '1' })])
    expect((await gone)[1]).toBe('SIGTERM')
  })

  test('not what is neither of the unit nor a stray', async () => {
    const world = await unitWorld(reason)
    const other = await sleeper(NOBODY)
    const { pid, start } = await facts(other)
    const answer = await ask(world, shell, 'kill', `main 0.stopped ${pid} ${start} nobody KILL`)
    expect([answer.rc, refusal(answer)]).toEqual([
      77,
      `permission process ${pid} is not of sglang.service, nor of its strays\n`,
    ])
    await shows(world, { ...ACTIVE, group: '/' })
    expect((await ask(world, shell, 'kill', `main 0.stopped ${pid} ${start} nobody KILL`)).rc).toBe(77)
    await shows(world, { ...ACTIVE, group: '' })
    expect((await ask(world, shell, 'kill', `main 0.stopped ${pid} ${start} nobody KILL`)).rc).toBe(77)
    expect(existsSync(`/proc/${pid}`)).toBe(true)
  })

  test('root is nobody whose processes are strays, and 1 is no pid that may be named', async () => {
    const world = await unitWorld(reason, 'main sglang.service strays=root\n')
    const own = await sleeper(0)
    const { pid, start } = await facts(own)
    expect((await ask(world, shell, 'kill', `main 0.stopped ${pid} ${start} root KILL`)).rc).toBe(77)
    for (const word of ['0', '1', '-1', '4194305']) {
      expect((await world.installed(shell, `kill ${newOp()} main 0.stopped ${word} 1 root KILL`)).code).toBe(
        word === '-1' ? 126 : 64,
      )
    }
  })
})

each('kill what is of the unit, under $name', ({ reason, shell }) => {
  test('what is in the group of the unit, but never what carries the call', async () => {
    const world = await unitWorld(reason)
    const { group, inside } = await ownGroup()
    await shows(world, { ...ACTIVE, group })
    const own = await sleeper(0)
    await inside(own.pid)
    const { pid, start } = await facts(own)
    const gone = once(own, 'exit')
    expect((await ask(world, shell, 'tree', 'main')).sections['processes']?.text).toMatch(new RegExp(`^${pid} .*\n$`))
    expect((await ask(world, shell, 'kill', `main 0.stopped ${pid} ${start} root KILL`)).rc).toBe(0)
    expect((await gone)[1]).toBe('SIGKILL')
    // a shell in the group asks the gate for its own end
    const words = '$$ $(cut -d " " -f 22 /proc/$$/stat) root KILL'
    const script = `echo $$; read -r x; SSH_ORIGINAL_COMMAND="kill ${newOp()} main 1.stopped ${words}" ${shell.command.join(' ')} ${world.gate}; echo "alive $?"`
    const caller = spawn('/bin/sh', ['-c', script])
    const [first] = await once(caller.stdout, 'data')
    await inside(Number(first))
    caller.stdin.end('\n')
    let text = ''
    for await (const chunk of caller.stdout) text += String(chunk)
    expect(text).toMatch(/permission process \d+ carries this very call\n/)
    expect(text).toMatch(/alive 77\n$/)
  })
})

each('the part for root, under $name', ({ reason, shell: { command } }) => {
  test('checks everything again', async () => {
    const world = await unitWorld(reason, STRAYS)
    const stray = await sleeper(NOBODY)
    const { pid, start } = await facts(stray)
    const [file, ...args] = command
    const part = (input: string, word = 'kill') => run(file, [...args, world.gate, 'as-root', word], {}, input)
    const rows = [
      ['', 64],
      ['main', 64],
      [`main ${pid} ${start} nobody HUP\n`, 64],
      [`main ${pid} ${start} nobody KILL more\n`, 64],
      [`main ${pid} ${start} nobody KILL; id\n`, 126],
      [`main ${pid} ${start} $(id) KILL\n`, 126],
      [`other ${pid} ${start} nobody KILL\n`, 67],
      [`main ${pid} ${start + 1} nobody KILL\n`, 76],
      [`main ${process.pid} ${(await facts(process)).start} root KILL\n`, 77],
    ] as const
    for (const [input, rc] of rows) expect({ input, rc: (await part(input)).code }).toEqual({ input, rc })
    expect((await part(`main none\n`, 'shell')).code).toBe(64)
    expect((await part(`main ../x\n`, 'variant')).code).toBe(126)
    expect((await part(`main .x\n`, 'variant')).code).toBe(64)
    expect((await part(`main fast\n`, 'variant')).code).toBe(66)
    expect(existsSync(`/proc/${pid}`)).toBe(true)
    const gone = once(stray, 'exit')
    expect(await part(`main ${pid} ${start} nobody KILL\n`)).toEqual({ code: 0, stdout: '', stderr: '' })
    expect((await gone)[1]).toBe('SIGKILL')
    // the records belong to the account
    expect(await readdir(join(world.folder, 'state'))).toEqual([])
  })
})

async function sleeper(uid: number): Promise<ChildProcess> {
  const child = spawn('/usr/bin/sleep', ['60'], { uid, stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child, 'spawn')
  return child
}

async function facts({ pid = 0 }: { readonly pid?: number | undefined }): Promise<{ pid: number; start: number }> {
  const words = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ').at(-1)?.split(' ') ?? []
  return { pid, start: Number(words[19]) }
}

/** A control group of this test's own, with the path that /proc gives it. */
async function ownGroup(): Promise<{ group: string; inside: (pid: number | undefined) => Promise<void> }> {
  const base = ['/sys/fs/cgroup/unified', '/sys/fs/cgroup'].find((place) => existsSync(`${place}/cgroup.procs`)) ?? ''
  const name = `pilotflame-gate-${newOp().slice(0, 8)}`
  await mkdir(`${base}/${name}`)
  onTestFinished(() =>
    vi
      .waitUntil(
        () =>
          rmdir(`${base}/${name}`).then(
            () => true,
            () => false,
          ),
        { timeout: 5000 },
      )
      .then(() => {}),
  )
  return { group: `/${name}`, inside: (pid) => writeFile(`${base}/${name}/cgroup.procs`, String(pid)) }
}
