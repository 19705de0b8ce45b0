import { describe, expect, test } from 'vitest'
import type { Ask } from '../../src/domain/ask.ts'
import { parse } from '../../src/parse.ts'
import { ask, commands, mention, reply, slash, typed } from './house.ts'

interface Prompted {
  readonly text: string
  readonly prompt: string | null
  readonly flags?: Readonly<Record<string, string>>
}

const prompts: readonly Prompted[] = [
  { text: '', prompt: null },
  { text: '""', prompt: null },
  { text: 'Say hello', prompt: 'Say hello' },
  { text: '"Say hello"', prompt: 'Say hello' },
  { text: '„Guten Tag“', prompt: 'Guten Tag' },
  { text: '« Bonjour »', prompt: 'Bonjour' },
  { text: '‘Say hello’', prompt: 'Say hello' },
  { text: '“Say hello"', prompt: 'Say hello' },
  { text: '"Say hello', prompt: 'Say hello' },
  { text: "What's up, y'all?", prompt: "What's up, y'all?" },
  { text: '’tis the season', prompt: '’tis the season' },
  { text: '"one" and "two"', prompt: '"one" and "two"' },
  { text: '"Say hello".', prompt: '"Say hello".' },
  { text: 'a 5" pipe', prompt: 'a 5" pipe' },
  { text: 'C:\\new\\"dir"', prompt: 'C:\\new\\"dir"' },
  { text: 'why is the sky blue', prompt: 'why is the sky blue' },
  { text: 'first line\n\n  second   line', prompt: 'first line\n\n  second   line' },
  { text: '```\nsglang --tp 2 --taret x\n```', prompt: '```\nsglang --tp 2 --taret x\n```' },
  { text: 'non\u00A0breaking\u200Bspaces stay', prompt: 'non\u00A0breaking\u200Bspaces stay' },
  { text: 'hi --target qwen', prompt: 'hi', flags: { target: 'qwen' } },
  { text: '--target qwen “hi” --max-tokens=5', prompt: 'hi', flags: { target: 'qwen', 'max-tokens': '5' } },
  { text: '“hi” —max-tokens 5 –no-stream', prompt: 'hi', flags: { 'max-tokens': '5', 'no-stream': 'true' } },
  { text: 'hi max_tokens=5 target="qwen"', prompt: 'hi', flags: { 'max-tokens': '5', target: 'qwen' } },
  { text: 'hi --target\u00A0“qwen”', prompt: 'hi', flags: { target: 'qwen' } },
  { text: 'what does --target x mean', prompt: 'what does --target x mean' },
  { text: 'what is x=5', prompt: 'what is x=5' },
  { text: 'explain --tensor-parallel-size', prompt: 'explain --tensor-parallel-size' },
  { text: 'hello — and goodbye', prompt: 'hello — and goodbye' },
  { text: '"say --no-stream"', prompt: 'say --no-stream' },
]

/** Several targets: after a prompt in quotes or after none; in a prompt without quotes “on …” is what somebody asks. */
const several: readonly Prompted[] = [
  { text: '"Say hello" on all', prompt: 'Say hello', flags: { on: 'all' } },
  { text: '“Say hello” On All', prompt: 'Say hello', flags: { on: 'All' } },
  { text: '"Say hello" on qwen, llama', prompt: 'Say hello', flags: { on: 'qwen,llama' } },
  { text: '"Say hello" on qwen,llama , vllm-2', prompt: 'Say hello', flags: { on: 'qwen,llama,vllm-2' } },
  { text: '"Say hello" on qwen and llama', prompt: 'Say hello', flags: { on: 'qwen,llama' } },
  { text: '"Say hello" on a, b, and c', prompt: 'Say hello', flags: { on: 'a,b,c' } },
  { text: '"Say hello" on qwen llama', prompt: 'Say hello', flags: { on: 'qwen,llama' } },
  { text: '"Say hello" on qwen, qwen', prompt: 'Say hello', flags: { on: 'qwen' } },
  { text: '"Say hello" on "qwen, llama"', prompt: 'Say hello', flags: { on: 'qwen,llama' } },
  { text: '"hi" on all --max-tokens 5', prompt: 'hi', flags: { on: 'all', 'max-tokens': '5' } },
  { text: '"hi" max_tokens=5 on a, b', prompt: 'hi', flags: { on: 'a,b', 'max-tokens': '5' } },
  { text: '--max-tokens 5 "hi" on all', prompt: 'hi', flags: { on: 'all', 'max-tokens': '5' } },
  { text: '"hi" --on a,b', prompt: 'hi', flags: { on: 'a,b' } },
  { text: '"hi" --on a, b', prompt: 'hi', flags: { on: 'a,b' } },
  { text: '"hi" —on=a, b --no-stream', prompt: 'hi', flags: { on: 'a,b', 'no-stream': 'true' } },
  { text: '--on all why is the sky blue', prompt: 'why is the sky blue', flags: { on: 'all' } },
  { text: 'why is the sky blue --on a, b', prompt: 'why is the sky blue', flags: { on: 'a,b' } },
  { text: 'on all', prompt: null, flags: { on: 'all' } },
  { text: 'on qwen, llama', prompt: null, flags: { on: 'qwen,llama' } },
  { text: '--max-tokens 5 on all', prompt: null, flags: { on: 'all', 'max-tokens': '5' } },
  { text: 'why is fire on all day', prompt: 'why is fire on all day' },
  { text: 'why is fire on all', prompt: 'why is fire on all' },
  { text: 'on the roof is a cat', prompt: 'on the roof is a cat' },
  { text: 'on love and war', prompt: 'on love and war' },
  { text: 'on', prompt: 'on' },
  { text: '"Say hello" on', prompt: '"Say hello" on' },
  { text: '"fire" on ice, is it hot?', prompt: '"fire" on ice, is it hot?' },
  { text: '"one" on "two"', prompt: '"one" on "two"' },
  { text: '"hi on all"', prompt: 'hi on all' },
  { text: '"on all"', prompt: 'on all' },
  { text: 'what does ls --a do --l', prompt: 'what does ls --a do --l' },
]

