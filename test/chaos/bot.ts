import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { WriteStream } from 'node:fs'
import { createWriteStream, existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import type { Lab } from '../../src/lab/index.ts'
import type { SlackStandIn } from '../../src/lab/slack/index.ts'

/** A bot that is a process of its own, and can be killed as often as one likes. */
export interface Bot {
  /** Resolves when Slack has a connection to it. */
  start(): Promise<void>
  /** SIGKILL, or SIGTERM with twenty seconds to go; resolves when the process is gone. False where it had to be killed. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<boolean>
  /** What it changed in the world: the reason of each, which is the name of the ask (`nameOf`). */
  deeds(): Promise<readonly string[]>
  close(): Promise<void>
}

const OURS = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const DEFAULT = fileURLToPath(new URL('./default-bot.ts', import.meta.url))
const START_MS = 20_000
const GRACE_MS = 20_000
/** A kill loses nothing that was written, wherever; in memory the disk of a busy machine does not decide about the pace. */
const MEMORY = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** Pilotflame itself: its store outlives each kill. */
export async function pilotflame(slack: SlackStandIn, lab: Lab, operators: readonly string[]): Promise<Bot> {
  const folder = await mkdtemp(join(MEMORY, 'pilotflame-chaos-'))
  await writeFile(join(folder, 'pilotflame.yml'), configuration(slack, lab, operators))
  const [host] = lab.hosts
  const key = host?.key.from === 'text' ? host.key.text : ''
  return processOf(OURS, slack, folder, { BOX_KEY: key }, async () => {
    const reasons = reasonsIn(join(folder, 'pilotflame.db'))
    return lab.gate.acts().map(({ op }) => reasons.get(op) ?? `an operation that was not recorded: ${op}`)
  })
}

/** Bolt as its documentation shows it. */
export async function defaultBot(slack: SlackStandIn): Promise<Bot> {
  const folder = await mkdtemp(join(MEMORY, 'default-chaos-'))
  const deeds = join(folder, 'deeds')
  await writeFile(deeds, '')
  const read = async () => (await readFile(deeds, 'utf8')).split('\n').filter(Boolean)
  return processOf(DEFAULT, slack, folder, { DEEDS: deeds }, read)
}

/** The reason of each operation that the bot recorded, by its id. */
function reasonsIn(file: string): ReadonlyMap<string, string> {
  const db = new DatabaseSync(file, { readOnly: true })
  const rows = db.prepare('SELECT body FROM operations').all()
  db.close()
  return new Map(rows.map(({ body }): [string, string] => operation(JSON.parse(String(body)))))
}

function operation({ id, reason }: Record<string, unknown>): [string, string] {
  return [String(id), String(reason)]
}

function processOf(
  main: string,
  slack: SlackStandIn,
  folder: string,
  own: NodeJS.ProcessEnv,
  deeds: Bot['deeds'],
): Bot {
  const tokens = { SLACK_BOT_TOKEN: slack.botToken, SLACK_APP_TOKEN: slack.appToken }
  // written at an orderly end only: whoever is killed at every start would compile all of it each time
  const cache = { NODE_COMPILE_CACHE: join(folder, 'compiled') }
  const redirect = `data:text/javascript,${encodeURIComponent(`
    const { fetch } = globalThis
    globalThis.fetch = (url, init) => fetch(String(url).replace('https://slack.com/api/', '${slack.apiUrl}'), init)`)}`
  const log = createWriteStream(join(folder, 'log'), { flags: 'a' })
  let child: ChildProcess | null = null

  async function end(signal: 'SIGKILL' | 'SIGTERM'): Promise<boolean> {
    const dying = child
    child = null
    if (dying === null || dying.exitCode !== null) return true
    const gone = once(dying, 'exit')
    dying.kill(signal)
    const late = setTimeout(() => dying.kill('SIGKILL'), GRACE_MS)
    await gone
    clearTimeout(late)
    return signal === 'SIGKILL' || dying.signalCode !== 'SIGKILL'
  }

  return {
    deeds,
    end,
    async start() {
      await slack.until(() => slack.connections() === 0, START_MS)
      child = spawn(process.execPath, ['--import', redirect, main], {
        cwd: folder,
        env: { PATH: process.env['PATH'], HOME: folder, ...own, ...tokens, ...cache },
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      const last = tailOf(child, log)
      await slack
        .until(() => slack.connections() > 0, START_MS)
        .catch(() => Promise.reject(new Error(`the bot did not connect within ${START_MS} ms: ${last()}`)))
    },
    async close() {
      await end('SIGKILL')
      await new Promise((done) => log.end(done))
      await rm(folder, { recursive: true })
    },
  }
}

/** What it said last. */
function tailOf({ stderr }: ChildProcess, log: WriteStream): () => string {
  let last = ''
  stderr?.pipe(log, { end: false })
  stderr?.on('data', (piece: Buffer) => {
    last = `${last}${piece}`.slice(-600)
  })
  return () => last
}

/** JSON is YAML. */
function configuration(slack: SlackStandIn, lab: Lab, operators: readonly string[]): string {
  const [host] = lab.hosts
  if (host === undefined) throw new Error('the lab has no host')
  const pinned = host.trust.from === 'pinned' ? host.trust.keys[0] : undefined
  const box = { address: host.address, port: host.port, user: host.user, key_env: 'BOX_KEY', host_key: pinned }
  const targets = lab.targets.map(({ name, url, unit }) => [name, { url, host: host.name, unit }])
  return JSON.stringify({
    hosts: { [host.name]: box },
    targets: Object.fromEntries(targets),
    slack: {
      channels: Object.fromEntries(slack.channels.flatMap(({ id }) => (id.includes('CHAOS') ? [[id, {}]] : []))),
    },
    roles: { operators: operators.map((id) => `${slack.team}:${id}`) },
  })
}
