import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Loaded } from '../../src/config.ts'
import { loadConfig } from '../../src/config.ts'
import { CERTIFICATE, folder, load, SMALL } from './folder.ts'

const TOKENS = { SLACK_BOT_TOKEN: 'xoxb-1-a', SLACK_APP_TOKEN: 'xapp-1-a' }

function configOf(loaded: Loaded) {
  if (loaded.kind !== 'config') throw new Error(loaded.kind === 'problems' ? loaded.text : loaded.kind)
  return loaded.config
}

test('the smallest file, with every default', () => {
  const cwd = folder({ 'pilotflame.yml': SMALL })
  expect(configOf(loadConfig({ file: null, env: {}, cwd }))).toEqual({
    targets: [
      {
        name: 'qwen',
        engine: null,
        url: 'http://127.0.0.1:30000',
        host: null,
        model: null,
        apiKey: null,
        budget: 4096,
        patienceMs: 60_000,
        ca: null,
        proxy: null,
        protected: false,
        unit: null,
      },
    ],
    hosts: [],
    slack: null,
    roles: { admins: [], operators: [], adminGroups: [], operatorGroups: [] },
    slash: { prefix: '', aliases: {} },
    mentionsOnly: false,
    readFiles: false,
    channels: [],
    keep: { promptsMs: 7 * 86_400_000, attemptsMs: 90 * 86_400_000 },
    storePath: join(cwd, 'pilotflame.db'),
    taught: [],
    secrets: [],
  })
})

const WHOLE = `
hosts:
  bastion: { address: bastion.example, user: ops, agent: true, host_key: [ssh-ed25519 AAAAC3Nz, ssh-rsa AAAAB3Nz me] }
  gpu-box-1:
    address: fe80::1%eth0
    port: 2222
    user: pilotflame
    key: ~/.ssh/id
    key_passphrase_env: BOX_PASSPHRASE
    known_hosts: [hosts, /etc/ssh/known_hosts]
    jump: bastion
  gpu-box-2: { address: 10.0.0.6, user: pilotflame, key_env: BOX_KEY }
targets:
  qwen:
    engine: sglang
    url: http://127.0.0.1:30000/v1/
    host: gpu-box-1
    model: Qwen/Qwen3.6-27B
    api_key_env: QWEN_KEY
    max_tokens: 8192
    patience: 5m
  other: { url: https://llm.example/openai/v1 }
slack:
  channels:
    C0123ABCD: { target: qwen, targets: [qwen, other] }
    G0123ABCD:
roles: { admins: ['T012:U345'], operators: ['T012:W678'] }
keep: { prompts: 0, attempts: 12h }
store: data/store.db
`

function whole() {
  const cwd = folder({
    'etc/pilotflame.yml': WHOLE,
    'secrets/key': 'the key itself\n',
    'secrets/bot': 'xoxb-from-a-file\n',
  })
  const env = {
    HOME: '/home/dana',
    SSH_AUTH_SOCK: '/run/agent',
    PILOTFLAME_CONFIG: 'etc/pilotflame.yml',
    BOX_PASSPHRASE: 'open sesame',
    BOX_KEY_FILE: 'secrets/key',
    QWEN_KEY: 'sesame',
    SLACK_BOT_TOKEN_FILE: 'secrets/bot',
    SLACK_APP_TOKEN: 'xapp-1-a',
  }
  return { cwd, config: configOf(loadConfig({ file: null, env, cwd })) }
}

test('hosts: every way to log in and to be trusted, paths from the file’s own folder', () => {
  const { cwd, config } = whole()
  expect(config.hosts).toEqual([
    {
      name: 'bastion',
      address: 'bastion.example',
      port: 22,
      user: 'ops',
      key: { from: 'agent', socket: '/run/agent' },
      trust: { from: 'pinned', keys: ['ssh-ed25519 AAAAC3Nz', 'ssh-rsa AAAAB3Nz me'] },
      jump: null,
      gate: null,
    },
    {
      name: 'gpu-box-1',
      address: 'fe80::1%eth0',
      port: 2222,
      user: 'pilotflame',
      key: { from: 'file', path: '/home/dana/.ssh/id', passphrase: 'open sesame' },
      trust: { from: 'files', paths: [join(cwd, 'etc/hosts'), '/etc/ssh/known_hosts'] },
      jump: 'bastion',
      gate: null,
    },
    {
      name: 'gpu-box-2',
      address: '10.0.0.6',
      port: 22,
      user: 'pilotflame',
      key: { from: 'text', text: 'the key itself', passphrase: null },
      trust: { from: 'files', paths: ['/home/dana/.ssh/known_hosts'] },
      jump: null,
      gate: null,
    },
  ])
})

