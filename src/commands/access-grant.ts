import { z } from 'zod'
import type { Person } from '../domain/ask.ts'
import { called } from '../domain/called.ts'
import type { Tools } from '../domain/command.ts'
import { defineCommand } from '../domain/command.ts'
import { sentence } from '../domain/failure.ts'
import type { Report } from '../domain/report.ts'
import { refusal, report } from '../domain/report.ts'
import type { Granted, Role } from '../domain/role.ts'
import { MOST_GRANTS, ROLES } from '../domain/role.ts'
import { isMember, lookUp, memberIn, noMember } from './access-who.ts'

/** `access grant U0123ABCD operator`: gives a role in the chat, seen by the channel. */
export const accessGrant = defineCommand({
  word: 'access',
  verb: 'grant',
  summary: 'Give somebody the role operator (may change servers) or admin (may also change who may)',
  usage: 'access grant USER operator|admin',
  examples: ['access grant U0123ABCD operator'],
  access: 'admin',
  where: 'chat',
  needsMention: true,
  takes: 'people',
  args: z.object({
    words: z.tuple(
      [
        z.string().refine(isMember, { error: ({ input }) => noMember(String(input)) }),
        z.enum(ROLES, 'a role is operator or admin'),
      ],
      'write whom, and which role',
    ),
  }),
  async run({ words: [user, role] }, tools) {
    const holder = memberIn(user, tools.ask.person)
    if (holder === null) return refusal(`${noMember(user)}.`, 'usage')
    const person = await lookUp(holder, tools)
    const no = unfit(person)
    if (no !== null) return refusal(no)
    const done = await tools.who.grant(tools.ask, holder, role)
    return done.ok ? told(done.value, person, role, tools) : refusal(`${sentence(done.failure)} ${UNCHANGED}`, 'failed')
  },
})

const UNCHANGED = 'Nothing was changed.'

/** Only full members of our own team may be anything; who is not known is not let in. */
function unfit(person: Person): string | null {
  const who = called(person)
  switch (person.kind) {
    case 'member':
      return null
    case 'guest':
      return `${who} is a guest of this workspace, and guests may do nothing here. ${UNCHANGED}`
    case 'outsider':
      return `${who} belongs to another organisation, or the account is closed. ${UNCHANGED}`
    case 'bot':
      return `${who} is a bot or an app, and may ask for nothing. ${UNCHANGED}`
    case 'unknown':
    case 'local':
      return `Slack does not tell of a member ${person.id}. ${UNCHANGED} Next: compare the id with that of their profile (⋮, Copy member ID), or try again in a minute.`
  }
}

async function told(done: Granted, person: Person, role: Role, { ask, who, typed }: Tools): Promise<Report> {
  const whom = called(person)
  switch (done) {
    case 'granted':
      return report({
        tone: 'neutral',
        status: 'done',
        title: `${whom} is ${(await who.held(person)).role ?? role} now`,
        summary: `${ask.person.name} gave the role ${role}. Undo: ${typed(`access revoke ${person.id}`)}`,
        json: { person: `${person.team}:${person.id}`, role },
        seenBy: 'channel',
      })
    case 'last':
      return refusal(
        `${whom} is the only admin, and somebody must be. ${UNCHANGED} Next: make somebody else admin first.`,
      )
    case 'full':
      return refusal(
        `There are ${MOST_GRANTS.toLocaleString('en-US')} grants, and no more are kept. ${UNCHANGED} Next: use a user group in pilotflame.yml under roles.`,
      )
  }
}
