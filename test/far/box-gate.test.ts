import { readFile } from 'node:fs/promises'
import { expect, vi } from 'vitest'
import { sshPool } from '../../src/adapters/ssh.ts'
import { systemClock } from '../../src/app/clock.ts'
import { silent } from '../adapters/http-server.ts'
import { kindOf } from '../adapters/tidy.ts'
import { ssh } from './box/ssh-client.ts'
import { test } from './far-test.ts'

const OP = 'a'.repeat(32)
const script = readFile(new URL('../../deploy/host/pilotflame-gate', import.meta.url), 'utf8')

/** A verb as the product asks for it. */
const verb = (words: string) => [`/bin/sh -s -- ${words}`]

/** What stands in one section of an answer. */
function section(name: string, stdout: string, op = OP): string | undefined {
  return stdout.split(`\nGATE ${op} section ${name}\n`)[1]?.split(`\n\nGATE ${op} close`)[0]
}

test.for(['installed', 'quick'] as const)('%s: the account answers a ping', async (delivery, { gate }) => {
  const input = delivery === 'quick' ? await script : ''
  const { rc, stdout } = await ssh(gate[delivery], verb(`ping ${OP}`), { input })
  expect(rc).toBe(0)
  expect(stdout.startsWith(`\nGATE ${OP} begin 1 ${delivery}\n`)).toBe(true)
  expect(stdout.endsWith(`\nGATE ${OP} end 0\n`)).toBe(true)
  const facts = section('ping', stdout)?.split('\n')
  expect(facts).toEqual(
    expect.arrayContaining(['user=pilotflame', 'systemd=252', 'sudo=yes', 'state=/var/lib/pilotflame']),
  )
})

test('the installed account may restart a unit of the list, and only as it was seen', async ({ gate, box }) => {
  const invocation = async () => (await box.exec('systemctl show -P InvocationID sglang')).stdout
  const before = await invocation()
  const { stdout } = await ssh(gate.installed, verb(`unit ${OP} main`))
  const fence = section('fence', stdout)
  expect(fence).toMatch(/^0\.active-[0-9a-f]{32}$/)
  const restart = await ssh(gate.installed, verb(`restart ${'b'.repeat(32)} main ${fence}`))
  expect(restart).toMatchObject({ rc: 0, stdout: expect.stringContaining('state=done') })
  await vi.waitFor(async () => expect(await invocation()).not.toBe(before), 8000)
  const after = await invocation()
  expect(await ssh(gate.installed, verb(`restart ${'c'.repeat(32)} main ${fence}`))).toMatchObject({ rc: 76 })
  expect(await invocation()).toBe(after)
})

test.for([
  ['a shell', 126, [], []],
  ['a command', 126, ['id'], []],
  ['a command behind a verb', 126, verb(`ping ${OP}; id`), []],
  ['sftp', 126, ['sftp'], ['-s']],
  ['a unit that is not in the list', 67, verb(`restart ${OP} ssh.service 0.stopped`), []],
] as const)('the installed account refuses %s', async ([, rc, words, options], { gate }) => {
  const { stdout, ...ended } = await ssh(gate.installed, words, { input: 'id\n', options })
  expect(ended).toMatchObject({ rc })
  expect(stdout).toContain('GATE ')
  expect(stdout).not.toContain('uid=')
})

test('the installed account gives no terminal', async ({ gate }) => {
  const { stderr } = await ssh(gate.installed, verb(`ping ${OP}`), { options: ['-tt'] })
  expect(stderr).toContain('PTY allocation request failed')
})

test('the installed account opens no way back', async ({ gate }) => {
  const options = ['-N', '-o', 'ExitOnForwardFailure=yes', '-R', '0:127.0.0.1:9']
  expect(await ssh(gate.installed, [], { options })).toMatchObject({
    rc: 255,
    stderr: expect.stringContaining('remote port forwarding failed'),
  })
})

test('the installed account opens the port of the model, and no other', async ({ gate, box }) => {
  const pool = sshPool([gate.installed], { clock: systemClock, log: silent })
  const dial = async (address: string, port: number) => {
    const outcome = await pool.dial('installed', address, port, AbortSignal.timeout(5000))
    if (outcome.ok) outcome.value.destroy()
    return kindOf(outcome)
  }
  expect(['ok', 'forward-refused']).toContain(await dial('127.0.0.1', box.enginePort))
  expect(await dial('127.0.0.1', gate.installed.port)).toBe('forward-prohibited')
  expect(await dial('127.0.0.2', box.enginePort)).toBe('forward-prohibited')
  await pool.close()
})
