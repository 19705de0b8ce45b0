import { expect, test } from 'vitest'
import { slackDocument } from '../../src/app/diagnose/slack-document.ts'
import { commands } from '../../src/commands/index.ts'
import type { Command } from '../../src/domain/command.ts'
import { lineOf, parse } from '../../src/parse.ts'
import { value } from '../contract/store.ts'
import { ask } from '../parse/house.ts'
import { ANNA, changeHouse } from './change-house.ts'

/** What stands for no name, as Slack delivers it in an event, and how it is echoed. */
const STRANGERS = {
  'a label that hides its address': ['<https://evil.example/a|qwen>', 'https://evil.example/a', 'slack.autolink'],
  'an address': ['<https://evil.example>', 'https://evil.example', 'slack.autolink'],
  'a mail address': ['<mailto:qwen@evil.example|qwen>', 'qwen@evil.example', 'slack.autolink'],
  'a mail address that is none': ['<mailto:qwen|llama>', 'mailto:qwen', 'slack.autolink'],
  'a person': ['<@U777|kim>', '<@U777|kim>', 'slack.mention'],
  'a channel': ['<#C1|ops>', '<#C1|ops>', 'slack.mention'],
  'a user group': ['<!subteam^S1|ops>', '<!subteam^S1|ops>', 'slack.mention'],
} as const

type Named = keyof typeof STRANGERS

interface Place {
  readonly line: (stranger: string) => string
  /** a mention of this sort names what is wanted there */
  readonly fits: Named | null
}

/** Every place of a command where a name is wanted. */
function placesOf({ word, verb, takes, flags }: Command): readonly Place[] {
  const head = [word, verb ?? ''].join(' ').trim()
  const before = takes === 'prompt' ? `${head} "hi"` : head
  const named = flags.flatMap(({ name, kind }): readonly Place[] => {
    if (kind === 'text' || kind === 'number' || kind === 'switch') return []
    const fits = { name: null, names: null, person: 'a person', channel: 'a channel' } as const
    const dashed = [`--${name} `, `--${name}=`, ` —${name} `].map((flag): Place => {
      return { line: (stranger) => `${before} ${flag}${stranger}`, fits: fits[kind] }
    })
    const lists = [`${name} `, `${name} qwen, `, `${name} qwen and `, `--${name} qwen, `].map((list): Place => {
      return { line: (stranger) => `${before} ${list}${stranger}`, fits: null }
    })
    return kind === 'names' ? [...dashed, ...lists] : dashed
  })
  switch (takes) {
    case 'words':
    case 'models':
      return [...named, { line: (stranger) => `${head} ${stranger}`, fits: null }]
    case 'people':
      return [...named, { line: (stranger) => `${head} ${stranger}`, fits: 'a person' }]
    case 'reason':
      return [...named, ...reasons(head)]
    case 'prompt':
    case 'text':
    case 'nothing':
      return named
  }
}

/** Before a reason, in bold letters, in quotes, and alone. */
function reasons(head: string): readonly Place[] {
  return [
    { line: (stranger) => `${head} ${stranger} too hot`, fits: null },
    { line: (stranger) => `${head} *${stranger}* too hot`, fits: null },
    { line: (stranger) => `${head} "${stranger} too hot"`, fits: null },
    { line: (stranger) => `${head} ${stranger}`, fits: null },
  ]
}

/** A word behind help names a command, as a first word does, and is asked back as one that nobody knows. */
const NAMING = commands.filter(({ word }) => word !== 'help')

const ROWS = NAMING.flatMap((command) =>
  placesOf(command).flatMap(({ line, fits }) =>
    Object.entries(STRANGERS).flatMap(([name, [sent, echoed, code]]) =>
      name === fits || (command.takes === 'models' && isAModel(line(sent))) ? [] : [{ line: line(sent), echoed, code }],
    ),
  ),
)

