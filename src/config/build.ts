import type { Config, SlackSettings } from '../domain/config.ts'
import { DEFAULT_BUDGET } from '../domain/smoke.ts'
import type { HostSettings, Target } from '../domain/target.ts'
import { readBaseUrl, readProxyUrl } from '../domain/url.ts'
import type { Around as HostsAround } from './hosts.ts'
import { absolute } from './hosts.ts'
import { taughtBy } from './knowledge.ts'
import type { ConfigFile } from './schema.ts'

/** What a checked file is completed with. */
export interface Around extends HostsAround {
  readonly slack: SlackSettings | null
  /** what stands before each slash word; '' for nothing */
  readonly prefix: string
  readonly hosts: readonly HostSettings[]
  /** the certificates in the file that a target names */
  ca(target: string): string | null
}

type TargetEntry = NonNullable<ConfigFile['targets']>[string]

/** Completes a checked file: defaults, absolute paths, durations in ms, secrets by value. */
export function buildConfig(file: ConfigFile, around: Around): Config {
  const targets = Object.entries(file.targets ?? {}).map(([name, entry]) => targetOf(name, entry, around))
  const { slack, hosts } = around
  return {
    targets,
    hosts,
    slack,
    roles: rolesOf(file),
    mentionsOnly: file.slack?.mentions_only ?? false,
    readFiles: file.slack?.read_files ?? false,
    slash: { prefix: around.prefix, aliases: file.slack?.aliases ?? {} },
    channels: Object.entries(file.slack?.channels ?? {}).map(([id, channel]) => ({
      id,
      targets: channel?.targets ?? [],
      target: channel?.target ?? null,
    })),
    keep: {
      promptsMs: milliseconds(file.keep?.prompts ?? '7d'),
      attemptsMs: milliseconds(file.keep?.attempts ?? '90d'),
    },
    taught: taughtBy(file.knowledge ?? []),
    storePath: file.store === IN_MEMORY ? IN_MEMORY : absolute(file.store ?? './pilotflame.db', around),
    secrets: [
      ...new Set([slack?.botToken, slack?.appToken, ...targets.map((one) => one.apiKey), ...hosts.flatMap(secretsOf)]),
    ].filter((secret) => typeof secret === 'string'),
  }
}

function rolesOf({ roles }: ConfigFile): Config['roles'] {
  return {
    admins: roles?.admins ?? [],
    operators: roles?.operators ?? [],
    adminGroups: roles?.admin_groups ?? [],
    operatorGroups: roles?.operator_groups ?? [],
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

function targetOf(name: string, entry: TargetEntry, around: Around): Target {
  const url = readBaseUrl(entry.url)
  const proxy = entry.proxy === undefined ? null : readProxyUrl(entry.proxy)
  return {
    name,
    engine: entry.engine ?? null,
    url: url.ok ? url.url : entry.url,
    host: entry.host ?? null,
    model: entry.model ?? null,
    apiKey: entry.api_key_env === undefined ? null : around.secret(entry.api_key_env),
    budget: entry.max_tokens ?? DEFAULT_BUDGET,
    patienceMs: milliseconds(entry.patience ?? DEFAULT_PATIENCE),
    ca: around.ca(name),
    proxy: proxy?.ok === true ? proxy.url : null,
    unit: entry.unit ?? null,
    protected: entry.protected ?? false,
  }
}

/** A long prefill is silent too. */
export const DEFAULT_PATIENCE = '60s'

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
