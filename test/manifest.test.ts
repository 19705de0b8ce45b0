import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { commands, slashWords } from '../src/commands/index.ts'
import { BOT_EVENTS, BOT_SCOPES } from '../src/surfaces/slack/scopes.ts'

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

const manifest = Manifest.parse(parse(readFileSync(new URL('../manifest.yml', import.meta.url), 'utf8')))

test('the manifest declares exactly the slash words that the code has', () => {
  const declared = manifest.features.slash_commands.map(({ command }) => command.slice(1))
  expect(declared.toSorted()).toEqual([...slashWords].sort())
})

test('each slash word is the bot’s own name or a command', () => {
  for (const word of slashWords) {
    expect(word === 'pilotflame' || commands.some((command) => command.word === word), word).toBe(true)
  }
})

test('the manifest asks for exactly the scopes that the code needs', () => {
  expect(manifest.oauth_config.scopes.bot.toSorted()).toEqual(Object.keys(BOT_SCOPES).sort())
})

test('the manifest subscribes to exactly the events that the code hears', () => {
  expect(manifest.settings.event_subscriptions.bot_events.toSorted()).toEqual([...BOT_EVENTS].sort())
})