test.each([...prompts, ...several])('/smoke $text', ({ text, prompt, flags }) => {
  expect(parse(slash('/smoke', text), commands)).toMatchObject({
    kind: 'call',
    command: { word: 'smoke', verb: null },
    raw: { prompt, flags: flags ?? {} },
  })
})

const problems: readonly [Ask, ...string[]][] = [
  [mention('smok hello'), '“smok”', 'did you mean smoke?'],
  [mention('please help us'), '“please”', 'type help'],
  [slash('/smoke', 'hi --max-token 5'), '--max-token', 'did you mean --max-tokens?'],
  [slash('/smoke', '--tagret x hi'), '--tagret', 'did you mean --target?'],
  [slash('/smoke', 'hi --target'), '--target has no value', 'write --target NAME'],
  [slash('/smoke', 'hi --target --no-stream'), '--target has no value', 'write --target NAME'],
  [slash('/smoke', 'hi --target a --target b'), '--target is given twice', 'keep one'],
  [slash('/smoke', 'hi --no-stream=5'), 'is a switch', 'write --no-stream alone'],
  [slash('/smoke', 'hi --on'), '--on has no names', 'write --on NAME,NAME'],
  [slash('/smoke', '"hi" --on $(reboot)'), '--on has no names', 'write --on NAME,NAME'],
  [slash('/smoke', '"hi" --on https://a.example'), '--on: “https://a.example” is a link', 'write --on NAME,NAME'],
  [slash('/smoke', '"hi" on a --on b'), '--on is given twice', 'keep one'],
  [slash('/smoke', 'hi --max-tokens many'), '--max-tokens: a number is wanted', 'Usage: smoke'],
  [slash('/smoke', '"Say hello" --modle foo'), 'there is no flag --modle', 'use one of --target'],
  [slash('/smoke', '--tp 2 "Say hello"'), 'there is no flag --tp', 'use one of'],
  [slash('/smoke', '"hi" --max-token 5 then'), '--max-token', 'did you mean --max-tokens?'],
  [
    mention('smoke “Say hello” —model foo --target qwen'),
    '--model goes only with --url in the terminal',
    '--target NAME',
  ],
  [typed('smoke', 'Say hello', '--model', 'foo'), '--model goes only with --url in the terminal', '--target NAME'],
  [typed('smoke', 'Hello', '--engine=vllm', '--target', 'qwen'), '--engine goes only with --url', '--target NAME'],
  [typed('smoke', 'Hello', '--temprature', '0'), 'there is no flag --temprature', 'use one of'],
  [typed('smoke', '--colour', 'Hello'), 'there is no flag --colour', 'use one of'],
  [typed('smoke', 'hi', '--urll', 'http://a'), 'there is no flag --urll', 'did you mean --url?'],
  [typed('smoke', 'hi', '--u', 'http://a'), 'there is no flag --u', 'use one of'],
  [typed('gpu', 'status', '--jso'), 'there is no flag --jso', 'did you mean --json?'],
  [slash('/smoke', '"hi" --urll http://a'), 'there is no flag --urll', 'use one of --target'],
  [slash('/gpu', 'stauts'), '“stauts”', 'did you mean status?'],
  [slash('/gpu', 'temperature'), '“temperature”', 'use one of status, reset'],
  [slash('/gpu', 'status --colour red'), '--colour', 'use one of --sort'],
  [slash('/gpu', 'status $(reboot)'), '“$(reboot)”', 'unknown host'],
  [slash('/gpu', 'status ; reboot'), '“;”', 'unknown host'],
  [mention('gpu status <https://evil.example?x=y|gpu-box.example.com>'), 'evil.example', 'unknown host'],
  [mention('gpu status <@U123ABC>'), '“<@U123ABC>”', 'unknown host'],
  [slash('/gpu', 'reset now'), '“now”', 'write gpu reset'],
  [mention('retry with more tokens'), '“with more tokens”', 'write retry'],
  [mention('retry --tokens 5'), '--tokens', 'use one of --max-tokens'],
  [slash('/gpu', `status ${'box '.repeat(201)}`), '201 words', 'at most 200'],
]

