import { expect, test } from 'vitest'
import { sshPool } from '../../src/adapters/ssh.ts'
import { systemClock } from '../../src/app/clock.ts'
import type { BoxOptions } from '../../src/lab/box.ts'
import { startBox } from '../../src/lab/box.ts'
import { silent } from './http-server.ts'
import { closeLater, never, valueIn } from './tidy.ts'

async function doorsOf(options: BoxOptions) {
  const box = await startBox(options)
  closeLater(box)
  const { port, user } = box
  const key = { from: 'text', text: box.privateKey, passphrase: null } as const
  const trust = { from: 'pinned', keys: [box.hostKeyLine] } as const
  const host = { name: 'box', address: '127.0.0.1', port, user, key, trust, jump: null, gate: null }
  const pool = sshPool([host], { clock: systemClock, log: silent, limits: { openMs: 600 } })
  closeLater(pool)
  const doors = valueIn(await pool.doors('box', never))
  return Object.fromEntries(doors.map(({ name, state }) => [name, state]))
}

test('a host that gives nothing has all doors shut', async () => {
  expect(await doorsOf({ forwarding: 'no' })).toEqual({
    shell: 'shut',
    command: 'shut',
    terminal: 'shut',
    sftp: 'shut',
    ports: 'shut',
    sockets: 'shut',
    listening: 'shut',
    listeningSockets: 'shut',
  })
})

test('a command that runs is an open door', async () => {
  const exec = () => ({ stdout: '42055007\n', end: { how: 'exited', code: 0 } }) as const
  expect(await doorsOf({ forwarding: 'no', exec })).toMatchObject({ command: 'open', sftp: 'shut' })
})

test('a host that has no session free for us was not asked', async () => {
  expect(await doorsOf({ forwarding: 'no', sessions: 0 })).toMatchObject({
    shell: 'unknown',
    command: 'unknown',
    terminal: 'unknown',
    sftp: 'unknown',
    ports: 'shut',
  })
})

test('a connection that is cut meanwhile proves nothing', async () => {
  const doors = await doorsOf({ forwarding: 'no', exec: () => ({ end: { how: 'cut', reset: true } }) })
  expect(doors).toMatchObject({
    command: 'unknown',
    terminal: 'unknown',
    sftp: 'unknown',
    ports: 'unknown',
    sockets: 'unknown',
    listening: 'unknown',
    listeningSockets: 'unknown',
  })
})

test('a host that never answers proves nothing', async () => {
  expect(await doorsOf({ forwarding: 'no', exec: () => ({ end: { how: 'never' } }) })).toMatchObject({
    command: 'unknown',
  })
})
