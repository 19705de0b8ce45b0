import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { expect, onTestFinished } from 'vitest'
import type { HostSettings } from '../../src/domain/target.ts'
import { serveTcp } from '../adapters/http-server.ts'
import { relayTo } from '../adapters/ssh-box.ts'
import { keep } from '../adapters/tidy.ts'
import { test as farTest } from './far-test.ts'
import { hangingGate, LEAN } from './over-sshd.ts'
import type { Errand, Homecoming } from './ssh-hostile-child.ts'
import type { Sshd } from './sshd.ts'
import { startSshd } from './sshd.ts'

const MOST_MB = 64
const MEGABYTE = 1024 * 1024

interface Far {
  readonly sshd: Sshd
  /** what became of an errand of a process of its own */
  send(errand: Partial<Errand>): Promise<Homecoming>
  close(): Promise<void>
}

const test = farTest.extend<{ readonly far: Far; readonly sshdOfFile: () => Promise<Sshd> }>({
  sshdOfFile: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest wants to see what a fixture takes
    async ({}, use) => {
      const made: Promise<Sshd>[] = []
      await use(() => {
        const sshd = made[0] ?? startSshd([LEAN])
        if (made.length === 0) made.push(sshd)
        return sshd
      })
      for (const sshd of made) await (await sshd).stop()
    },
    { scope: 'file' },
  ],
  async far({ sshd: needsSshd, sshdOfFile }, use) {
    expect(needsSshd).toBeTypeOf('function')
    const far = await farAway(await sshdOfFile())
    await use(far)
    await far.close()
  },
})

