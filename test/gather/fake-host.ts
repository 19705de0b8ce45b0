import type { Failure } from '../../src/domain/failure.ts'
import type { GateReply } from '../../src/domain/gate.ts'
import type { Host } from '../../src/domain/host.ts'
import { failed, ok } from '../../src/domain/outcome.ts'

/** What the gate of a fake host says to one verb: its sections, a failure, or nothing at all whatever the signal says. */
export type Says = Readonly<Record<string, string>> | Failure | 'never'

/** A host whose gate answers by script; real parsers read it. `asked` collects the words of each call. */
export function fakeHost(script: Readonly<Record<string, Says>>, asked: string[] = []): Host {
  return {
    name: 'box',
    async run(verb, args, { signal }) {
      const words = verb.words(args)
      asked.push([verb.name, ...words].join(' '))
      const said = script[words.includes('invocation') ? `${verb.name} invocation` : verb.name] ?? script[verb.name]
      if (said === 'never') return new Promise(() => {})
      if (signal.aborted || said === undefined) return failed(UNSCRIPTED)
      if (isFailure(said)) return failed(said)
      const read = verb.parse(replyOf(said), args)
      return read.ok ? ok({ value: read.value, tookMs: 1, shellMs: null, noise: '' }) : failed(read.failure)
    },
    follow: async () => failed(UNSCRIPTED),
  }
}

const UNSCRIPTED: Failure = { kind: 'not-there', thing: 'test', observed: 'not scripted', next: 'script it' }

function isFailure(said: Exclude<Says, 'never'>): said is Failure {
  return 'kind' in said && 'observed' in said
}

function replyOf(sections: Readonly<Record<string, string>>): GateReply {
  const list = Object.entries(sections).map(([name, text]) => ({ name, rc: 0, text, truncated: false }))
  return { rc: 0, delivery: 'installed', sections: list, noise: '' }
}

const RUN = '0123456789abcdef0123456789abcdef'
const BOOT_MS = Date.UTC(2026, 4, 1, 10)
/** when the run of `UNIT` began: ten minutes after the boot */
export const STARTED_MS = BOOT_MS + 600_000

export const UNIT = [
  'Id=sglang.service',
  'LoadState=loaded',
  'ActiveState=active',
  'SubState=running',
  'MainPID=4711',
  `InvocationID=${RUN}`,
  'InactiveExitTimestampMonotonic=600000000',
].join('\n')

/** One line of the journal. */
export function entry(message: string, at = STARTED_MS + 5000): string {
  return JSON.stringify({ __REALTIME_TIMESTAMP: String(at * 1000), _PID: '4711', MESSAGE: message })
}

const words = (text: string): string => Buffer.from(text).toString('base64')

/** A host on which all is there and nothing is wrong. */
export const GOOD: Readonly<Record<string, Says>> = {
  ping: { ping: `uptime=1200.5\ntime=${BOOT_MS / 1000 + 1200}` },
  unit: { unit: UNIT, fence: `1.active-${RUN}`, variants: 'none' },
  log: {
    log: [entry('Load weight begin. avail mem=46.98 GB'), entry('The server is fired up and ready to roll!')].join(
      '\n',
    ),
  },
  process: {
    processes: `4711 1 100 sglang S 1000 - ${words('python')} ${words('python\0-m\0sglang.launch_server\0--tp-size\x002\0--api-key\0hunter2hunter2\0')}`,
  },
  versions: { packages: 'sglang-0.5.9.dist-info', os: 'PRETTY_NAME=Ubuntu' },
  'model-files': { place: 'units /srv/models/qwen', list: '10 config.json', 'config.json': '{}' },
  gpu: { gpu: '0, GPU-1, 00000000:01:00.0, RTX 4090, 580.95.05, 24564, 23000, 0, 40, 20, 450, 30, P8' },
  'gpu-processes': { apps: 'GPU-1, 4711, python, 22000', processes: '' },
  'dmesg-gpu': {
    dmesg: '2026-05-01T10:05:00,000000+00:00 NVRM: Xid 79: an older run\n2026-05-01T10:15:00,000000+00:00 NVRM: Xid 13',
  },
  pci: { pci: '0000:01:00.0 0x10de 0x2684 0x030000 nvidia' },
}
