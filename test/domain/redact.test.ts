import { expect, test } from 'vitest'
import { redactor } from '../../src/domain/redact.ts'
import { random } from '../random.ts'

const redact = redactor(['s3cret-value', 'a "quoted" one', 'first line of a key\nsecond line of a key', 'ab'])

// No secret stands whole in this file: scanners of others would take it for one.
const letters = 'aBcDeFgHiJ'.repeat(4)
const HF = `hf_${letters.slice(0, 34)}`
const SLACK = ['xox', 'b-123456789012-', letters.slice(0, 24)].join('')

test.each([
  ['a known secret', 'got s3cret-value back', 'got [redacted] back'],
  ['a known secret in JSON', '{"x":"a \\"quoted\\" one"}', '{"x":"[redacted]"}'],
  ['a line of a known secret', 'second line of a key', '[redacted]'],
  ['what an excerpt left of a known secret', 'it said “first line…”', 'it said “[redacted]…”'],
  ['the same, in the middle of a word', 'it said “s3cret-v…”', 'it said “[redacted]…”'],
  ['what an excerpt of the end left of it', 'it said “…e of a key”', 'it said “…[redacted]”'],
  ['what a cut that is not shown left of it', 'it said first line of', 'it said [redacted]'],
  ['no beginning of it before other words', 'the first line says', 'the first line says'],
  ['no part of one of its words at the end', 'a value of s3cret-v', 'a value of s3cret-v'],
  ['no five characters of it', 'the first…', 'the first…'],
  ['an environment line', 'HF_TOKEN=abcdef', 'HF_TOKEN=[redacted]'],
  ['a lower-case key', 'admin_api_key: abcdef', 'admin_api_key: [redacted]'],
  ['server arguments', "ServerArgs(api_key='abc def', tp=2)", "ServerArgs(api_key='[redacted]', tp=2)"],
  ['JSON', '{"apiKey":"abcdef","n":1}', '{"apiKey":"[redacted]","n":1}'],
  ['a flag', 'launch --api-key abcdef --tp 2', 'launch --api-key [redacted] --tp 2'],
  ['a flag with =', '--admin-api-key=abcdef', '--admin-api-key=[redacted]'],
  ['a password of digits', 'PASSWORD=123456', 'PASSWORD=[redacted]'],
  ['a header', 'Authorization: Bearer abcdef', 'Authorization: Bearer [redacted]'],
  ['a header in JSON', '{"authorization":"Basic Zm9vOmJhcg=="}', '{"authorization":"Basic [redacted]"}'],
  ['a URL', 'http://user:pw@host:1/x', 'http://[redacted]@host:1/x'],
  ['a Hugging Face token', `login ${HF}.`, 'login [redacted].'],
  ['a Slack token', SLACK, '[redacted]'],
  ['an app token', `xapp-1-${letters}`, '[redacted]'],
  ['an OpenAI key', `sk-proj-${letters}`, '[redacted]'],
  ['a GitHub token', `ghp_${letters.slice(0, 36)}`, '[redacted]'],
  ['a JWT', `eyJ${letters}.eyJ${letters}.${letters}`, '[redacted]'],
  ['a pair after a word', 'config: db_password=hunter2222', 'config: db_password=[redacted]'],
  ['a pair after a level', 'INFO: api_key=Zz91kkq0LmPp', 'INFO: api_key=[redacted]'],
  ['a pair after a pair', 'ServerArgs: api_key=Zz91kkq0LmPp, tp=2', 'ServerArgs: api_key=[redacted], tp=2'],
  ['a query', 'url=http://x/?api_key=Zz91kkq0LmPp&n=1', 'url=http://x/?api_key=[redacted]&n=1'],
  ['a flag in a value', 'cmd=--api-key=Zz91kkq0LmPp', 'cmd=--api-key=[redacted]'],
  ['a list of arguments', "['--api-key', 'Zz91kkq0LmPp', '--tp']", "['--api-key', '[redacted]', '--tp']"],
  ['a pair after a harmless one', 'token: password=hunter', 'token: password=[redacted]'],
  ['a pair in the value of another', "password=api_key='V4luE W2'", "password=[redacted]'[redacted]'"],
  ['JSON in JSON', '{"a":"{\\"api_key\\": \\"ab cd\\"}"}', '{"a":"{\\"api_key\\": \\"[redacted]\\"}"}'],
  [
    'a header in JSON in JSON',
    '{\\"authorization\\":\\"Basic Zm9v\\"}',
    '{\\"authorization\\":\\"Basic [redacted]\\"}',
  ],
  ['an escaped quote', '{"password":"ab\\"cdef","n":1}', '{"password":"[redacted]","n":1}'],
  ['JSON cut off', '{"password":"hunter22 an', '{"password":"[redacted]'],
  ['aligned columns', `password${' '.repeat(20)}= hunter2`, `password${' '.repeat(20)}= [redacted]`],
  ['an arrow', ":secret => 'abcdef'", ":secret => '[redacted]'"],
  ['a value without end', `secret=${letters.repeat(200)}`, 'secret=[redacted]'],
  [
    'a private key',
    `-----BEGIN OPENSSH PRIVATE KEY-----\n${letters}\n-----END OPENSSH PRIVATE KEY-----\nafter`,
    '[redacted]\nafter',
  ],
  ['a numbered key', 'API_KEY_2=abcdef', 'API_KEY_2=[redacted]'],
  ['a variable with signs of the shell', 'export DB_PASSWORD=Tr0ub4dor&3;x next', 'export DB_PASSWORD=[redacted] next'],
  ['a key that begins like a path', 'aws_secret=/aB3xYzQ9mNbVcXzL', 'aws_secret=[redacted]'],
  ['all of a cookie', 'Cookie: a=b12345; session=c6789', 'Cookie: [redacted]'],
  ['an at sign in the password of a URL', 'redis://:p@sw0rd@host:1/0', 'redis://[redacted]@host:1/0'],
  ['a list of names and values', '- name: HF_TOKEN\n  value: abcdef', '- name: HF_TOKEN\n  value: [redacted]'],
  ['the same in JSON', '{"name":"HF_TOKEN","value":"abcdef"}', '{"name":"HF_TOKEN","value":"[redacted]"}'],
  ['a value on the next line', 'api_key: >-\n  abcdef\nport: 1', 'api_key: >-\n  [redacted]\nport: 1'],
  ['all lines of a block', 'api_key: |\n  a first\n\n  second\nport: 1', 'api_key: |\n  [redacted]\nport: 1'],
  ['a list below a name', 'API_KEY:\n  - abcdef\n  - "g h"\nb: 1', 'API_KEY:\n  - [redacted]\n  - "[redacted]"\nb: 1'],
  ['a list in brackets', '"api_keys": ["abcdef", "g h"], "n": 1', '"api_keys": ["[redacted]", "[redacted]"], "n": 1'],
  ['a flag of two words', 'launch --api-key "two words" --tp 2', 'launch --api-key "[redacted]" --tp 2'],
  ['the same as a list', "['--api-key', 'two words', '--tp']", "['--api-key', '[redacted]', '--tp']"],
  [
    'a digest',
    `Authorization: Digest username="anna", nonce="dcd98b", response="${letters}"`,
    'Authorization: Digest [redacted]',
  ],
  [
    'a signed request',
    `Authorization: AWS4-HMAC-SHA256 Credential=A/2015/s3, SignedHeaders=host;date, Signature=${letters} x`,
    'Authorization: AWS4-HMAC-SHA256 [redacted] x',
  ],
  ['a signed address', 'GET /x?X-Amz-Signature=5d672d79&n=1', 'GET /x?X-Amz-Signature=[redacted]&n=1'],
  ['a ticket', 'Authorization: Negotiate YIIabcdef==', 'Authorization: Negotiate [redacted]'],
  ['a scheme of their own', `Authorization: AcmeKey ${letters} x`, 'Authorization: AcmeKey [redacted] x'],
  ['a short name', 'DB_PASS=hunter2 MYSQL_PWD=hunter2', 'DB_PASS=[redacted] MYSQL_PWD=[redacted]'],
  ['several keys', 'API_KEYS=abcdef,ghijkl', 'API_KEYS=[redacted]'],
  ['a secret of a framework', 'SECRET_KEY_BASE=abcdef', 'SECRET_KEY_BASE=[redacted]'],
  ['a webhook', `https://hooks.slack.com/services/T0/B0/${letters}`, 'https://hooks.slack.com/services/[redacted]'],
  ['base64 of a pair', `x: ${Buffer.from('HF_TOKEN=abcdef123').toString('base64')} y`, 'x: [redacted] y'],
  ['a coloured pair', 'HF_TOKEN\u001b[0m=ab\u001b[31mcdef\u001b[0m ok', 'HF_TOKEN\u001b[0m=[redacted]\u001b[0m ok'],
  ['a token right behind a colour', `x\u001b[31m${HF}`, 'x\u001b[31m[redacted]'],
  ['a known secret with something unseen inside', 's3cret\u200b-va\rlue', '[redacted]'],
  ['the same after sanitise', 's3cret\\u{200b}-va\\u{d}lue', '[redacted]'],
  ['the same in JSON', '"s3cret\\u001b[0m-value"', '"[redacted]"'],
  ['a known secret in a URL', 'q=a%20%22quoted%22%20one', 'q=[redacted]'],
  [
    'letters that look alike',
    'НF_ТОKЕN=abcdef ＡＰＩ＿ＫＥＹ＝ghijkl',
    'НF_ТОKЕN=[redacted] ＡＰＩ＿ＫＥＹ＝[redacted]',
  ],
  [
    'the pieces of a stream',
    `data: {"delta":{"content":"it is ${HF.slice(0, 9)}"}}\n\ndata: {"delta":{"content":"${HF.slice(9)}, ok"}}\n\n`,
    'data: {"delta":{"content":"it is [redacted], ok"}}\n\n',
  ],
  ['the end of a private key', `${letters}\nab==\n-----END EC PRIVATE KEY-----\nafter`, '[redacted]\nafter'],
  ['a PGP key', `-----BEGIN PGP PRIVATE KEY BLOCK-----\n${letters}`, '[redacted]'],
  ['a private key cut off', `-----BEGIN PRIVATE KEY-----\n${letters}`, '[redacted]'],
])('hides %s', (_name, text, hidden) => {
  expect(redact(text)).toBe(hidden)
  expect(redact(hidden)).toBe(hidden)
})

