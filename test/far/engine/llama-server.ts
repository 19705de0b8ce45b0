import { freePort, start } from '../process.ts'
import { pace } from './pace.ts'
import type { Program } from './program.ts'

/** A real llama-server, or what stands in for it, on 127.0.0.1 with one of our models. */
export interface LlamaServer {
  readonly url: string
  readonly pid: number
  /** whether it runs at a lifelike pace, or as fast as the machine allows */
  readonly paced: boolean
  /** tokens decoded since it started, counted when a slot is freed */
  decoded(): Promise<number>
  /** slots at work */
  busy(): Promise<number>
  /** its facts, unread */
  props(): Promise<unknown>
  stop(): Promise<void>
}

export interface More {
  /** the last of llama-server's flags; absent: its metrics */
  readonly flags?: readonly string[]
  /** absent: a free one */
  readonly port?: number
}

export async function startLlamaServer(given: {
  readonly program: Program
  readonly model: string
  readonly paced: boolean
  readonly more?: More
}): Promise<LlamaServer> {
  const { flags: own = ['--metrics'], port = await freePort() } = given.more ?? {}
  const url = `http://127.0.0.1:${port}`
  const { file, args, env } = given.program
  const usual = ['-m', given.model, '--host', '127.0.0.1', '--port', String(port), '-c', '16384', '-np', '2', '-t', '1']
  const flags = [...usual, '--no-ui', ...own]
  const ready = () =>
    fetch(`${url}/health`).then(
      (response) => response.ok,
      () => false,
    )
  const running = await start({ file, args: [...args, ...flags], env }, ready)
  const unpace = given.paced ? await pace(running.pid) : null
  return {
    url,
    pid: running.pid,
    paced: unpace !== null,
    async decoded() {
      const metrics = await (await fetch(`${url}/metrics`)).text()
      return Number(/^llamacpp:tokens_predicted_total (\d+)/m.exec(metrics)?.[1])
    },
    async busy() {
      const slots = await (await fetch(`${url}/slots`)).text()
      return slots.split('"is_processing":true').length - 1
    },
    props: async () => (await fetch(`${url}/props`)).json(),
    async stop() {
      await running.stop()
      await unpace?.()
    },
  }
}
