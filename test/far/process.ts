import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { listen } from '../../src/lab/listen.ts'

/** A program of the far side that was started by a test and ends with it. */
export interface Running {
  readonly pid: number
  /** the last lines that it wrote */
  output(): string
  /** asks it to end, and insists after two seconds */
  stop(): Promise<void>
}

/** Starts a program and waits until `ready` holds; throws with its last lines where it ends before, or takes too long. */
export async function start(
  command: { readonly file: string; readonly args: readonly string[]; readonly env?: Readonly<Record<string, string>> },
  ready: () => Promise<boolean>,
): Promise<Running> {
  const child = spawn(command.file, command.args, {
    env: { ...process.env, ...command.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  const exited = new Promise((resolve) => child.once('exit', resolve))
  child.once('error', (error) => {
    text += error.message
  })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      text = (text + chunk.toString()).slice(-4000)
    })
  }
  const running: Running = {
    pid: child.pid ?? 0,
    output: () => text,
    async stop() {
      process.removeListener('exit', kill)
      child.kill('SIGTERM')
      const insist = setTimeout(kill, 2000)
      if (child.exitCode === null && child.signalCode === null) await exited
      clearTimeout(insist)
    },
  }
  const deadline = performance.now() + 10_000
  while (!(await ready())) {
    const over = child.exitCode !== null || performance.now() > deadline
    if (over) {
      await running.stop()
      throw new Error(`${command.file} did not get ready:\n${text}`)
    }
    await delay(20)
  }
  return running
}

export async function freePort(): Promise<number> {
  const server = createServer()
  const port = await listen(server, 0)
  await new Promise((resolve) => server.close(resolve))
  return port
}
