import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sshPool } from '../../src/adapters/ssh.ts'
import { systemClock } from '../../src/app/clock.ts'
import { reacher } from '../../src/app/reach.ts'
import type { Diagnosis, Evidence } from '../../src/domain/finding.ts'
import type { Log } from '../../src/domain/ports.ts'
import type { SmokeRequest } from '../../src/domain/smoke.ts'
import { DEFAULT_BUDGET } from '../../src/domain/smoke.ts'
import type { Versions } from '../../src/domain/verbs/versions.ts'
import { gatherSmoke } from '../../src/gather.ts'
import { diagnose } from '../../src/judge/diagnose.ts'
import { scanText } from '../../src/judge/log/scan.ts'
import { rules, signatures } from '../../src/judge/rules/index.ts'
import type { Program } from './engine/program.ts'

/** How a server is started and asked: what an operator may change. */
export interface Setup {
  readonly program: Program
  /** the server's own flags, without the port */
  readonly flags: readonly string[]
  readonly asked: Partial<SmokeRequest>
}

/** A start, a smoke and the diagnosis, with the server still running where it came up. */
export interface Trial {
  readonly diagnosis: Diagnosis
  /** all that it printed */
  readonly log: string
  stop(): Promise<void>
}

/** Processes that are running already, as left by somebody before. */
export interface Others {
  start(program: Program, flags: readonly string[]): Promise<number>
  end(pid: number): Promise<void>
  endAll(): Promise<void>
}

/** Milliseconds that a start may take. */
const START_MS = 15_000

/**
 * The product's own way with a target of one machine: a smoke, and where that is not healthy the log that this run
 * printed, its arguments, and what is installed.
 */
export async function tryOut(setup: Setup, port: number, home: string): Promise<Trial> {
  const server = launch(setup.program, [...setup.flags, '--port', String(port)], home)
  await server.settled()
  const smoked = await smoke(`http://127.0.0.1:${port}`, setup.asked)
  const alone = diagnose(smoked, rules)
  const seen: Evidence = {
    ...smoked,
    log: scanText(server.log(), signatures),
    installed: await installedIn(home),
    ...(server.runs() ? { argv: [setup.program.file, ...setup.program.args, ...setup.flags] } : {}),
  }
  const diagnosis = alone.verdict === 'healthy' ? alone : diagnose(seen, rules)
  return { diagnosis, log: server.log(), stop: server.stop }
}

async function smoke(url: string, asked: Partial<SmokeRequest>): Promise<Evidence> {
  const ssh = sshPool([], { clock: systemClock, log: SILENT })
  const { reach, close } = reacher(ssh, SILENT)
  const target = {
    name: 'qwen',
    engine: null,
    url,
    host: null,
    model: null,
    apiKey: null,
    budget: DEFAULT_BUDGET,
    patienceMs: 10_000,
    ca: null,
    proxy: null,
    protected: false,
    unit: null,
  }
  const request = { ...HELLO, ...asked }
  const signal = AbortSignal.timeout(20_000)
  const evidence = await gatherSmoke({ target, request, signal, reach, onPiece: () => {} })
  await close()
  await ssh.close()
  return evidence
}

const HELLO: SmokeRequest = {
  prompt: 'Say hello',
  budget: DEFAULT_BUDGET,
  temperature: null,
  thinking: null,
  stream: true,
  model: null,
}

const SILENT: Log = { debug() {}, info() {}, warn() {}, error() {} }

/** As the verb `versions` reads them beside the program. */
async function installedIn(home: string): Promise<Versions> {
  const names = await readdir(join(home, 'site-packages'))
  const packages = names.flatMap((one) => {
    const [, name, version] = /^(\w+)-(.+)\.dist-info$/.exec(one) ?? []
    return name === undefined || version === undefined ? [] : [{ name, version }]
  })
  return { packages, driver: null, os: null, kernel: null }
}

function launch({ file, args, env }: Program, flags: readonly string[], cwd = process.cwd()) {
  const child = spawn(file, [...args, ...flags], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  let log = ''
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      log += chunk.toString()
    })
  }
  const runs = () => isAlive(child)
  return {
    pid: child.pid ?? 0,
    log: () => log,
    runs,
    /** it is ready, or it has ended and all that it said is here */
    async settled() {
      const deadline = performance.now() + START_MS
      while (runs() && (!READY.test(log) || TAKEN.test(log))) {
        if (performance.now() > deadline) throw new Error(`neither ready nor ended:\n${log}`)
        await delay(10)
      }
      if (!runs()) await closed
    },
    async stop() {
      process.removeListener('exit', kill)
      if (runs()) kill()
      await closed
    },
  }
}

const READY = /fired up and ready to roll|server is listening on|listening on http/
/** Such a process ends of itself, whatever it prints before. */
const TAKEN = /address already in use/

function isAlive(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null
}

export function others(): Others {
  const running = new Map<number, ReturnType<typeof launch>>()
  return {
    async start(program, flags) {
      const one = launch(program, flags)
      running.set(one.pid, one)
      if (flags.includes('--port')) await one.settled()
      return one.pid
    },
    async end(pid) {
      const one = running.get(pid)
      if (one === undefined) throw new Error(`process ${pid} is none of this test: it is not ended`)
      await one.stop()
      running.delete(pid)
    },
    async endAll() {
      await Promise.all([...running.values()].map((one) => one.stop()))
    },
  }
}