/** `org/name@revision` is a model, and without its dashes a mail address looks so; it is looked up and goes nowhere. */
function isAModel(line: string): boolean {
  return /^knowledge check <mailto:/.test(line)
}

const event = (line: string): string => `<@U000BOT> ${line}`

test('a link or a mention in the place of a name is asked back, by every command, live and by diagnose', async () => {
  const { say, store, told } = await changeHouse()
  value(await store.addGrant({ person: { team: 'T0', id: ANNA.id }, role: 'admin', by: 'code', at: 0 }))
  for (const { line, echoed, code } of ROWS) {
    const text = event(line)
    const heard = await say('', { how: 'mention', said: { form: 'encoded', text }, person: ANNA })
    expect(heard.answer(), line).toMatchObject({ status: 'usage' })
    expect(told(heard).replaceAll('*', ''), line).toContain(`“${echoed}”`)
    expect(told(heard).trim(), line).toMatch(/ Next: write .*\.$/)
    const judged = slackDocument({ surface: 'event', text })
    expect(judged, line).toMatchObject({
      finding: { verdict: 'needs-clarification', code },
      parsed: { action: 'clarify', error: 'unknown host' },
    })
  }
  expect(value(await store.locks())).toEqual([])
  expect(value(await store.audits(1_000)).map(({ decision }) => decision)).toEqual(ROWS.map(() => 'refused'))
  console.log(`links and mentions in the place of a name: ${ROWS.length} lines, run: 0`)
  expect(ROWS.length).toBeGreaterThan(300)
})

test('every flag that takes any text is one that names nothing', () => {
  const free = commands.flatMap(({ flags }) => flags.flatMap(({ name, kind }) => (kind === 'text' ? [name] : [])))
  expect([...new Set(free)].sort()).toEqual(['break-glass', 'reason', 'think'])
})

test.each([
  ['smoke "read <https://a.example/x|qwen>"', 'read https://a.example/x'],
  ['smoke ask <@U777|kim> in <#C1|ops>', 'ask <@U777|kim> in <#C1|ops>'],
  ['smoke <https://a.example|this> --target qwen', 'https://a.example'],
  ['smoke "Summarise" on page <https://a.example>', '"Summarise" on page https://a.example'],
  ['smoke why is fire on <https://a.example>', 'why is fire on https://a.example'],
  ['gpu lock gpu1 see <https://a.example/7|ticket 7>', 'gpu1 see https://a.example/7'],
  ['gpu lock <http://gpu1.example.com|gpu1.example.com> new driver', 'gpu1.example.com new driver'],
  ['sglang lock qwen <@U777> asked for it', 'qwen <@U777> asked for it'],
  ['sglang lock #7 is being mended', '#7 is being mended'],
  ['sglang lock --target qwen <https://a.example/7|ticket 7>', 'https://a.example/7'],
  ['sglang lock "<https://a.example/7> is open" --target qwen', 'https://a.example/7 is open'],
])('%s is read as it was typed, and its button means the same again', (line, prompt) => {
  const read = parse(ask('mention', { form: 'encoded', text: event(line) }), commands)
  expect(read).toMatchObject({ kind: 'call', raw: { prompt } })
  expect(slackDocument({ surface: 'event', text: event(line) })).toMatchObject({ parsed: { action: 'run', prompt } })
  if (read.kind !== 'call') return
  const again = ask('button', { form: 'plain', word: null, text: lineOf(read.command, read.raw) })
  expect(parse(again, commands)).toMatchObject({ kind: 'call', command: read.command, raw: read.raw })
})

