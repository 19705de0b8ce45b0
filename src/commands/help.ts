import { z } from 'zod'
import type { Command, Tools } from '../domain/command.ts'
import { defineCommand } from '../domain/command.ts'
import type { Report } from '../domain/report.ts'
import { report } from '../domain/report.ts'
import { wrapped } from '../domain/wrap.ts'

/** All commands, those of one word, or one with its flags. */
export const help = defineCommand({
  word: 'help',
  verb: null,
  summary: 'Show what can be asked',
  usage: 'help [COMMAND]',
  access: 'anyone',
  takes: 'words',
  args: z.object({ words: z.array(z.string()).max(2, 'at most one command is wanted') }),
  async run({ words: [word, verb] }, { ask, commands, typed }) {
    const terminal = ask.how === 'terminal'
    const family = commands.filter((one) => one.word === word)
    const meant = family.length === 1 ? family[0] : family.find((one) => verb !== undefined && one.verb === verb)
    if (meant !== undefined) return helpForOne(meant, terminal)
    const plain = verb === undefined ? family.find((one) => one.verb === null) : undefined
    if (plain !== undefined) return withVerbs(helpForOne(plain, terminal), family, terminal, typed)
    if (family.length > 0) return helpForFamily(family, terminal, typed)
    return helpForAll(
      commands.filter((one) => !terminal || one.where === 'anywhere'),
      terminal ? IN_TERMINAL : inChat(typed),
    )
  },
})

function inChat(typed: Tools['typed']): string {
  const hello = typed('smoke "Say hello"')
  return `Slash commands work in the channel: ${hello}. In a thread, mention the bot: @pilotflame retry max_tokens=8000. Everything else: ${typed('COMMAND')}.`
}

const IN_TERMINAL = `Type: pilotflame COMMAND. With --json it prints one JSON document.
pilotflame --help shows what the program itself can do.`
const ONLY_IN_CHAT = 'It is asked for in a chat; a terminal has none.'
const SERVER_FLAGS = `In a terminal also
--url URL
    a server that stands in no configuration, in the place of --target; with
    --model NAME and --engine KIND; its key from PILOTFLAME_API_KEY
--json
    one JSON document
--full
    long texts whole`

function helpForAll(commands: readonly Command[], where: string): Report {
  return report({
    tone: 'neutral',
    status: 'done',
    title: 'What you can ask Pilotflame',
    sections: [
      { kind: 'code', title: 'Commands', body: commands.map(usageAndSummary).join('\n'), folded: false },
      { kind: 'text', title: 'Where', body: where, folded: false },
    ],
    json: commands.map(inJson),
  })
}

/** One that others begin with: its own flags, and what else there is. */
function withVerbs(own: Report, family: readonly Command[], terminal: boolean, typed: Tools['typed']): Report {
  const others = family.filter(({ verb }) => verb !== null)
  const [first] = others
  const line = `help ${first?.word ?? ''} ${first?.verb ?? ''}`
  const flags = first === undefined ? [] : [`Its flags: ${terminal ? `pilotflame ${line}` : typed(line)}`]
  const body = [...others.map(usageAndSummary), '', ...flags].join('\n')
  const title = terminal && others.every(({ where }) => where === 'chat') ? 'Also, in a chat only' : 'Also'
  return { ...own, sections: [...own.sections, { kind: 'code', title, body, folded: false }] }
}

/** All that begin with one word. */
function helpForFamily(family: readonly Command[], terminal: boolean, typed: Tools['typed']): Report {
  const [word = ''] = family.map((one) => one.word)
  const here = family.filter((one) => !terminal || one.where === 'anywhere')
  const elsewhere = family.filter((one) => !here.includes(one))
  return report({
    tone: 'neutral',
    status: 'done',
    title: `What you can ask with ${word}`,
    sections: [
      ...listed('Commands', here),
      ...listed('In a chat only', elsewhere),
      {
        kind: 'text',
        title: 'More',
        body: `The flags of one: ${terminal ? `pilotflame help ${word} VERB` : typed(`help ${word} VERB`)}`,
        folded: false,
      },
    ],
    json: family.map(inJson),
  })
}

function listed(title: string, commands: readonly Command[]): Report['sections'] {
  if (commands.length === 0) return []
  return [{ kind: 'code', title, body: commands.map(usageAndSummary).join('\n'), folded: false }]
}

function usageAndSummary({ usage, summary }: Command): string {
  return [...usageLines(usage), ...indented(summary)].join('\n')
}

/** Columns of a line, so that a terminal of 80 and the code block of a chat show it whole. */
const WIDTH = 76
const INDENT = '    '

/** Goes on in the next line between two brackets, never inside one. */
function usageLines(usage: string): readonly string[] {
  const whole = usage.replaceAll(/\[[^\]]*\]/g, (part) => part.replaceAll(' ', '\u00a0'))
  return wrapped(whole, WIDTH - INDENT.length).map((line, at) =>
    `${at === 0 ? '' : INDENT.repeat(2)}${line}`.replaceAll('\u00a0', ' '),
  )
}

function indented(text: string): readonly string[] {
  return wrapped(text, WIDTH - INDENT.length).map((line) => `${INDENT}${line}`)
}

function inJson({ word, verb, usage, summary }: Command) {
  return { word, verb, usage, summary }
}

function helpForOne(command: Command, terminal: boolean): Report {
  const { word, verb, summary, usage, examples, where, inTerminal, needsTarget } = command
  const flags = command.flags.map((flag) =>
    [`--${flag.name}${flag.value === '' ? '' : ` ${flag.value}`}`, ...indented(flag.help)].join('\n'),
  )
  const more = terminal && where === 'anywhere' && needsTarget ? [SERVER_FLAGS] : []
  const only = terminal && where === 'chat' ? [ONLY_IN_CHAT, ...(inTerminal === undefined ? [] : [inTerminal])] : []
  const program = terminal && where === 'anywhere' ? 'pilotflame ' : ''
  // whoever has another way here needs no lines to copy that are refused here
  const shown = terminal && inTerminal !== undefined ? [] : examples.map((line) => `e.g. ${program}${line}`)
  const parts = [usageLines(`${program}${usage}`), only, flags, more, shown].filter((part) => part.length > 0)
  const body = parts.map((part) => part.join('\n')).join('\n\n')
  return report({
    tone: 'neutral',
    status: 'done',
    title: summary,
    sections: [{ kind: 'code', title: [word, verb ?? ''].join(' ').trim(), body, folded: false }],
    json: { usage, flags: command.flags },
  })
}