test('targets, channels, roles, keeping times, and every secret known by value', () => {
  const { cwd, config } = whole()
  expect(config.targets).toMatchObject([
    {
      name: 'qwen',
      engine: 'sglang',
      url: 'http://127.0.0.1:30000',
      host: 'gpu-box-1',
      apiKey: 'sesame',
      budget: 8192,
      patienceMs: 300_000,
    },
    { name: 'other', engine: null, url: 'https://llm.example/openai', host: null, apiKey: null },
  ])
  expect(config.slack).toEqual({
    botToken: 'xoxb-from-a-file',
    appToken: 'xapp-1-a',
    apiUrl: null,
  })
  expect(config.channels).toEqual([
    { id: 'C0123ABCD', target: 'qwen', targets: ['qwen', 'other'] },
    { id: 'G0123ABCD', target: null, targets: [] },
  ])
  expect(config.roles).toEqual({ admins: ['T012:U345'], operators: ['T012:W678'], adminGroups: [], operatorGroups: [] })
  expect(config.keep).toEqual({ promptsMs: 0, attemptsMs: 43_200_000 })
  expect(config.storePath).toBe(join(cwd, 'etc/data/store.db'))
  expect(new Set(config.secrets)).toEqual(
    new Set(['xoxb-from-a-file', 'xapp-1-a', 'sesame', 'open sesame', 'the key itself']),
  )
})

test('gate, one key of an agent, unit, certificates and proxy', () => {
  const text = `hosts:
  a: { address: x, user: u, agent: true, key: ~/.ssh/bot.pub, gate: installed }
  b: { address: x, user: u, key: k, gate: quick }
targets:
  one: { url: "http://127.0.0.1:1", host: a, unit: qwen_a.1 }
  two: { url: "https://llm.example", ca: certificates/ca.pem, proxy: "HTTP://Proxy.example:3128/" }
`
  const cwd = folder({
    'pilotflame.yml': text,
    'certificates/ca.pem': `of our own\n${CERTIFICATE}${CERTIFICATE}and no more`,
  })
  const env = { HOME: '/home/dana', SSH_AUTH_SOCK: '/run/agent' }
  const { hosts, targets } = configOf(loadConfig({ file: null, env, cwd }))
  expect(hosts).toMatchObject([
    { gate: 'installed', key: { from: 'agent', socket: '/run/agent', only: '/home/dana/.ssh/bot.pub' } },
    { gate: 'quick', key: { from: 'file' } },
  ])
  expect(targets).toMatchObject([
    { unit: 'qwen_a.1', ca: null, proxy: null },
    { protected: false, unit: null, ca: `${CERTIFICATE}${CERTIFICATE}`, proxy: 'http://proxy.example:3128' },
  ])
})

test('nothing set at all is no problem: the console may open', () => {
  expect(loadConfig({ file: null, env: { SLACK_BOT_TOKEN: '' }, cwd: folder({}) })).toEqual({ kind: 'none' })
})

test('tokens without a file say how to start', () => {
  const loaded = loadConfig({ file: null, env: TOKENS, cwd: folder({}) })
  expect(loaded).toMatchObject({
    kind: 'problems',
    text: expect.stringContaining('cp pilotflame.example.yml pilotflame.yml'),
  })
})

test('a file that was named must be there', () => {
  const [cwd, env] = [folder({}), {}]
  expect(loadConfig({ file: 'mine.yml', env, cwd })).toMatchObject({
    kind: 'problems',
    problems: [{ file: 'mine.yml' }],
  })
  expect(loadConfig({ file: null, env: { PILOTFLAME_CONFIG: 'x.yml' }, cwd })).toMatchObject({
    problems: [{ file: 'x.yml' }],
  })
})

