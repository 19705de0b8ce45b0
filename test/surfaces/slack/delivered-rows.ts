import type { Code } from '../../../src/domain/code.ts'
import { BOT, event, press, slash } from './delivered.ts'

/** What a payload has to come to. `told`: nothing for the house, but words for the person. */
export type Expected =
  | { readonly call: object; readonly how?: string; readonly place?: object; readonly person?: object }
  | { readonly problem: string }
  | { readonly help: string | null }
  | { readonly told: string }
  | { readonly nothing: 'unheard' | 'silence' }

export interface Row {
  /** where it is from: a section of the platform notes (slack.md), or the type of a library */
  readonly source: string
  readonly what: string
  readonly payloads: readonly object[]
  readonly expected: Expected
  /** what `diagnose` says of the same text */
  readonly code?: Code
}

const me = `<@${BOT}>`
const unheard = { nothing: 'unheard' } as const
const silence = { nothing: 'silence' } as const
const prompt = (text: string | null, flags: object = {}): Expected => ({
  call: { command: 'smoke', prompt: text, flags },
})
const words = (...given: readonly string[]): Expected => ({ call: { command: 'gpu', words: given } })
const gpu = { command: '/gpu' }

type Text = readonly [source: string, what: string, text: string, expected: Expected, code: Code]

/** Text of /smoke. */
const PROMPTS: readonly Text[] = [
  ['3', 'straight quotes', '"Say hello"', prompt('Say hello'), 'ok.literal-data'],
  ['3', 'no quotes', 'Say hello', prompt('Say hello'), 'ok.literal-data'],
  ['3 smart quotes', 'curly quotes', '“Say hello”', prompt('Say hello'), 'slack.smart-quotes'],
  ['3 smart quotes', 'low quotes', '„Guten Tag“', prompt('Guten Tag'), 'slack.smart-quotes'],
  ['3 smart quotes', 'guillemets', '« Bonjour »', prompt('Bonjour'), 'slack.smart-quotes'],
  ['3 smart quotes', 'a curly and a straight one', '“Say hello"', prompt('Say hello'), 'slack.smart-quotes'],
  ['3 smart quotes', 'an apostrophe inside', '“What’s up?”', prompt('What’s up?'), 'slack.smart-quotes'],
  ['3 smart quotes', 'a lone opening quote', '“Say hello', prompt('Say hello'), 'slack.smart-quotes'],
  ['3 smart quotes', 'a pair with nothing inside', '“”', prompt(null), 'slack.smart-quotes'],
  ['3 dashes', 'a long dash before a flag', '“hi” —max-tokens 5', prompt('hi', { 'max-tokens': '5' }), 'slack.em-dash'],
  ['3 dashes', 'a short dash before a switch', 'hi –no-stream', prompt('hi', { 'no-stream': 'true' }), 'slack.em-dash'],
  ['3 dashes', 'a dash inside a prompt', '“A — B”', prompt('A — B'), 'slack.em-dash'],
  [
    '3 dashes',
    'a dash before a word that is no flag',
    '“hi” —colour 5',
    { problem: 'no flag --colour' },
    'slack.em-dash',
  ],
  [
    '3 spaces',
    'a space that does not break, before a flag',
    'hi\u00A0--target\u00A0qwen',
    prompt('hi', { target: 'qwen' }),
    'slack.nbsp',
  ],
  ['3 spaces', 'zero-width space inside a prompt', '"a\u200Bb"', prompt('a\u200Bb'), 'slack.zero-width'],
  ['3 fences', 'a fence', '```\nprint("hi")\n```', prompt('```\nprint("hi")\n```'), 'slack.code-fence'],
  ['3 fences', 'lines of shift-enter', '"one\n\ntwo"', prompt('one\n\ntwo'), 'ok.literal-data'],
  [
    '3 should_escape',
    'entities are literal in commands',
    '"a &lt;b&gt; &amp; c"',
    prompt('a &lt;b&gt; &amp; c'),
    'ok.literal-data',
  ],
  ['3 should_escape', 'signs as they are', '"a <b> & c"', prompt('a <b> & c'), 'ok.literal-data'],
  ['3 should_escape', 'a mention in a prompt', 'ask <@U1|dana>', prompt('ask <@U1|dana>'), 'slack.mention'],
  ['3', 'another script and emoji', '"Скажи 👩‍💻"', prompt('Скажи 👩‍💻'), 'slack.unicode'],
  ['3', 'nothing', '', prompt(null), 'slack.empty'],
  ['3', 'nothing that is seen', ' \u00A0\u200B', prompt(null), 'slack.empty'],
  ['10 long', '12,000 characters', `"${'ab '.repeat(4000)}"`, prompt('ab '.repeat(4000).trim()), 'slack.long'],
  [
    '10 long',
    'more than 12,000 characters',
    `"${'ab '.repeat(4100)}"`,
    { problem: 'the prompt has 12,299' },
    'slack.long',
  ],
  ['10 long', 'a wall of text', 'ab '.repeat(13_000), { problem: 'at most 16,000 are read' }, 'slack.long'],
]

