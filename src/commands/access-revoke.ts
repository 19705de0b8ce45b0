import { z } from 'zod'
import type { Person } from '../domain/ask.ts'
import { called } from '../domain/called.ts'
import type { Tools } from '../domain/command.ts'
import { defineCommand } from '../domain/command.ts'
import { sentence } from '../domain/failure.ts'
import type { Report } from '../domain/report.ts'
import { refusal, report } from '../domain/report.ts'
import type { Revoked } from '../domain/role.ts'
import { isMember, lookUp, memberIn, noMember } from './access-who.ts'

/** `access revoke U0123ABCD`: takes back what was given in the chat. */
export const accessRevoke = defineCommand({
  word: 'access',
  verb: 'revoke',
  summary: 'Take back the role that somebody was given in the chat',
  usage: 'access revoke USER',
  examples: ['access revoke U0123ABCD'],
  access: 'admin',
  where: 'chat',
  needsMention: true,
  takes: 'people',
  args: z.object({
    words: z.tuple(
      [z.string().refine(isMember, { error: ({ input }) => noMember(String(input)) })],
      'write whose role',
    ),
  }),
  async run({ words: [user] }, tools) {
    const holder = memberIn(user, tools.ask.person)
    if (holder === null) return refusal(`${noMember(user)}.`, 'usage')
    // whoever has left the workspace must be revocable too, so their kind does not matter
    const person = await lookUp(holder, tools)
    const done = await tools.who.revoke(tools.ask, holder)
    if (!done.ok) return refusal(`${sentence(done.failure)} Nothing was changed.`, 'failed')
    return told(done.value, person, tools)
  },
})

async function told(done: Revoked, person: Person, { who, ask }: Tools): Promise<Report> {
  const whom = called(person)
  const { role, from } = await who.held(person)
  const elsewhere = from === 'pilotflame.yml' ? 'whoever runs Pilotflame takes it out there' : 'it is taken away there'
  switch (done) {
    case 'revoked':
      return report({
        tone: 'neutral',
        status: 'done',
        title:
          role === null ? `${whom} has no role any more` : `${whom} lost the role given here, and is still ${role}`,
        summary:
          role === null
            ? `${ask.person.name} took it back. What only looks stays allowed in the channels of pilotflame.yml.`
            : `The role ${role} comes from ${from}; ${elsewhere}.`,
        json: { person: `${person.team}:${person.id}`, role, from },
        seenBy: 'channel',
      })
    case 'last':
      return refusal(
        `${whom} is the only admin, and somebody must be. Nothing was changed. Next: make somebody else admin first.`,
      )
    case 'none':
      return role === null
        ? refusal(`${whom} has no role. Nothing was changed.`)
        : refusal(
            `${whom} is ${role} by ${from}, which a chat does not change. Nothing was changed. Next: ${elsewhere}.`,
          )
  }
}
