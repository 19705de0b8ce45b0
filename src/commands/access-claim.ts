import { z } from 'zod'
import type { Tools } from '../domain/command.ts'
import { defineCommand } from '../domain/command.ts'
import { sentence } from '../domain/failure.ts'
import type { Report } from '../domain/report.ts'
import { refusal, report } from '../domain/report.ts'
import type { Claimed } from '../domain/role.ts'

/** `/pilotflame access claim K7QX9-4MZ2D`: makes whoever can run Pilotflame’s own program its first admin. */
export const accessClaim = defineCommand({
  word: 'access',
  verb: 'claim',
  summary: 'Become the first admin, with the code that “pilotflame access code” prints on the bot’s machine',
  usage: 'access claim CODE',
  access: 'anyone',
  where: 'chat',
  needsMention: true,
  takes: 'words',
  args: z.object({ words: z.array(z.string()).min(1, 'the code is missing').max(4, 'one code is wanted') }),
  async run({ words }, tools) {
    const code = words.join('')
    if (tools.ask.how !== 'slash') return spoilt(code, tools)
    const done = await tools.who.claim(tools.ask, code)
    return done.ok ? told(done.value, tools) : refusal(`${sentence(done.failure)} Nobody was made admin.`, 'failed')
  },
})

/** Everybody in the channel has read it, and might be quicker. */
async function spoilt(code: string, { who, typed }: Tools): Promise<Report> {
  const kept = await who.spoil(code)
  if (!kept.ok) return refusal(`${sentence(kept.failure)} Nobody was made admin.`, 'failed')
  return refusal(
    `Others have read that code here, so it is void. Next: make a new one in a minute, and type it as a slash command, which nobody else sees: ${typed('access claim CODE')}`,
  )
}

function told(done: Claimed, tools: Tools): Report {
  const { person } = tools.ask
  switch (done) {
    case 'claimed':
      return report({
        tone: 'good',
        status: 'done',
        title: `${person.name} (${person.id}) is admin of Pilotflame now`,
        summary: `By a code from its machine, which works for nobody else. Next: ${tools.typed('access grant USER operator')}`,
        json: { person: `${person.team}:${person.id}`, role: 'admin' },
        seenBy: 'channel',
      })
    case 'taken':
      return refusal(
        `There is an admin already, so no code makes another one. Next: see whom to ask with ${tools.typed('access list')}; if none of them is left, whoever runs Pilotflame writes somebody into pilotflame.yml under roles.admins.`,
      )
    case 'wrong':
      return refusal('That is not a code of this bot. Next: compare it with what “pilotflame access code” printed.')
    case 'expired':
      return refusal(
        `That code has expired. Next: make a new one with “pilotflame access code”, and type it within 10 minutes.`,
      )
    case 'used':
      return refusal(
        'That code works once, and made somebody admin before, or was read by others. Next: make a new one in a minute.',
      )
    case 'paused':
      return refusal(
        'Five codes were wrong, so yours are not looked at for 15 minutes. Next: make a new one with “pilotflame access code” then.',
      )
    case 'not a member':
      return refusal(
        'Slack does not show you as a full member of this workspace, and only such a one becomes admin. Next: try again in a minute, or let a full member type it.',
      )
    case 'off':
      return refusal(
        'This bot runs without Slack tokens, so there are no codes. Next: name an admin in pilotflame.yml under roles.',
      )
  }
}