test.each(problems)('%o is a problem that says what was found and what to write', (asked, ...said) => {
  const parsed = parse(asked, commands)
  expect(parsed.kind).toBe('problem')
  for (const words of said) expect(parsed).toMatchObject({ text: expect.stringContaining(words) })
})

const calls: readonly [string, Ask, object][] = [
  [
    'the slash word of the bot is transparent',
    slash('/pilotflame', 'retry max_tokens=5'),
    { raw: { flags: { 'max-tokens': '5' } } },
  ],
  ['a mention', mention('retry max_tokens=5'), { command: { word: 'retry' } }],
  ['a capital letter of a phone', mention('Retry'), { command: { word: 'retry' } }],
  ['a verb alone on the line', slash('/smoke', 'why'), { command: { verb: 'why' } }],
  ['a slash in a mention', mention('/gpu status'), { command: { verb: 'status' } }],
  [
    'words from a shell',
    typed('smoke', 'Say "hi" there', '--target', 'qwen'),
    { raw: { prompt: 'Say "hi" there', flags: { target: 'qwen' } } },
  ],
  ['loose words from a shell', typed('smoke', 'Say', 'hello'), { raw: { prompt: 'Say hello' } }],
  [
    'several targets from a shell, where the quotes of a prompt of one word are gone',
    typed('smoke', 'Hello', 'on', 'all'),
    { raw: { prompt: 'Hello', flags: { on: 'all' } } },
  ],
  [
    'several targets in one word from a shell',
    typed('smoke', 'Say hello', 'on', 'qwen, llama'),
    { raw: { prompt: 'Say hello', flags: { on: 'qwen,llama' } } },
  ],
  ['loose words that end so', typed('smoke', 'why', 'fire', 'on', 'all'), { raw: { prompt: 'why fire on all' } }],
  ['a flag in a quoted word from a shell', typed('smoke', 'what is --tp'), { raw: { prompt: 'what is --tp' } }],
  ['a flag between quotes', slash('/smoke', '"one" and --two "three"'), { raw: { prompt: '"one" and --two "three"' } }],
  ['a dash after a quoted prompt', slash('/smoke', '"one" — two'), { raw: { prompt: '"one" — two' } }],
  ['entities, once', mention('smoke "a &lt;b&gt; &amp;amp; &amp;lt;"'), { raw: { prompt: 'a <b> &amp; &lt;' } }],
  [
    'mentions stay text in a prompt',
    mention('smoke "ask <@U1> in <#C2|ops> <!here>"'),
    { raw: { prompt: 'ask <@U1> in <#C2|ops> <!here>' } },
  ],
  [
    'a label that hides another host',
    mention('smoke read <https://evil.example/x|good.example>'),
    { raw: { prompt: 'read https://evil.example/x' } },
  ],
  [
    'a mail address',
    mention('smoke write to <mailto:a@b.example|a@b.example>'),
    { raw: { prompt: 'write to a@b.example' } },
  ],
  [
    'a link with a port as a name',
    mention('gpu status <http://node1.example|node1.example>'),
    { raw: { words: ['node1.example'] } },
  ],
]

