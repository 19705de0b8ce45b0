import { dirname, resolve } from 'node:path'
import type { Config, SlackSettings } from '../domain/config.ts'
import { DEFAULT_BUDGET } from '../domain/smoke.ts'
import type { HostKeySource, HostSettings, HostTrust, Target } from '../domain/target.ts'
import { readBaseUrl } from '../domain/url.ts'
import type { ConfigFile } from './schema.ts'

/** What a checked file is completed with. */
export interface Around {
  /** absolute path of the file; relative paths in it start at its folder */
  readonly file: string
  readonly home: string
  readonly slack: SlackSettings | null
  /** path of the SSH agent's socket */
  readonly agentSocket: string
  /** the value of a variable that the file names; known to be set */
  secret(name: string): string
}

type HostEntry = NonNullable<ConfigFile['hosts']>[string]
type TargetEntry = NonNullable<ConfigFile['targets']>[string]

/** Completes a checked file: defaults, absolute paths, durations in ms, secrets by value. */
export function buildConfig(file: ConfigFile, around: Around): Config {
  const hosts = Object.entries(file.hosts ?? {}).map(([name, entry]) => hostOf(name, entry, around))
  const targets = Object.entries(file.targets ?? {}).map(([name, entry]) => targetOf(name, entry, around))
  const { slack } = around
  return {
    targets,
    hosts,
    slack,
    roles: { admins: file.roles?.admins ?? [], operators: file.roles?.operators ?? [] },
    channels: Object.entries(file.slack?.channels ?? {}).map(([id, channel]) => ({
      id,
      targets: channel?.targets ?? [],
      target: channel?.target ?? null,
    })),
    keep: {
      promptsMs: milliseconds(file.keep?.prompts ?? '7d'),
      attemptsMs: milliseconds(file.keep?.attempts ?? '90d'),
    },
    storePath: file.store === IN_MEMORY ? IN_MEMORY : absolute(file.store ?? './pilotflame.db', around),
    secrets: [
      ...new Set([slack?.botToken, slack?.appToken, ...targets.map((one) => one.apiKey), ...hosts.flatMap(secretsOf)]),
    ].filter((secret) => typeof secret === 'string'),
  }
}

/** The store that is gone with the process. */
const IN_MEMORY = ':memory:'

/** `30s`, `5m`, `7d` → ms. */
export function milliseconds(duration: string | 0): number {
  const seen = /^(\d+)(ms|s|m|h|d)$/.exec(String(duration))
  return seen === null ? 0 : Number(seen[1]) * (UNITS[seen[2] ?? ''] ?? 0)
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

function hostOf(name: string, entry: HostEntry, around: Around): HostSettings {
  const { address, port, user, jump } = entry
  return {
    name,
    address,
    port: port ?? 22,
    user,
    key: keyOf(entry, around),
    trust: trustOf(entry, around),
    jump: jump ?? null,
  }
}

function keyOf(entry: HostEntry, around: Around): HostKeySource {
  if (entry.agent === true) return { from: 'agent', socket: around.agentSocket }
  const passphrase = entry.key_passphrase_env === undefined ? null : around.secret(entry.key_passphrase_env)
  if (entry.key_env !== undefined) return { from: 'text', text: around.secret(entry.key_env), passphrase }
  return { from: 'file', path: absolute(entry.key ?? '', around), passphrase }
}

function trustOf({ host_key: pinned, known_hosts: files }: HostEntry, around: Around): HostTrust {
  if (pinned !== undefined) return { from: 'pinned', keys: [pinned].flat() }
  return { from: 'files', paths: [files ?? '~/.ssh/known_hosts'].flat().map((path) => absolute(path, around)) }
}

function targetOf(name: string, entry: TargetEntry, around: Around): Target {
  const url = readBaseUrl(entry.url)
  return {
    name,
    engine: entry.engine ?? null,
    url: url.ok ? url.url : entry.url,
    host: entry.host ?? null,
    model: entry.model ?? null,
    apiKey: entry.api_key_env === undefined ? null : around.secret(entry.api_key_env),
    budget: entry.max_tokens ?? DEFAULT_BUDGET,
    patienceMs: milliseconds(entry.patience ?? DEFAULT_PATIENCE),
  }
}

/** A long prefill is silent too. */
export const DEFAULT_PATIENCE = '60s'

function absolute(path: string, { file, home }: Around): string {
  return resolve(dirname(file), path.replace(/^~(?=\/|$)/, home))
}

function secretsOf({ key }: HostSettings): readonly (string | null)[] {
  switch (key.from) {
    case 'agent':
      return []
    case 'file':
      return [key.passphrase]
    case 'text':
      return [key.text, key.passphrase]
  }
}