/** Text of /gpu. */
const NAMES: readonly Text[] = [
  ['3 spaces', 'a space that does not break', 'status\u00A0box-1', words('box-1'), 'slack.nbsp'],
  ['3 spaces', 'zero-width space inside words', 'sta\u200Btus bo\u200Bx', words('box'), 'slack.zero-width'],
  ['3 spaces', 'zero-width space between words', 'status\u200Bbox', words('box'), 'slack.zero-width'],
  ['3 spaces', 'a byte order mark first', '\uFEFFstatus', words(), 'slack.zero-width'],
  ['3 spaces', 'a pasted hyphen that does not break', 'status gpu\u2011box', words('gpu-box'), 'slack.unicode'],
  [
    '3 should_escape',
    'mentions of a person and a channel',
    'status <@U1|dana> <#C1|ops>',
    { problem: 'unknown host' },
    'slack.mention',
  ],
  ['3 should_escape', 'a raw mention', 'status @dana', { problem: 'unknown host' }, 'slack.mention'],
  ['3 autolinks', 'an address', 'status https://box.example', { problem: 'unknown host' }, 'slack.autolink'],
  ['9', 'a name that only looks like one', 'status b\u043Ex', { problem: 'unknown host' }, 'slack.unicode'],
  ['9', 'a shell’s words', 'status $(reboot)', { problem: 'unknown host' }, 'slack.grammar'],
  ['3', 'an unknown verb', 'stauts', { problem: 'did you mean status?' }, 'slack.grammar'],
  ['3', 'nothing', '', { help: 'gpu' }, 'slack.empty'],
]

/** Text of an event. */
const EVENTS: readonly Text[] = [
  ['3 mention', 'runs of spaces', `${me}   gpu   status`, words(), 'slack.mention'],
  ['3 mention', 'no space, a colon', `${me}:gpu status`, words(), 'slack.mention'],
  ['3 mention', 'with its label', `<@${BOT}|pilotflame> gpu status`, words(), 'slack.mention'],
  ['3 mention', 'after zero-width space', `\u200B${me} gpu status`, words(), 'slack.mention'],
  ['3 mention', 'last', `gpu status ${me}`, words(), 'slack.mention'],
  ['3 mention', 'a line before it', `hey ${me} gpu status`, { problem: 'no command “hey”' }, 'slack.grammar'],
  ['3 mention', 'alone', me, { help: null }, 'slack.empty'],
  [
    '3 mention',
    'a person in the place of a host',
    `${me} gpu status <@U1>`,
    { problem: 'unknown host' },
    'slack.mention',
  ],
  [
    '3 autolinks',
    'a bare domain',
    `${me} gpu status <http://n1.example|n1.example>`,
    words('n1.example'),
    'slack.autolink',
  ],
  [
    '3 autolinks',
    'a label that hides its host',
    `${me} gpu status <https://evil.example?x|n1>`,
    { problem: 'unknown host' },
    'slack.autolink',
  ],
  [
    '3 autolinks',
    'in a prompt',
    `${me} smoke "<https://a.example/?b=1&amp;c|a.example/?b>"`,
    prompt('a.example/?b'),
    'slack.autolink',
  ],
  [
    '3 autolinks',
    'mail',
    `${me} smoke "to <mailto:a@b.example|a@b.example>"`,
    prompt('to a@b.example'),
    'slack.autolink',
  ],
  ['3 entities', 'decoded', `${me} smoke "1 &lt; 2 &amp;&amp; 3"`, prompt('1 < 2 && 3'), 'slack.entities'],
  ['3 entities', 'decoded once, amp last', `${me} smoke "&amp;lt;"`, prompt('&lt;'), 'slack.entities'],
  [
    '3 entities',
    'a call to the channel that was typed',
    `${me} smoke "&lt;!channel&gt;"`,
    prompt('<!channel>'),
    'slack.entities',
  ],
  [
    '3 smart quotes',
    'curly quotes and a dash',
    `${me} smoke “hi” —target qwen`,
    prompt('hi', { target: 'qwen' }),
    'slack.em-dash',
  ],
  ['3', 'an unknown command', `${me} thanks!`, { problem: 'no command “thanks!”' }, 'slack.grammar'],
]

const THREAD = { thread_ts: '1.0' }
const again = { actions: [{ type: 'button', action_id: 'pf:good', value: 'good', action_ts: '6.6' }] }

