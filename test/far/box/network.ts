import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { freePort } from '../process.ts'

/** Where a box can be reached. */
export interface Network {
  readonly kind: NetworkKind
  /** from here */
  readonly address: string
  /** of its sshd */
  readonly port: number
  /** for the inference server in it, on its 127.0.0.1 */
  readonly enginePort: number
  /** Connects the network of its PID 1; once for each time it boots. */
  plug(pid: number): Promise<void>
  unplug(): Promise<void>
}

/** `shared`: the loopback of this machine, free ports. `own`: an address of its own, port 22, a loopback of its own. */
export type NetworkKind = 'shared' | 'own'

export async function networkOf(kind: NetworkKind): Promise<Network> {
  if (kind === 'own') return await cable()
  const [port, enginePort] = [await freePort(), await freePort()]
  return { kind, address: '127.0.0.1', port, enginePort, async plug() {}, async unplug() {} }
}

const laid = new Set<number>()

/** Two addresses, 10.77.N.1 here and 10.77.N.2 there, with an N that nobody on this machine has. */
async function cable(): Promise<Network> {
  const { stdout: taken } = await run('ip', ['-4', '-o', 'addr'])
  const isFree = (n: number) => !laid.has(n) && !taken.includes(` 10.77.${n}.`)
  // two runs at once begin at different places
  const n = Array.from({ length: 250 }, (_, index) => (process.pid + index) % 250).find(isFree)
  if (n === undefined) throw new Error('no network 10.77.N.0 is free')
  laid.add(n)
  const name = `pilotflame${n}`
  const here = (words: string) => run('ip', words.split(' '))
  return {
    kind: 'own',
    address: `10.77.${n}.2`,
    port: 22,
    enginePort: 30_000,
    async plug(pid) {
      const there = (words: string) => run('nsenter', ['-t', String(pid), '--net', '--', 'ip', ...words.split(' ')])
      await here(`link add ${name} type veth peer name eth0 netns ${pid}`)
      await here(`addr add 10.77.${n}.1/30 dev ${name}`)
      await here(`link set ${name} up`)
      await there(`addr add 10.77.${n}.2/30 dev eth0`)
      await there('link set eth0 up')
    },
    async unplug() {
      // it went with the other network, if that is gone by now
      await here(`link del ${name}`).catch(() => {})
      laid.delete(n)
    },
  }
}

const run = promisify(execFile)
