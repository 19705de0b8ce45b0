import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { endWithUs, isThere } from '../far/program.ts'
import { freePort } from '../far/sshd.ts'
import { chat, LIMIT_MS } from './predicates.ts'

const PROGRAM = 'prometheus-blackbox-exporter'

/** A prober that runs. */
export interface Blackbox {
  /** `0.23.0` */
  readonly version: string
  /** whether it calls healthy what answers GET with 200 */
  status(url: string): Promise<boolean>
  /** whether it calls healthy what answers the chat request with 200 and some content: the most that it can be told to want */
  chat(url: string, budget: number): Promise<boolean>
}

/** Debian's prober, which may spend one of these budgets, gone when this process ends; null where this machine has none. */
export async function startBlackbox(budgets: readonly number[]): Promise<Blackbox | null> {
  if (!isThere(PROGRAM)) return null
  const folder = mkdtempSync(join(tmpdir(), 'pilotflame-blackbox-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const config = join(folder, 'blackbox.json')
  writeFileSync(config, JSON.stringify({ modules: modules(budgets) }))
  const address = `127.0.0.1:${await freePort()}`
  const child = spawn(PROGRAM, [`--config.file=${config}`, `--web.listen-address=${address}`], { stdio: 'ignore' })
  endWithUs(child)
  const latest = performance.now() + LIMIT_MS
  while (!(await answers(`http://${address}/-/healthy`))) {
    if (child.exitCode !== null || performance.now() > latest) throw new Error(`${PROGRAM} did not start`)
    await sleep(20)
  }
  const probe = async (module: string, target: string): Promise<boolean> => {
    const query = new URLSearchParams({ module, target })
    const metrics = await (await fetch(`http://${address}/probe?${query}`)).text()
    const success = /^probe_success ([01])$/m.exec(metrics)?.[1]
    if (success === undefined) throw new Error(`${PROGRAM} said: ${metrics.slice(0, 200)}`)
    return success === '1'
  }
  const metrics = await (await fetch(`http://${address}/metrics`)).text()
  return {
    version: /^blackbox_exporter_build_info\{.*\bversion="([^"]+)"/m.exec(metrics)?.[1] ?? 'of unknown version',
    status: (url) => probe('status', `${url}/health`),
    chat: (url, budget) => probe(`chat-${budget}`, `${url}/v1/chat/completions`),
  }
}

/** JSON is YAML. */
function modules(budgets: readonly number[]): object {
  const timeout = `${LIMIT_MS / 1000}s`
  const asking = {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    fail_if_body_not_matches_regexp: ['"content": ?"[^"]'],
  }
  return Object.fromEntries([
    ['status', { prober: 'http', timeout }],
    ...budgets.map((budget) => [
      `chat-${budget}`,
      { prober: 'http', timeout, http: { ...asking, body: chat(budget) } },
    ]),
  ])
}

function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )
}