test.each([
  'max_total_num_tokens=12345, eos_token_id=248046',
  'INFO: loading: weights: 3 of 7',
  '{\\"eos_token\\": \\"abcdef\\"}',
  "['--tokenizer', 'Qwen/Qwen3', '--max-token', '5']",
  "eos_token='<|im_end|>' pad_token=<pad>",
  'api_key=None',
  'PWD=/srv/app, OLDPWD=/srv',
  'forward_pass: 12.5ms, by_pass: true',
  'unexpected_keys=["model.layers.0.weight"]',
  'password:\n- must be eight long\n- or more',
  'environment:\n  - NAME=value\n  - OTHER=value',
  'signature algorithm: userauth_pubkey: rejected',
  'Error while signing with key: error:03000098:digital',
  'DB_KEY=/etc/ssl/private/server.pem',
  'sk-learn-is-not-a-key-but-a-library',
  `sha256 ${'0a1b2c3d'.repeat(8)}`,
  '{"content":"a"}\n{"content":"b"}',
  'Grüße, 你好, نص, हिन्दी 👩‍💻',
  'api_key_env: QWEN_API_KEY',
  'key: ~/.ssh/id_ed25519',
  'the key: value pairs, and token: hello',
  '--tokenizer-path Qwen/Qwen3 --ssl-keyfile /x',
  'disk-usage-of-the-whole-machine',
  'next_token: 5, num_key=3, cache_key=abcdef',
  'abstract about cab: ab',
  'completion tokens: 2, reasoning_tokens: 0',
  'http://10.0.0.5:30000/v1',
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIexample',
])('leaves alone: %s', (text) => {
  expect(redact(text)).toBe(text)
})

