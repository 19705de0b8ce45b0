import { allowedHere } from './authorise.ts'
import { audit } from './dispatch/audit.ts'
import type { House } from './dispatch/house.ts'
import type { Run } from './dispatch/run-book.ts'
import { runBook } from './dispatch/run-book.ts'
import type { Session } from './dispatch/session.ts'
import { session } from './dispatch/session.ts'
import { understand } from './dispatch/understand.ts'
import type { Ask, Person } from './domain/ask.ts'
import type { Tools } from './domain/command.ts'
import type { Conversation } from './domain/conversation.ts'
import { excerpt } from './domain/excerpt.ts'
import { refusal } from './domain/report.ts'
import type { Target } from './domain/target.ts'
import type { Call } from './parse.ts'

export interface Dispatcher {
  /** Answers one ask. Never throws, and where a person waits never stays silent. */
  handle(ask: Ask, talk: Conversation): Promise<void>
  /** Stops all runs in the name of a person. */
  stopAll(by: Person): void
  /** Ends all runs and waits until each has answered, at most `ms`. */
  drain(ms: number): Promise<void>
}

/** The one way through the house: parse, authorise, choose the target, run, record, answer. */
export function dispatcher(house: House): Dispatcher {
  const runs = runBook()

  async function execute(ask: Ask, call: Call, target: Target | null, talk: Session): Promise<void> {
    const { command } = call
    const run = runs.open(house.newId(), target?.name ?? null, talk.place)
    if (run === 'busy' || run === 'stopping') {
      await audit({ ask, command, target, decision: 'refused', result: run }, house)
      return talk.end(refusal(notNow(run, call, target, house)))
    }
    try {
      await audit({ ask, command, target, decision: 'allowed', result: 'started' }, house)
      const report = await call.bound.run(toolsFor(ask, target, run, talk))
      runs.done(run)
      await audit({ ask, command, target, decision: 'allowed', result: report.status }, house)
      await talk.end(report)
    } finally {
      runs.close(run)
    }
  }

  function toolsFor(ask: Ask, target: Target | null, run: Run, talk: Session): Tools {
    const { targets, commands, rules, clock, reach, every, redact } = house
    const { signal, stoppedBy } = run
    const { memory, progress } = talk
    const shared = { targets, commands, rules, clock, reach, every, redact, signal, stoppedBy, memory, progress, runs }
    const checks = house.checks().filter(({ about }) => about === undefined || about.some((name) => mayUse(ask, name)))
    return { ...shared, ask, target, checks, release: () => runs.done(run), stopLine: `stop ${run.id}` }
  }

  function mayUse(ask: Ask, target: string): boolean {
    return allowedHere(ask.place.channel, target, house.policy)
  }

  return {
    drain: runs.drain,
    stopAll: runs.stopAll,
    async handle(ask, talk) {
      try {
        const meant = await understand(ask, house)
        if (meant === null) return
        if ('call' in meant) {
          return await execute(ask, meant.call, meant.target, session(ask, talk, house, meant.target))
        }
        const { command, answer, why } = meant
        await audit({ ask, command, target: null, decision: 'refused', result: why }, house)
        // talk among people that only looks like a command is no reason to speak
        if (ask.how !== 'thread') await session(ask, talk, house, null).end(answer)
      } catch (error) {
        await admit(error, talk, house)
      }
    },
  }
}

/** Why nothing runs, and what it was that does not run. */
function notNow(why: 'busy' | 'stopping', { command, raw }: Call, target: Target | null, house: House): string {
  const what = `Not run: ${command.word}${raw.prompt === null ? '' : ` “${excerpt(house.redact(raw.prompt), 60)}”`}.`
  switch (why) {
    case 'busy':
      return `${what} Two runs on ${target?.name} are under way; wait for one to end, or stop one.`
    case 'stopping':
      return `${what} Pilotflame is being stopped and begins nothing new; ask again in a minute.`
  }
}

/** A bug of ours: recorded whole, and said to whoever waits. */
async function admit(error: unknown, talk: Conversation, house: House): Promise<void> {
  const said = error instanceof Error ? (error.stack ?? error.message) : String(error)
  house.log.error('bug while answering', { error: said })
  const words = 'Pilotflame itself failed here, and wrote the reason into its log. Nothing more was done.'
  const told = talk.end(refusal(words, 'failed'), async () => null)
  await told.catch((late: unknown) => house.log.error('bug while admitting', { late: String(late) }))
}