/** A fresh one for each test: V8 gives back little of the memory that a flood made it take, so it would add up. */
async function farAway(sshd: Sshd): Promise<Far> {
  const file = new URL('./ssh-hostile-child.ts', import.meta.url).pathname
  const child = spawn(process.execPath, ['--expose-gc', file], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const send = async (errand: Partial<Errand>): Promise<Homecoming> => {
    const whole: Errand = { host: sshd.host, way: 'ask', act: 'echo here', limits: {}, ...errand }
    child.stdin.write(`${JSON.stringify(whole)}\n`)
    const { value = '', done } = await lines.next()
    if (done === true) throw new Error('the process that goes to hostile hosts has ended')
    return JSON.parse(value)
  }
  expect(await send({})).toMatchObject({ kind: 'ok' })
  return {
    sshd,
    send,
    async close() {
      child.kill()
      await once(child, 'exit')
    },
  }
}

/** A host that is somebody else's server. */
async function stranger({ sshd }: Far, behave: (socket: Socket) => void): Promise<HostSettings> {
  const { port } = await keep(serveTcp(behave))
  return { ...sshd.host, port }
}

/** Writes so many bytes as fast as they are taken. */
function flood(socket: Socket, piece: Buffer, bytes: number): void {
  let left = bytes
  const go = () => {
    while (left > 0) {
      left -= piece.length
      if (!socket.write(piece)) return void socket.once('drain', go)
    }
  }
  go()
}

const LINES = Buffer.from('Welcome, dear guest, to this banner.\r\n'.repeat(1700))
const NO_LINES = Buffer.alloc(64 * 1024, 'x')

test.for([
  ['says nothing', 'connect-timeout', 'no answer', 1500, () => {}],
  ['sends 200 MB of banner in lines', 'not-ssh', 'no SSH server', 5000, (s: Socket) => flood(s, LINES, 200 * MEGABYTE)],
  ['sends 200 MB of one line', 'not-ssh', 'no SSH server', 5000, (s: Socket) => flood(s, NO_LINES, 200 * MEGABYTE)],
  ['sends a banner byte by byte', 'not-ssh', 'no SSH server (Timed out', 1500, drip],
  [
    'greets, then says nothing',
    'connect-timeout',
    'no answer',
    1500,
    (s: Socket) => s.write('SSH-2.0-OpenSSH_9.2\r\n'),
  ],
  ['greets, then sends 200 MB', 'reset', 'Bad packet length', 5000, (s: Socket) => greetAndFlood(s)],
  ['hangs up at once', 'banned', 'closed the connection before it greeted', 5000, (s: Socket) => s.destroy()],
] as const)('a host that %s is %s', async ([, kind, words, limitMs, behave], { far }) => {
  const host = await stranger(far, (socket) => void behave(socket))
  const home = await far.send({ host, limits: { dialMs: 1000, retryMs: 50 } })
  expect(home).toMatchObject({ kind, said: expect.stringContaining(words) })
  expect(home.ms).toBeLessThan(limitMs)
  expect(home.grownMb).toBeLessThan(MOST_MB)
})

function drip(socket: Socket): void {
  const timer = setInterval(() => socket.write('S'), 20)
  socket.on('close', () => clearInterval(timer))
}

function greetAndFlood(socket: Socket): void {
  socket.write('SSH-2.0-OpenSSH_9.2\r\n')
  flood(socket, NO_LINES, 200 * MEGABYTE)
}

test.for([
  ['200 MB of output', 'ask', 'yes | head -c 200000000', 'output-cut', 'cut by us after 2,097,152 bytes'],
  ['200 MB of errors', 'ask', 'yes | head -c 200000000 >&2', 'output-cut', 'cut by us after 65,536 bytes'],
  ['200 MB of one line', 'ask', 'head -c 200000000 /dev/zero', 'output-cut', 'cut by us'],
  ['200 MB of a followed log', 'follow', `yes ${'line '.repeat(40)} | head -c 200000000`, 'ok', ''],
  ['200 MB of one line of a followed log', 'follow', 'head -c 200000000 /dev/zero | tr "\\0" x', 'ok', ''],
] as const)('%s by way of %s', async ([, way, act, kind, words], { far }) => {
  const home = await far.send({ way, act })
  expect(home).toMatchObject({ kind, said: expect.stringContaining(words) })
  expect(home.grownMb).toBeLessThan(MOST_MB)
})

test('a host that freezes in mid command', async ({ far }) => {
  const relay = await relayTo(far.sshd.host.port)
  const { calls, begun, act } = await hangingGate()
  const coming = far.send({
    host: { ...far.sshd.host, port: relay.port },
    act,
    limits: { keepaliveMs: 200, dialMs: 1000 },
  })
  await begun()
  relay.freeze()
  const home = await coming
  // the read is asked again, and the relay still passes nothing of the old ways on: a new one is there
  expect(home.kind).toBe('ok')
  expect(await calls()).toHaveLength(2)
  expect(home.ms).toBeLessThan(6000)
  expect(home.grownMb).toBeLessThan(MOST_MB)
})

test('a key that is not known there, a way that is forbidden', async ({ far, sshd }) => {
  const other = await sshd(['AllowTcpForwarding no', LEAN])
  const refused = await far.send({ host: { ...far.sshd.host, key: other.host.key } })
  expect(refused).toMatchObject({ kind: 'ssh-auth', said: expect.stringContaining('refuses our key') })
  const forbidden = await far.send({ host: other.host, way: 30_000 })
  expect(forbidden).toMatchObject({ kind: 'forward-prohibited', said: expect.stringContaining('PermitOpen') })
  for (const { ms, grownMb } of [refused, forbidden]) {
    expect(ms).toBeLessThan(3000)
    expect(grownMb).toBeLessThan(MOST_MB)
  }
  onTestFinished(() => other.stop())
})

test('MaxSessions 1, and new keys for every megabyte', async ({ far, sshd }) => {
  const { host } = await sshd(['MaxSessions 1', 'RekeyLimit 1M', LEAN])
  const home = await far.send({ host, way: 'follow', act: `yes ${'line '.repeat(40)} | head -c 60000000` })
  expect(home).toMatchObject({ kind: 'ok' })
  expect(home.grownMb).toBeLessThan(MOST_MB)
})

test('what is kept without a limit is seen: the measure can fail', async ({ far }) => {
  const home = await far.send({ act: 'head -c 100000000 /dev/zero | tr "\\0" x', limits: { stdoutBytes: 400_000_000 } })
  expect(home.grownMb).toBeGreaterThan(MOST_MB)
})
