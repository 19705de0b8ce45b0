import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { manifestFor } from '../src/app/manifest.ts'
import { commands } from '../src/commands/index.ts'
import { nothingSet } from '../src/config.ts'
import type { Config } from '../src/domain/config.ts'
import { SLASH_LIMITS, SLASH_WORDS } from '../src/domain/slash.ts'

const text = (max: number, min = 1) => z.string().min(min).max(max)

/** Limits of slackapi/manifest-schema 2.0.0, which refuses unknown keys too. */
const Manifest = z.strictObject({
  display_information: z.strictObject({
    name: text(35),
    description: text(140),
    long_description: text(4_000, 175),
    background_color: z.string().regex(/^#[0-9a-f]{6}$/),
  }),
  features: z.strictObject({
    bot_user: z.strictObject({ display_name: text(80), always_online: z.literal(false) }),
    slash_commands: z
      .array(
        z.strictObject({
          command: text(32, 2).startsWith('/'),
          description: text(2_000),
          usage_hint: text(1_000),
          should_escape: z.literal(false, 'prompts must arrive as they were typed'),
        }),
      )
      .max(50),
  }),
  oauth_config: z.strictObject({ scopes: z.strictObject({ bot: z.array(z.string()) }) }),
  settings: z.strictObject({
    event_subscriptions: z.strictObject({ bot_events: z.array(z.string()).max(100) }),
    interactivity: z.strictObject({ is_enabled: z.literal(true) }),
    org_deploy_enabled: z.literal(false),
    socket_mode_enabled: z.literal(true),
    token_rotation_enabled: z.literal(false),
  }),
})

const read = (yaml: string) => Manifest.parse(parse(yaml))

function manifest(given: Partial<Config> = {}) {
  const { features, oauth_config, settings } = read(manifestFor({ ...nothingSet, ...given }))
  return {
    words: features.slash_commands.map(({ command }) => command),
    scopes: oauth_config.scopes.bot,
    events: settings.event_subscriptions.bot_events,
  }
}

test('manifest.yml is what `pilotflame manifest` prints where nothing is set', () => {
  const stands = readFileSync(new URL('../manifest.yml', import.meta.url), 'utf8')
  expect(manifestFor(nothingSet)).toBe(stands)
  expect(read(stands).features.slash_commands.map(({ command }) => command.slice(1))).toEqual([...SLASH_WORDS])
})

test('each slash word is the bot’s own name or a command', () => {
  for (const word of SLASH_WORDS) {
    expect(word === 'pilotflame' || commands.some((command) => command.word === word), word).toBe(true)
  }
})

test('where nothing is set: no scope and no event that only some settings need', () => {
  const { words, scopes, events } = manifest()
  expect(words).toEqual(['/smoke', '/sglang', '/gpu', '/pilotflame'])
  expect(scopes).toEqual([
    'commands',
    'chat:write',
    'app_mentions:read',
    'channels:history',
    'groups:history',
    'channels:read',
    'groups:read',
    'files:write',
    'users:read',
  ])
  expect(events).toEqual(['app_mention', 'message.channels', 'message.groups', 'member_joined_channel'])
})

test('mentions_only: no message is subscribed to, and no history may be read', () => {
  const { scopes, events } = manifest({ mentionsOnly: true })
  expect(events).toEqual(['app_mention', 'member_joined_channel'])
  expect(scopes).toEqual([
    'commands',
    'chat:write',
    'app_mentions:read',
    'channels:read',
    'groups:read',
    'files:write',
    'users:read',
  ])
})

test('uploaded files are read only where read_files is set', () => {
  const { scopes, events } = manifest({ readFiles: true })
  expect(scopes.filter((scope) => !manifest().scopes.includes(scope))).toEqual(['files:read'])
  expect(events).toEqual(manifest().events)
})

test.each(['adminGroups', 'operatorGroups'] as const)('user groups are read only where %s are set', (groups) => {
  const roles = { ...nothingSet.roles, [groups]: ['S0123ABCD'] }
  const { scopes, events } = manifest({ roles })
  expect(scopes.filter((scope) => !manifest().scopes.includes(scope))).toEqual(['usergroups:read'])
  expect(events).toEqual(manifest().events)
})

test('the words of the workspace: ours behind the prefix, aliases as they stand', () => {
  const slash = { prefix: 'acme-', aliases: { llm: 'sglang', smoke: 'smoke' } }
  expect(manifest({ slash }).words).toEqual([
    '/acme-smoke',
    '/acme-sglang',
    '/acme-gpu',
    '/acme-pilotflame',
    '/llm',
    '/smoke',
  ])
})

test('the longest prefix and as many aliases as may be are within the limits of Slack', () => {
  const aliases = Object.fromEntries(
    Array.from({ length: SLASH_LIMITS.words - SLASH_WORDS.length }, (_, at) => [`a${at}`.padEnd(31, 'x'), 'gpu']),
  )
  const { words } = manifest({ slash: { prefix: 'p'.repeat(16), aliases } })
  const longest = Math.max(...words.map((word) => word.length))
  expect({ words: words.length, longest }).toEqual({ words: 50, longest: 32 })
})