test('no secret stays, wherever it stands', () => {
  const carriers = [
    (s: string) => s,
    (s: string) => `HF_TOKEN=${s}`,
    (s: string) => `export HF_TOKEN="${s}"`,
    (s: string) => `python -m x --api-key ${s} --tp 2`,
    (s: string) => JSON.stringify({ env: { API_KEY: s } }),
    (s: string) => `  File "x.py", line 1\nValueError: bad token '${s}'`,
    (s: string) => `http://me:${s}@host/`,
    (s: string) => `api_key: ${s}`,
    (s: string) => `Authorization: Bearer ${s}`,
  ]
  const shapes = [
    (body: string) => `hf_${body}`,
    (body: string) => `xoxb-${body}`,
    (body: string) => `sk-ant-${body}`,
    (body: string) => `ghp_${body}`,
  ]
  for (let seed = 0; seed < 1200; seed += 1) {
    const { below, pick } = random(seed)
    const body = Array.from({ length: 36 }, () => pick([...letters]) ?? 'a').join('')
    const secret = pick(shapes)?.(body) ?? ''
    const text = `${'log '.repeat(below(4))}${pick(carriers)?.(secret) ?? ''} tail`
    expect(redact(text), `seed ${seed}`).not.toContain(body)
  }
})

test('no value of a name like a secret stays, whatever stands before it and between', () => {
  const before = [
    'config: ',
    'INFO: ',
    'a=b ',
    'x:',
    'url=http://h/?q=1&',
    'ServerArgs(',
    '{"n": 1, ',
    'token: ',
    'cmd=--',
    '[12:30:45] ',
    '\n',
  ]
  const names = ['password', 'db_password', 'api_key', 'HF_TOKEN', 'clientSecret', '--admin-api-key', 'x.y.credential']
  const between = ['=', ':', ': ', ' = ', ' => ', ':=', '\t:\t']
  const quotes = ['', '"', "'", '\\"', '\\\\\\"']
  for (let seed = 0; seed < 3000; seed += 1) {
    const { below, pick } = random(seed)
    const body = `7${Array.from({ length: 12 }, () => pick([...letters]) ?? 'a').join('')}`
    const [quote, named] = [pick(quotes) ?? '', pick(quotes) ?? '']
    const prefix = Array.from({ length: below(7) }, () => pick(before) ?? '').join('')
    const pair = `${named}${pick(names) ?? ''}${named}${pick(between) ?? ''}${quote}${body}${quote}`
    const clean = redact(`${prefix}${pair}${pick([', tail', ' tail', '}', '\n', '']) ?? ''}`)
    expect(clean, `seed ${seed}: ${prefix}${pair}`).not.toContain(body)
    expect(redact(clean), `seed ${seed}`).toBe(clean)
  }
})

