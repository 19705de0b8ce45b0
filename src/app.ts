import { randomBytes, randomUUID } from 'node:crypto'
import { slots } from './adapters/limiter.ts'
import { sshPool } from './adapters/ssh.ts'
import { hostsOf } from './adapters/ssh-host.ts'
import { openStore } from './adapters/store-sqlite.ts'
import { codeCheck } from './app/access-code.ts'
import { houseChecks } from './app/checks.ts'
import { systemClock } from './app/clock.ts'
import { every } from './app/every.ts'
import { explainText } from './app/explain.ts'
import { gateScript } from './app/gate-script.ts'
import { reacher } from './app/reach.ts'
import { storeChecks } from './app/store-check.ts'
import { welcomeIn } from './app/welcome.ts'
import { commands } from './commands/index.ts'
import { whoIn } from './dispatch/who.ts'
import type { Dispatcher } from './dispatch.ts'
import { dispatcher } from './dispatch.ts'
import type { Check } from './domain/check.ts'
import type { Config } from './domain/config.ts'
import type { Host } from './domain/host.ts'
import type { Outcome } from './domain/outcome.ts'
import { failed, ok } from './domain/outcome.ts'
import type { Log } from './domain/ports.ts'
import { redactor } from './domain/redact.ts'
import type { Report } from './domain/report.ts'
import type { Directory } from './domain/role.ts'
import { slashIn } from './domain/slash.ts'
import type { Store } from './domain/store.ts'
import { hostsToLookAt } from './domain/target.ts'
import { rules } from './judge/rules/index.ts'
import { withTaught } from './judge/taught.ts'
import { telemetry } from './telemetry/index.ts'

export interface App {
  readonly dispatcher: Dispatcher
  readonly store: Store
  /** A surface adds what `doctor` should look at, once it is there. */
  addChecks(checks: readonly Check[]): void
  /** A surface tells who is in which group and channel, once it is there. */
  useDirectory(chat: Directory): void
  /** A surface says what one channel should hear of another, once it is there. */
  useVoice(announce: (channel: string, report: Report) => void): void
  /** What the bot says in a channel to which it was invited. */
  welcome(channel: string): Promise<Report>
  /** null: the configuration has none of this name */
  host(name: string): Host | null
  /** Ends runs, connections and the store, in that order. */
  close(): Promise<void>
}

/** How long runs may take to answer at a stop, in ms. */
const DRAIN_MS = 10_000
const HOUR_MS = 3_600_000
/** Whoever asked, and what waits for a chat, is given up after this, in ms. */
const WAITING_MS = 72 * HOUR_MS

/** Wires the house: settings → adapters → registries → dispatcher. Surfaces come on top. */
export async function openApp(config: Config, log: Log): Promise<Outcome<App>> {
  const redact = redactor(config.secrets)
  const opened = await openStore({ path: config.storePath, log, redact })
  if (!opened.ok) return failed(opened.failure)
  const store = opened.value
  const ssh = sshPool(config.hosts, { clock: systemClock, log })
  const reaching = reacher(ssh, log)
  const hosts = hostsOf(ssh, { gate: gateScript(), newOp, slots, clock: systemClock, log })
  const slash = slashIn(config.slash)
  const host = (name: string): Host | null => (config.hosts.some((one) => one.name === name) ? hosts(name) : null)
  let directory: Directory | null = null
  let voice: (channel: string, report: Report) => void = () => {}
  const policy = { roles: config.roles, channels: config.channels }
  const deciding = { targets: config.targets, code: codeCheck(config.slack, systemClock), clock: systemClock }
  const checks = [...houseChecks(config, { ssh, hosts, reaching }), ...recordChecks(config, store)]
  const house = dispatcher({
    ...whatThereIs(config),
    policy,
    who: whoIn({ ...deciding, policy, grants: store, directory: () => directory }),
    host,
    commands,
    slash,
    ...knowing(config),
    store,
    keepPromptsMs: config.keep.promptsMs,
    clock: systemClock,
    log,
    checks: () => checks,
    redact,
    newId: randomUUID,
    reach: reaching.reach,
    every: (ms, run) => every(ms, run, log),
    explain: explainText,
    announce: (channel, said) => voice(channel, said),
  })
  const stopPruning = await pruning(store, config, log)
  return ok({
    dispatcher: house,
    store,
    host,
    addChecks: (more) => checks.push(...more),
    useDirectory(chat) {
      directory = chat
    },
    useVoice(announce) {
      voice = announce
    },
    welcome: (channel) => welcomeIn(channel, { config, slash, store, directory: () => directory }),
    async close() {
      stopPruning()
      await house.drain(DRAIN_MS)
      await reaching.close()
      await ssh.close()
      await store.close()
    },
  })
}

/** What may be asked, and what reads the GPUs of hosts. */
function whatThereIs({ targets, hosts }: Config) {
  return { targets, hosts: hostsToLookAt(hosts, targets), telemetry }
}

function recordChecks({ storePath }: Config, notes: Store): readonly Check[] {
  return storeChecks(storePath, { notes, now: systemClock.now })
}

/** The rules, and what the team taught them. */
function knowing({ taught }: Config) {
  return { rules: withTaught(rules, taught), taught }
}

/** Names one call of the gate, which nobody can guess. */
function newOp(): string {
  return randomBytes(16).toString('hex')
}

/** Forgets what is older than its keeping time, now and every hour. */
async function pruning(store: Store, config: Config, log: Log): Promise<() => void> {
  async function prune(): Promise<void> {
    const now = systemClock.now()
    const { promptsMs, attemptsMs } = config.keep
    const letters = now - Math.min(WAITING_MS, promptsMs)
    const asks = now - WAITING_MS
    const kept = { prompts: now - promptsMs, attempts: now - attemptsMs, buttons: now, keys: now - HOUR_MS }
    const done = await store.prune({ ...kept, letters, asks })
    if (!done.ok) return log.warn('could not forget old records', { failure: done.failure })
    const given = done.value
    if (given.asks > 0) log.error('asks that nobody answered are given up', { asks: given.asks })
    if (given.letters > 0) log.error('messages that waited for Slack are given up', { messages: given.letters })
  }
  await prune()
  return every(HOUR_MS, prune, log)
}