/** Other payloads, and other conditions. */
const PAYLOADS: readonly Row[] = [
  row('3 payload', 'text is missing', [slash(null)], prompt(null)),
  row('3 payload', 'a direct message', [slash('hi', { channel_name: 'directmessage' })], prompt('hi')),
  row('3 payload', 'the bot’s own word', [slash('gpu status', { command: '/pilotflame' })], words()),
  row('3 payload', 'capital letters in the word', [slash('hi', { command: '/Smoke' })], {
    told: 'not one of my commands',
  }),
  row('3 payload', 'a word that is not ours', [slash('hi', { command: '/nope' })], {
    told: '/nope is not one of my commands',
  }),
  row('10 retries', 'the same command twice', [slash('hi'), slash('hi')], prompt('hi')),
  row('9 Enterprise Grid', 'a user id of a grid', [slash('hi', { user_id: 'W1' })], { call: {}, person: { id: 'W1' } }),
  row(
    '9 Slack Connect',
    'somebody of another organisation',
    [event(`${me} gpu status`, { user_team: 'T9', team: 'T9' })],
    {
      call: {},
      person: { team: 'T9,T9' },
    },
  ),
  row(
    '3 twice',
    'app_mention and message',
    [event(`${me} gpu status`), event(`${me} gpu status`, { type: 'message' })],
    words(),
  ),
  row('10 retries', 'an event again', [event(`${me} gpu status`), event(`${me} gpu status`)], words()),
  row('3 threads', 'a mention in a thread', [event(`${me} retry`, THREAD)], {
    call: {},
    place: { channel: 'C1', thread: '1.0' },
  }),
  row('3 threads', 'a reply that is a command', [event('retry', THREAD)], {
    call: { command: 'retry' },
    how: 'thread',
  }),
  row('3 threads', 'a reply that is talk', [event('retry did not help', THREAD)], silence),
  row('3 threads', 'a reply to somebody else', [event('<@U777> retry', THREAD)], silence),
  row('3 threads', 'a reply that changes something', [event('gpu reset', THREAD)], silence),
  row('3 threads', 'a reply without text', [event(undefined, THREAD)], silence),
  row('3 threads', 'talk outside threads', [event('gpu status')], unheard),
  row('3 mention', 'another bot whose id begins alike', [event('<@U000BOT2> gpu status')], unheard),
  row('10 bot loops', 'a bot', [event(`${me} gpu status`, { bot_id: 'B1' })], unheard),
  row('10 bot loops', 'a bot by its subtype', [event(`${me} gpu status`, { subtype: 'bot_message' })], unheard),
  row(
    '10 bot loops',
    'an edited message',
    [event(undefined, { subtype: 'message_changed', message: { text: me } })],
    unheard,
  ),
  row(
    '10 bot loops',
    'a deleted message',
    [event(undefined, { subtype: 'message_deleted', deleted_ts: '1.1' })],
    unheard,
  ),
  row('10 bot loops', 'nobody', [event(`${me} gpu status`, { user: undefined })], unheard),
  row('3 buttons', 'a press', [press('good')], { call: { command: 'retry' }, how: 'button', place: { thread: '1.1' } }),
  row(
    '3 buttons',
    'a press below a message of its own',
    [press('good', { container: { message_ts: '1.2', channel_id: 'C1' }, message: {} })],
    {
      call: {},
      place: { thread: '1.2' },
    },
  ),
  row(
    '3 buttons',
    'a press on what one person sees',
    [press('good', { container: { message_ts: '1.2', is_ephemeral: true }, message: {} })],
    {
      call: {},
      place: { thread: null },
    },
  ),
  row('10 retries', 'the same press twice', [press('good'), press('good')], { call: { command: 'retry' } }),
  row('10 double click', 'two presses', [press('good'), press('good', again)], { call: { command: 'retry' } }),
  row('10 restart', 'an expired button', [press('old')], { told: 'has expired; nothing was run' }),
  row('10 restart', 'a button that nobody knows', [press('gone')], { told: 'has expired; nothing was run' }),
  row(
    '9 buttons',
    'a button of another app',
    [press('x', { actions: [{ type: 'button', action_id: 'rm -rf', action_ts: '1' }] })],
    {
      told: 'has expired; nothing was run',
    },
  ),
]

function row(source: string, what: string, payloads: readonly object[], expected: Expected): Row {
  return { source: `slack.md ${source}`, what, payloads, expected }
}

function rows(texts: readonly Text[], payload: (text: string) => object): readonly Row[] {
  return texts.map(([source, what, text, expected, code]) => ({
    ...row(source, what, [payload(text)], expected),
    code,
  }))
}

/** Payload types × conditions. */
export const ROWS: readonly Row[] = [
  ...rows(PROMPTS, (text) => slash(text)),
  ...rows(NAMES, (text) => slash(text, gpu)),
  ...rows(EVENTS, (text) => event(text)),
  ...PAYLOADS,
]
