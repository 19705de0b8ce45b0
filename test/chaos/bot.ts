import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Lab } from '../../src/lab/index.ts'
import type { SlackStandIn } from '../../src/lab/slack/index.ts'

/** A bot that is a process of its own, and can be killed as often as one likes. */
export interface Bot {
  /** Resolves when Slack has a connection to it. */
  start(): Promise<void>
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>
  /** What it changed in the world, each as it names it. */
  deeds(): Promise<readonly string[]>
  /** the folder with its log and store */
  readonly folder: string
  close(): Promise<void>
}

const OURS = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const DEFAULT = fileURLToPath(new URL('./default-bot.ts', import.meta.url))
const START_MS = 20_000
/** A kill loses nothing that was written, wherever; in memory the disk of a busy machine does not decide about the pace. */
const MEMORY = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** Pilotflame itself: its store outlives each kill. */
export async function pilotflame(slack: SlackStandIn, lab: Lab, operators: readonly string[]): Promise<Bot> {
  const folder = await mkdtemp(join(MEMORY, 'pilotflame-chaos-'))
  const { PATH } = process.env
  await writeFile(join(folder, 'pilotflame.yml'), configuration(slack, lab, operators))
  const [host] = lab.hosts
  const key = host?.key.from === 'text' ? host.key.text : ''
  return processOf(OURS, slack, folder, { PATH, HOME: folder, BOX_KEY: key }, async () =>
    lab.gate.acts().map(({ op }) => op),
  )
}

/** Bolt as its documentation shows it. */
export async function defaultBot(slack: SlackStandIn): Promise<Bot> {
  const folder = await mkdtemp(join(MEMORY, 'default-chaos-'))
  const deeds = join(folder, 'deeds')
  await writeFile(deeds, '')
  const env = { PATH: process.env['PATH'], HOME: folder, DEEDS: deeds }
  return processOf(DEFAULT, slack, folder, env, async () => (await readFile(deeds, 'utf8')).split('\n').filter(Boolean))
}

function processOf(
  main: string,
  slack: SlackStandIn,
  folder: string,
  env: NodeJS.ProcessEnv,
  deeds: Bot['deeds'],
): Bot {
  const tokens = { SLACK_BOT_TOKEN: slack.botToken, SLACK_APP_TOKEN: slack.appToken }
  const redirect = `data:text/javascript,${encodeURIComponent(`
    const { fetch } = globalThis
    globalThis.fetch = (url, init) => fetch(String(url).replace('https://slack.com/api/', '${slack.apiUrl}'), init)`)}`
  const log = createWriteStream(join(folder, 'log'), { flags: 'a' })
  let child: ChildProcess | null = null

  async function kill(): Promise<void> {
    const dying = child
    child = null
    if (dying === null || dying.exitCode !== null) return
    const gone = once(dying, 'exit')
    dying.kill('SIGKILL')
    await gone
  }

  return {
    folder,
    deeds,
    kill,
    async start() {
      await slack.until(() => slack.connections() === 0, START_MS)
      child = spawn(process.execPath, ['--import', redirect, main], {
        cwd: folder,
        env: { ...env, ...tokens },
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      child.stderr?.pipe(log, { end: false })
      await slack.until(() => slack.connections() > 0, START_MS)
    },
    async close() {
      await kill()
      await new Promise((done) => log.end(done))
      await rm(folder, { recursive: true })
    },
  }
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