/** What pasting and other ways to mention bring. */
const pasted: readonly [string, Ask, object][] = [
  [
    'a zero-width space inside a name',
    slash('/gpu', 'sta\u200Btus gpu\u200B-box-1'),
    { raw: { words: ['gpu-box-1'] } },
  ],
  ['a zero-width space as the only border', slash('/gpu', 'status\u200Bgpu-box-1'), { raw: { words: ['gpu-box-1'] } }],
  [
    'a byte order mark and marks of direction',
    slash('/gpu', '\uFEFFstatus \u200Ebox\u200F'),
    { raw: { words: ['box'] } },
  ],
  [
    'a soft hyphen and a hyphen that does not break',
    slash('/gpu', 'status gpu\u2011bo\u00ADx'),
    { raw: { words: ['gpu-box'] } },
  ],
  [
    'a flag with what nobody sees',
    slash('/smoke', 'hi --max\u200B-tokens 5'),
    { raw: { flags: { 'max-tokens': '5' } } },
  ],
  ['the same inside a prompt stays', slash('/smoke', '"a\u200Bb\u00ADc"'), { raw: { prompt: 'a\u200Bb\u00ADc' } }],
  [
    'a mention after the line',
    ask('mention', { form: 'encoded', text: 'gpu status <@U000BOT>' }),
    { raw: { words: [] } },
  ],
  [
    'a mention after the line, and one of its own',
    ask('mention', { form: 'encoded', text: '<@U000BOT> smoke ask <@U1>' }),
    { raw: { prompt: 'ask <@U1>' } },
  ],
]

test.each([...calls, ...pasted])('a call: %s', (_name, asked, expected) => {
  expect(parse(asked, commands)).toMatchObject({ kind: 'call', ...expected })
})

test.each([
  [mention(''), null],
  [mention('help'), null],
  [mention('help gpu'), 'status'],
  [mention('help gpu reset'), 'reset'],
  [slash('/gpu', ''), 'status'],
  [slash('/gpu', 'help'), 'status'],
  [slash('/gpu', 'reset --help'), 'reset'],
  [slash('/gpu', '-h'), 'status'],
  [typed('--help'), null],
  [typed('-h'), null],
])('help is wanted: %o', (asked, verb) => {
  const parsed = parse(asked, commands)
  expect(parsed).toMatchObject({ kind: 'help', command: verb === null ? null : { verb } })
})

test('what is echoed is cut, and never inside a word: half a secret would not be known again', () => {
  const parsed = parse(mention(`retry ${'it '.repeat(25)}hf_${'A1b2'.repeat(9)}`), commands)
  expect(parsed).toMatchObject({ text: expect.stringContaining('it it …”') })
  expect(parsed).not.toMatchObject({ text: expect.stringContaining('hf_A') })
})

test.each([
  slash('/smoke', '"hi" --help'),
  slash('/smoke', '-h'),
  slash('/smoke', '--help "hi"'),
  slash('/smoke', '"hi" —help --max-tokens 5'),
  slash('/smoke', 'what does it do --help'),
  mention('smoke -h'),
  typed('smoke', 'hi', '--help'),
  reply('smoke "hi" --help'),
])('help of the command is wanted, whatever else is said: %o', (asked) => {
  expect(parse(asked, commands)).toMatchObject({ kind: 'help', command: { word: 'smoke', verb: null } })
})

test.each([
  ['"help me with --help"', 'help me with --help'],
  ['help me', 'help me'],
  ['"ls -h"', 'ls -h'],
  ['what does ls -h do', 'what does ls -h do'],
  ['explain `du -h /tmp`', 'explain `du -h /tmp`'],
  ['```\nsglang --help\n```', '```\nsglang --help\n```'],
  ['explain curl -H', 'explain curl -H'],
])('a question about help is a prompt: %s', (text, prompt) => {
  expect(parse(slash('/smoke', text), commands)).toMatchObject({ kind: 'call', raw: { prompt } })
})

describe('a reply without mention', () => {
  test.each(['retry', 'retry max_tokens=4000', 'smoke', 'smoke "Say hello"', 'smoke why', 'gpu status', 'Retry'])(
    '%s is a call',
    (text) => {
      expect(parse(reply(text), commands).kind).toBe('call')
    },
  )
  test.each([
    'retry that please',
    'smoke signals everywhere',
    'gpu status looks fine to me',
    'gpu reset',
    'gpu',
    'thanks!',
    '',
    '\u200B',
    'retry max_token=4000',
    'help me',
    'smoke tests with ls -h fail here',
    '<@U777> retry',
    'x'.repeat(20_000),
  ])('%s is silence', (text) => {
    expect(parse(reply(text), commands)).toEqual({ kind: 'silence' })
  })
})
