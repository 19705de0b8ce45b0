import { z } from 'zod'
import { CHANNEL_ID } from '../domain/ask.ts'
import { defineCommand } from '../domain/command.ts'
import { sentence } from '../domain/failure.ts'
import { report } from '../domain/report.ts'
import { inWords } from './use.ts'

/** The ids that go into pilotflame.yml: who you are and where you are. */
export const whoami = defineCommand({
  word: 'whoami',
  verb: null,
  summary: 'Show the ids to put into roles and channels',
  usage: 'whoami',
  access: 'anyone',
  takes: 'nothing',
  args: z.object({}),
  async run(_given, { ask, usual }) {
    const here = await usual()
    const id = `${ask.person.team}:${ask.person.id}`
    const local = ask.person.kind === 'local'
    const madeUp = !local && !CHANNEL_ID.test(ask.place.channel)
    return report({
      tone: 'neutral',
      status: 'done',
      title: `You are ${id}`,
      facts: [
        {
          label: 'For roles',
          value: local ? 'a local user may do everything; in Slack ask the bot itself: whoami' : id,
        },
        { label: 'This channel', value: `${ask.place.channel}${madeUp ? MADE_UP : ''}` },
        { label: 'Kind', value: ask.person.kind },
        { label: 'Meant here', value: here.ok ? inWords(here.value) : sentence(here.failure) },
      ],
      sections:
        local || madeUp
          ? []
          : [{ kind: 'code', title: 'In pilotflame.yml', body: example(id, ask.place.channel), folded: false }],
      json: { person: id, kind: ask.person.kind, channel: ask.place.channel },
    })
  },
})

/** What pilotflame.yml would refuse. */
const MADE_UP = ' (made up by the console; pilotflame.yml takes the ids that whoami shows in your own Slack)'

function example(id: string, channel: string): string {
  return [`slack:`, `  channels:`, `    ${channel}: {}`, `roles:`, `  operators:`, `    - ${id}`].join('\n')
}