test.each([
  'key=',
  'key=/',
  'ab:',
  'key=9',
  'key="\\',
  'secret \\\\"',
  "auth='",
  'a                ',
  '\\',
  '--key", "',
  "key='",
  '-----BEGIN PRIVATE KEY-----',
  'eyJ',
  'authorization: ',
  'a-',
  '://',
  'a://a',
  '--key-',
  'sk-',
  'sk-a',
  '"',
  '\n',
  '{\n',
  '{"content":"a"}\n',
  '"content":"',
  `${'A'.repeat(64)}\n`,
  'QUJD',
  'AAAAAAAAAAAAAAAA\n',
  '-----END PRIVATE KEY-----\n',
  '\\u001b',
  '\\u{',
  '\u001b[0m',
  '\u200b',
  'é',
  'привет мир ',
  'ａ',
  'e\u0301',
  'name: token value: ',
  'cookie: a=',
  'hf_a',
  'api_key: |\n  ',
  'api_key: |\n  a\n',
  'api_key:\n- a\n',
  'api_keys: [a,',
  'a: [',
  '--api-key "',
  '--api-key "a b',
  'authorization: a a=b,',
  'authorization: ab ',
])('reads 300,000 characters of %o in linear time', (piece) => {
  const text = piece.repeat(300_000 / piece.length)
  const from = process.threadCpuUsage()
  redact(text)
  expect(process.threadCpuUsage(from).user / 1000).toBeLessThan(1000)
})