test.each([
  ['sglang restart <http://qwen|qwen>', { words: ['qwen'] }],
  ['smoke "hi" --target <http://qwen.example.com|qwen.example.com>', { flags: { target: 'qwen.example.com' } }],
  ['sglang restart qwen --reason <https://a.example/7|7>', { flags: { reason: 'https://a.example/7' } }],
  ['access grant <@U777|kim> operator', { words: ['U777', 'operator'] }],
  ['access explain --channel <#C1|ops>', { flags: { channel: '<#C1|ops>' } }],
  ['audit --person <@U777>', { flags: { person: '<@U777>' } }],
])('%s is a call: label and link say the same, or what is wanted is named so', (line, raw) => {
  expect(parse(ask('mention', { form: 'encoded', text: event(line) }), commands)).toMatchObject({ kind: 'call', raw })
})

test.each([
  ['/gpu', 'lock @kim because', 'slack.mention'],
  ['/gpu', 'lock https://evil.example because', 'slack.autolink'],
  ['/sglang', 'lock https:\u200B//evil.example too hot', 'slack.zero-width'],
  ['/smoke', '"hi" --target=https://evil.example', 'slack.autolink'],
])('typed in a slash command: %s %s', (command, text, code) => {
  expect(slackDocument({ surface: 'slash', command, text })).toMatchObject({
    finding: { verdict: 'needs-clarification', code },
    parsed: { error: 'unknown host' },
  })
})

test.each([
  ['gpu lock <@U777|kim> x', '“<@U777|kim>” is an unknown host or target: it is a mention', 'gpu lock HOST REASON.'],
  [
    'sglang lock <@U777> x',
    'it is a mention of a person or a channel, not a name.',
    'Or put --target NAME before a reason',
  ],
  [
    'sglang restart <https://evil.example|qwen>',
    'what a link shows may not be where it leads',
    'sglang restart [TARGET]',
  ],
  ['smoke "hi" --target <@U777>', '--target: “<@U777>” is a mention', 'write the name itself: --target NAME.'],
  [
    'smoke "hi" on qwen, <https://evil.example|llama>',
    '--on: “https://evil.example” is a link',
    'write on NAME, NAME;',
  ],
  ['smoke "hi" --on <https://evil.example|llama>', '--on: “https://evil.example” is a link', 'write --on NAME,NAME'],
  ['knowledge check <https://evil.example|Qwen>', 'is no name or path of a model: it is a link', 'Qwen/Qwen3.6-27B'],
  ['access grant <https://evil.example|kim> admin', 'is no member id: it is a link', 'Copy member ID'],
  [
    'audit --person <https://evil.example|kim>',
    '--person: “https://evil.example” is',
    'such as U0123ABCD: --person USER.',
  ],
  ['access explain --channel <@U777>', '--channel: “<@U777>” is a mention', 'such as C0123ABCD: --channel CHANNEL.'],
])('%s: the answer tells why, and what to type', (line, why, next) => {
  const read = parse(ask('mention', { form: 'encoded', text: event(line) }), commands)
  expect(read).toMatchObject({ kind: 'problem', text: expect.stringContaining(why) })
  expect(read).toMatchObject({ text: expect.stringContaining(next) })
})

test.each(['help <https://evil.example|smoke>', 'help <@U777>', '<https://evil.example|smoke> hi'])(
  '%s: no command is taken by its label',
  (line) => {
    expect(slackDocument({ surface: 'event', text: event(line) })).toMatchObject({
      finding: { verdict: 'needs-clarification', remedy: ['Type help to see what can be asked.'] },
      parsed: { action: 'clarify', error: 'unknown command' },
    })
  },
)

test('a host by its linked name is locked, and people who talk are not asked back', async () => {
  const { say } = await changeHouse()
  const locked = await say('', {
    how: 'mention',
    said: { form: 'encoded', text: event('gpu lock <http://gpu1|gpu1> new driver') },
    person: ANNA,
  })
  expect(locked.answer()?.title).toBe('Anna (U0ANNA) locked gpu1: “new driver”')
  const text = 'gpu status <https://evil.example|gpu1>'
  const talk = await say('', { how: 'thread', said: { form: 'encoded', text }, person: ANNA })
  expect(talk.answer()).toBeUndefined()
})
