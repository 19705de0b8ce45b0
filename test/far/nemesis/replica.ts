import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { diesWithUs } from '../box/disk.ts'
import type { Attempt } from './record.ts'
import type { Orders, Said } from './said.ts'

/** A bot that runs as a child process. */
export interface Replica {
  /** Resolves when it has made its next plan. */
  planned(): Promise<void>
  freeze(): void
  thaw(): void
  /** Lets it finish what it is at; throws where it failed. */
  stop(): Promise<void>
}

export function startReplica(orders: Orders, onAttempt: (attempt: Attempt) => void): Replica {
  const program = new URL('bot.ts', import.meta.url).pathname
  const { file, args } = diesWithUs([process.execPath, program])
  const child = spawn(file, args)
  // all that it said has been read by then
  const gone = once(child, 'close')
  let complaint = ''
  child.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk.toString()
  })
  let plan = Promise.withResolvers<void>()
  createInterface(child.stdout).on('line', (line) => {
    const said: Said = JSON.parse(line)
    if (said.said === 'tried') return onAttempt({ by: orders.by, run: said.run, result: said.result })
    plan.resolve()
    plan = Promise.withResolvers()
  })
  child.stdin.on('error', () => {})
  child.stdin.write(`${JSON.stringify(orders)}\n`)
  return {
    planned: () => plan.promise,
    freeze: () => child.kill('SIGSTOP'),
    thaw: () => child.kill('SIGCONT'),
    async stop() {
      child.stdin.end()
      await gone
      if (child.exitCode !== 0) throw new Error(`the bot ${orders.by} failed: ${complaint}`)
    },
  }
}
