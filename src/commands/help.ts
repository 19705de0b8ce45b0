import { z } from 'zod'
import type { Command } from '../domain/command.ts'
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
  async run({ words }, { commands }) {
    const [word, verb] = words
    const meant = commands.find((one) => one.word === word && (one.verb === null || one.verb === (verb ?? null)))
    return meant === undefined ? helpForAll(commands) : helpForOne(meant)
  },
})

function helpForAll(commands: readonly Command[]): Report {
  const rows = commands.map((one) => `${one.usage}\n    ${one.summary}`)
  return report({
    tone: 'neutral',
    status: 'done',
    title: 'What you can ask Pilotflame',
    sections: [
      { kind: 'code', title: 'Commands', body: rows.join('\n'), folded: false },
      {
        kind: 'text',
        title: 'Where',
        body: 'Slash commands work in the channel: /smoke "Say hello". In a thread, mention the bot: @pilotflame retry max_tokens=8000. Everything else: /pilotflame COMMAND.',
        folded: false,
      },
    ],
    json: commands.map(({ word, verb, usage, summary }) => ({ word, verb, usage, summary })),
  })
}

function helpForOne(command: Command): Report {
  const flags = command.flags.map(
    (flag) => `--${flag.name}${flag.value === '' ? '' : ` ${flag.value}`}\n    ${flag.help}`,
  )
  const body = [command.usage, '', ...flags, '', ...command.examples.map((line) => `e.g. ${line}`)].join('\n').trim()
  return report({
    tone: 'neutral',
    status: 'done',
    title: command.summary,
    sections: [{ kind: 'code', title: command.word, body, folded: false }],
    json: { usage: command.usage, flags: command.flags },
  })
}
