import { expect } from 'vitest'
import { startDemo } from '../../src/demo.ts'
import type { Config } from '../../src/domain/config.ts'
import type { HostSettings, Target } from '../../src/domain/target.ts'
import type { SlackStandIn } from '../../src/lab/slack/index.ts'
import { test } from './far-test.ts'

test('text of a real model makes no mention and no link in Slack', async ({ serve, sshd }) => {
  const [{ url }, { host }] = await Promise.all([serve('utf8'), sshd()])
  await using console = await openConsole(host, url)
  const { slack } = console
  await slack.slash('/smoke', '"Say hello"')
  const parent = await slack.until(() => slack.messages().find((one) => one.text.includes('Healthy')), 15_000)
  const details = await slack.until(() =>
    slack
      .messages()
      .find(({ ts }) => ts === parent.ts)
      ?.replies.at(-1),
  )
  expect(textsOf(details.blocks, 'plain_text').join('')).toContain('<!channel> <@U123> <https://example.com|here>')
  const marked = sentTexts(slack)
  expect(marked.join('')).toContain('&lt;!channel&gt; &lt;@U123&gt;')
  expect(marked.filter((text) => TOKEN.test(text))).toEqual([])
  expect(elementsOf(slack).filter((type) => LINKING.has(type))).toEqual([])
})

/** What Slack would read as a mention or a link in text with mark-up; the person who asked is ours to name. */
const TOKEN = /<(?!@U0ANNA>)[!@#a-z]/i
const LINKING = new Set(['user', 'usergroup', 'broadcast', 'channel', 'link'])

async function openConsole(host: HostSettings, url: string) {
  const opened = await startDemo({ port: 0, log: SILENT, config: configOf(host, url) })
  if (!opened.ok) throw new Error(opened.failure.observed)
  return { slack: opened.value.slack, [Symbol.asyncDispose]: () => opened.value.close() }
}

function configOf(host: HostSettings, url: string): Config {
  const way = {
    engine: null,
    url,
    host: host.name,
    model: null,
    apiKey: null,
    budget: 4096,
    patienceMs: 10_000,
    ca: null,
    proxy: null,
    protected: false,
    unit: null,
  }
  const target: Target = { name: 'qwen', ...way }
  return {
    targets: [target],
    hosts: [host],
    slack: null,
    roles: { admins: [], operators: [], adminGroups: [], operatorGroups: [] },
    slash: { prefix: '', aliases: {} },
    mentionsOnly: false,
    readFiles: false,
    channels: [],
    keep: { promptsMs: 60_000, attemptsMs: 60_000 },
    storePath: ':memory:',
    secrets: [],
    taught: [],
  }
}

/** Every text that was sent to be read as mark-up: fallbacks, and mrkdwn wherever it stands. */
function sentTexts(slack: SlackStandIn): readonly string[] {
  const sent = slack.calls().filter(({ method }) => method.startsWith('chat.'))
  return sent.flatMap(({ args }) => [String(args['text'] ?? ''), ...textsOf(args['blocks'], 'mrkdwn')])
}

function elementsOf(slack: SlackStandIn): readonly string[] {
  return slack.calls().flatMap(({ args }) => typesIn(parsed(args['blocks'])))
}

/** The `text` of every object of this type, in whatever it is nested. */
function textsOf(blocks: unknown, type: string): readonly string[] {
  return objectsIn(parsed(blocks))
    .filter((one) => Reflect.get(one, 'type') === type)
    .map((one) => String(Reflect.get(one, 'text')))
}

function typesIn(blocks: unknown): readonly string[] {
  return objectsIn(blocks).map((one) => String(Reflect.get(one, 'type')))
}

function objectsIn(value: unknown): readonly object[] {
  if (typeof value !== 'object' || value === null) return []
  return [value, ...Object.values(value).flatMap(objectsIn)]
}

/** Blocks as a form carries them are JSON text. */
function parsed(blocks: unknown): unknown {
  return typeof blocks === 'string' ? JSON.parse(blocks) : blocks
}

const SILENT = { debug() {}, info() {}, warn() {}, error() {} }