test('a file without tokens is a configuration without Slack, and --config wins over the environment', () => {
  const cwd = folder({ 'mine.yml': SMALL })
  const loaded = loadConfig({ file: 'mine.yml', env: { PILOTFLAME_CONFIG: 'other.yml' }, cwd })
  expect(loaded).toMatchObject({ kind: 'config', file: join(cwd, 'mine.yml'), config: { slack: null } })
})

test('all problems come at once, in the order of the file, each with its place and the nearest known key', () => {
  const loaded = load(
    `hosts:
  gpu: { address: 10.0.0.5, user: me, agent: true, prot: 22 }
targets:
  qwen:
    url: http://127.0.0.1:30000
    host: gpx
    max_tokens: lots
`,
    { SLACK_APP_TOKEN: 'xapp-1-a', SSH_AUTH_SOCK: '/run/agent' },
  )
  expect(loaded).toMatchObject({
    kind: 'problems',
    problems: [
      { file: 'environment', line: null, key: 'SLACK_BOT_TOKEN' },
      { file: 'pilotflame.yml', line: 2, column: 52, key: 'hosts.gpu.prot', nearest: 'port' },
      { line: 6, column: 5, key: 'targets.qwen.host', found: 'the unknown host "gpx"', nearest: 'gpu' },
      { line: 7, column: 5, key: 'targets.qwen.max_tokens', found: '"lots"' },
    ],
  })
  expect(loaded.kind === 'problems' && loaded.text).toContain(
    'The configuration has 4 problems:\n  environment SLACK_BOT_TOKEN: found nothing, while SLACK_APP_TOKEN is set.',
  )
})

test('a secret in the file is refused and never repeated', () => {
  const secrets = ['sk-live-0123456789abcdef', 'hunter2hunter2', 'xoxb-123-456']
  const loaded = load(`
targets:
  a: { url: http://127.0.0.1:1, api_key: ${secrets[0]} }
  b: { url: http://127.0.0.1:1, api_key_env: ${secrets[0]} }
  c: { url: 'http://me:${secrets[1]}@127.0.0.1:1' }
hosts:
  d: { address: a, user: b, key: "-----BEGIN OPENSSH PRIVATE KEY-----\\n${secrets[1]}" }
slack: { bot_token: ${secrets[2]} }
store: [${secrets[2]}]
`)
  expect(loaded.kind).toBe('problems')
  for (const secret of secrets) expect(JSON.stringify(loaded)).not.toContain(secret)
  expect(loaded).toMatchObject({ text: expect.stringContaining('SLACK_BOT_TOKEN') })
})

test('200 broken files: each refused, none half loaded, none throws', () => {
  const whole = `hosts:\n  gpu: { address: 10.0.0.5, user: me, key: k }\n${SMALL}    host: gpu\nstore: x.db\n`
  const cwd = folder({ 'pilotflame.yml': whole })
  const file = join(cwd, 'pilotflame.yml')
  const breaks = ['\t', '{', '[', '"', ': :', '&a *a', '@', '\u0000', '- ', '? ']
  for (let at = 0; at < 200; at += 1) {
    const cut = Math.floor((at * whole.length) / 200)
    writeFileSync(file, `${whole.slice(0, cut)}${breaks[at % breaks.length]}\n  \u0001: ${whole.slice(cut)}`)
    expect(loadConfig({ file: null, env: {}, cwd }).kind, `break ${at}`).toBe('problems')
  }
})

test('a ring of jumps is told once', () => {
  const host = (name: string, jump: string): string => `  ${name}: { address: a, user: b, key: k, jump: ${jump} }\n`
  const loaded = load(`hosts:\n${host('a', 'b')}${host('b', 'c')}${host('c', 'a')}${host('d', 'a')}${SMALL}`)
  expect(loaded).toMatchObject({ problems: [{ key: 'hosts.a.jump', found: 'the ring a → b → c → a' }] })
})
