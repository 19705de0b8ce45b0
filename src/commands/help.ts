import { z } from 'zod'
import type { Command, Tools } from '../domain/command.ts'
import { defineCommand } from '../domain/command.ts'
import type { Report } from '../domain/report.ts'
import { report } from '../domain/report.ts'

/** All commands, or one with its flags. */
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
    const meant = commands.find((one) => one.word === word && (one.verb === null || one.verb === (verb ?? null)))
    if (meant !== undefined) return helpForOne(meant, terminal)
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

const IN_TERMINAL =
  'pilotflame COMMAND. With --json it prints one JSON document. pilotflame --help shows what the program itself can do.'
const SERVER_FLAGS = `In a terminal also
--url URL
    a server that stands in no configuration; with --model NAME and --engine KIND; its key from PILOTFLAME_API_KEY
--json
    one JSON document
--full
    long texts whole`

function helpForAll(commands: readonly Command[], where: string): Report {
  const rows = commands.map((one) => `${one.usage}\n    ${one.summary}`)
  return report({
    tone: 'neutral',
    status: 'done',
    title: 'What you can ask Pilotflame',
    sections: [
      { kind: 'code', title: 'Commands', body: rows.join('\n'), folded: false },
      { kind: 'text', title: 'Where', body: where, folded: false },
    ],
    json: commands.map(({ word, verb, usage, summary }) => ({ word, verb, usage, summary })),
  })
}

function helpForOne(command: Command, terminal: boolean): Report {
  const flags = command.flags.map(
    (flag) => `--${flag.name}${flag.value === '' ? '' : ` ${flag.value}`}\n    ${flag.help}`,
  )
  const more = terminal && command.needsTarget ? [SERVER_FLAGS, ''] : []
  const body = [command.usage, '', ...flags, '', ...more, ...command.examples.map((line) => `e.g. ${line}`)]
  return report({
    tone: 'neutral',
    status: 'done',
    title: command.summary,
    sections: [{ kind: 'code', title: command.word, body: body.join('\n').trim(), folded: false }],
    json: { usage: command.usage, flags: command.flags },
  })
}
