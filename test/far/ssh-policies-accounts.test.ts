import { access } from 'node:fs/promises'
import { expect } from 'vitest'
import { ping } from '../../src/domain/verbs/index.ts'
import { closeLater, failureIn, never, valueIn } from '../adapters/tidy.ts'
import type { Account } from './box/accounts.ts'
import type { Box } from './box/box.ts'
import { startBox } from './box/box.ts'
import { test as farTest } from './far-test.ts'
import { verbsOver } from './verbs-over.ts'

/** Shells of accounts, and the file that each reads even for a command. */
const SHELLS = [
  ['bash', '/bin/bash', '.bashrc'],
  ['dash', '/bin/dash', null],
  ['zsh', '/usr/bin/zsh', '.zshenv'],
  ['fish', '/usr/bin/fish', '.config/fish/config.fish'],
  ['tcsh', '/usr/bin/tcsh', '.tcshrc'],
] as const

const ACCOUNTS: readonly Account[] = [
  ...SHELLS.map(([name, shell]) => ({ name: `of-${name}`, shell, groups: [] })),
  { name: 'nobody-home', shell: '/usr/sbin/nologin', groups: [] },
  { name: 'locked', shell: '/bin/bash', groups: [] },
]

const test = farTest.extend<{ readonly accounts: Box; readonly accountsOfFile: () => Promise<Box> }>({
  accountsOfFile: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest wants to see what a fixture takes
    async ({}, use) => {
      const made: Promise<Box>[] = []
      await use(() => {
        const box = made[0] ?? startBox({ accounts: ACCOUNTS })
        if (made.length === 0) made.push(box)
        return box
      })
      for (const box of made) await (await box).stop()
    },
    { scope: 'file' },
  ],
  async accounts({ startBox: needsBoxes, accountsOfFile }, use) {
    expect(needsBoxes).toBeTypeOf('function')
    await use(await accountsOfFile())
  },
})

async function pinged(box: Box, name: string, key = box.host(name).key) {
  const verbs = verbsOver([{ ...box.host(name), key }])
  closeLater(verbs)
  return verbs.host(box.name).run(ping, {}, { signal: never })
}

/** What login scripts print before anything else, in words that every shell reads. */
const NOISE = `echo "Welcome to the box"
echo "GATE ${'0'.repeat(32)} begin 1 installed"
echo "GATE ${'0'.repeat(32)} end 0"
/bin/sh -c 'echo "a warning of the login script" >&2'
`

test.for(SHELLS)(
  'an account with %s answers, and the noise of its start-up files is told apart',
  async ([name, shell, file], { accounts, farSide, skip }) => {
    if (!(await isThere(shell))) {
      if (farSide.required) throw new Error(`${shell} is not installed`)
      skip(`${shell} is not installed`)
    }
    const user = `of-${name}`
    const quiet = valueIn(await pinged(accounts, user))
    expect(quiet).toMatchObject({ noise: '', value: { user, hostName: accounts.name, sudo: false } })
    expect(quiet.value.stateDir).toBe(`/home/${user}/.local/state/pilotflame`)
    if (file === null) return
    await accounts.disk.write(`/home/${user}/${file}`, NOISE)
    const noisy = valueIn(await pinged(accounts, user))
    expect(noisy.value).toMatchObject({ user, hostName: accounts.name })
    expect(noisy.noise).toContain('Welcome to the box\nGATE 0000')
  },
)

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

test('what the start-up files of root cost is measured', async ({ accounts }) => {
  const key = await accounts.newKey('root')
  await accounts.exec('mkdir -p -m 700 /root/.ssh; cat >/root/.ssh/authorized_keys', `${key.publicLine}\n`)
  const asked = async (bashrc: string) => {
    await accounts.disk.write('/root/.bashrc', bashrc)
    const verbs = verbsOver([accounts.host('root', key)])
    closeLater(verbs)
    return valueIn(await verbs.host(accounts.name).run(ping, {}, { signal: never }))
  }
  const quick = await asked('')
  const slow = await asked('sleep 0.8\n')
  expect(slow.value).toMatchObject({ user: 'root', uid: 0, sudo: true })
  expect(slow.shellMs).toBeGreaterThanOrEqual(800)
  expect((slow.shellMs ?? 0) - (quick.shellMs ?? 0)).toBeGreaterThan(400)
  expect(slow.tookMs).toBeGreaterThan(slow.shellMs ?? 0)
})

test.for([
  ['exit 0\n', 'gate-missing', 'printed nothing at all'],
  ['exec zsh\n', 'gate-missing', 'a start-up file of the account puts another shell in the place'],
  ['exec fish\n', 'gate-missing', 'a start-up file of the account puts another shell in the place'],
  ['cat >/dev/null\n', 'gate-missing', 'printed nothing at all'],
  ['echo "Select a menu: [1] shell [2] quit"; exit 1\n', 'gate-missing', 'Select a menu'],
  ['kill -KILL $$\n', 'signalled', 'SIGKILL'],
] as const)('start-up files that never let a command run: %s is %s', async ([script, kind, words], { accounts }) => {
  await accounts.disk.write('/home/of-bash/.bashrc', script)
  const failure = failureIn(await pinged(accounts, 'of-bash'))
  expect(failure).toMatchObject({ kind, observed: expect.stringContaining(words) })
})

test('an account that may log in and run nothing', async ({ accounts }) => {
  const failure = failureIn(await pinged(accounts, 'nobody-home'))
  expect(failure.kind).toBe('exec-refused')
  expect(failure.observed).toContain('the login works, but this account does not run the command')
  expect(failure.observed).toContain('This account is currently not available')
  expect(failure.next).toContain('login shell')
})

test('an account that is locked refuses our key, and opens once it is not', async ({ accounts }) => {
  const lock = (password: string) => accounts.exec(`usermod -p '${password}' locked`)
  expect(await lock('!')).toMatchObject({ rc: 0 })
  expect(failureIn(await pinged(accounts, 'locked'))).toMatchObject({
    kind: 'ssh-auth',
    observed: 'refuses our key for user locked',
  })
  expect((await accounts.exec('journalctl -u ssh -o cat')).stdout).toContain(
    'User locked not allowed because account is locked',
  )
  await lock('*')
  expect(valueIn(await pinged(accounts, 'locked')).value.user).toBe('locked')
})
