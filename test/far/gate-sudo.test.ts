import { describe, expect, test } from 'vitest'
import type { Machine } from './gate-machine.ts'
import { KEY, noMachine, openMachine, setup } from './gate-machine.ts'
import { skips } from './gate-world.ts'

const USER = 'pilotflame-test'
const GATE = '/usr/local/sbin/pilotflame-gate'
const CTL = '/usr/bin/systemctl'

/** Exactly these pass. */
const ALLOWED = [
  `${CTL} --no-block start sglang.service`,
  `${CTL} --no-block stop sglang.service`,
  `${CTL} --no-block restart sglang.service`,
  `${CTL} reset-failed sglang.service`,
  `${CTL} --no-block start vllm@0:1.service`,
  `${CTL} --no-block stop vllm@0:1.service`,
  `${CTL} --no-block restart vllm@0:1.service`,
  `${CTL} reset-failed vllm@0:1.service`,
  '/usr/bin/ss -H -l -t -n -p',
  `${GATE} as-root kill`,
  `${GATE} as-root variant`,
]

const FORBIDDEN = [
  `${CTL}`,
  `${CTL} start`,
  `${CTL} restart sglang.service`,
  `${CTL} --no-block restart`,
  `${CTL} --no-block restart sglang`,
  `${CTL} --no-block restart ssh.service`,
  `${CTL} --no-block restart sglang.service ssh.service`,
  `${CTL} --no-block restart sglang.service --root=/tmp`,
  `${CTL} --no-block --force restart sglang.service`,
  `${CTL} --no-block restart -- sglang.service`,
  `${CTL} --no-block restart sglang*`,
  `${CTL} --no-block restart sglang.servic?`,
  `${CTL} --no-block restart ../sglang.service`,
  `${CTL} --no-block restart sglang.service/../x.service`,
  `${CTL} --no-block restart SGLANG.SERVICE`,
  `${CTL} --no-block restart vllm@0.service`,
  `${CTL} --no-block restart vllm@0:1.service vllm@0:1.service`,
  `${CTL} --no-block restart vllm@1:1.service`,
  `${CTL} --no-block reload sglang.service`,
  `${CTL} --no-block kill sglang.service`,
  `${CTL} --no-block mask sglang.service`,
  `${CTL} --no-block isolate sglang.service`,
  `${CTL} --no-block reset-failed sglang.service`,
  `${CTL} reset-failed`,
  `${CTL} reset-failed sglang.service ssh.service`,
  `${CTL} edit sglang.service`,
  `${CTL} edit --full sglang.service`,
  `${CTL} cat sglang.service`,
  `${CTL} start debug-shell.service`,
  `${CTL} set-environment A=b`,
  `${CTL} daemon-reload`,
  `${CTL} reboot`,
  '/usr/bin/journalctl -u sglang.service',
  '/usr/bin/ss',
  '/usr/bin/ss -H -l -t -n -p -K',
  '/usr/bin/ss -K dst 10.0.0.1',
  '/usr/bin/ss -H -l -t -n',
  `${GATE}`,
  `${GATE} as-root`,
  `${GATE} as-root shell`,
  `${GATE} as-root kill variant`,
  `${GATE} ping`,
  '/bin/sh',
  `/bin/sh ${GATE} as-root kill`,
  '/bin/sh -c id',
  '/usr/bin/id',
  '/bin/kill -9 1',
  '/usr/sbin/visudo',
  '/usr/bin/sudo -i',
]

describe.skipIf(skips(noMachine))('what sudo allows the account that setup made', () => {
  test(`of ${ALLOWED.length + FORBIDDEN.length} commands exactly ${ALLOWED.length}`, async () => {
    const machine = await madeMachine()
    expect(ALLOWED.length + FORBIDDEN.length).toBe(60)
    const judged = await Promise.all(
      [...ALLOWED, ...FORBIDDEN].map(async (line) => [line, await allows(machine, line)] as const),
    )
    expect(judged.filter(([, allowed]) => allowed).map(([line]) => line)).toEqual(ALLOWED)
  })

  test('with no environment of its own, as nobody else, and only without a password', async () => {
    const machine = await madeMachine()
    for (const more of [['LD_PRELOAD=/x.so'], ['-E'], ['-u', 'nobody'], ['-g', 'root']]) {
      const { code } = await as(machine, [
        '/usr/bin/sudo',
        '-n',
        ...more,
        ...`${CTL} reset-failed sglang.service`.split(' '),
      ])
      expect({ more, code }).toEqual({ more, code: 1 })
    }
    expect((await as(machine, ['/usr/bin/sudo', '-n', '-s'])).code).toBe(1)
  })

  test('the part for root gets its words on standard input', async () => {
    const machine = await madeMachine()
    const part = (input: string) => as(machine, ['/usr/bin/sudo', '-n', GATE, 'as-root', 'kill'], input)
    expect((await part('main 1 1 root KILL\n')).code).toBe(64)
    const asked = await part('main 4194304 1 root KILL\n')
    // without systemd here: 69; with it, 66, since there is no such process
    expect([66, 69]).toContain(asked.code)
    expect(asked.stderr + asked.stdout).toMatch(/^(not-there process|tool-missing systemctl)/)
  })

  test('and the same account without sudo is refused by the part for root', async () => {
    const machine = await madeMachine()
    expect((await as(machine, [GATE, 'as-root', 'kill'], 'main 4194304 1 root KILL\n')).code).toBe(77)
  })
})

async function madeMachine(): Promise<Machine> {
  const machine = await openMachine(noMachine)
  const units = ['--unit', 'main=sglang.service', '--unit', 'second=vllm@0:1.service']
  const { code, stderr } = await setup(machine, ['--key', KEY, '--port', '30000', ...units, '--user', USER])
  expect([code, stderr]).toEqual([0, ''])
  return machine
}

/** Judged by sudo, not run. */
async function allows(machine: Machine, line: string): Promise<boolean> {
  const { code } = await as(machine, ['/usr/bin/sudo', '-n', '-l', '--', ...line.split(' ')])
  return code === 0
}

function as(machine: Machine, command: readonly string[], input?: string): ReturnType<Machine['run']> {
  const become = ['/usr/bin/setpriv', `--reuid=${USER}`, `--regid=${USER}`, '--init-groups', '--']
  return machine.run([...become, ...command], input)
}
