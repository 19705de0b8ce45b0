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
    const run = runs.open(house.newId(), target?.name ?? null)
    if (run === null) {
      return talk.end(refusal(`Two runs on ${target?.name ?? 'it'} are under way. Wait for one to end, or stop one.`))
    }
    try {
      const report = await call.bound.run(toolsFor(ask, target, run, talk))
      await audit({ ask, command: call.command, target, decision: 'allowed', result: report.status }, house)
      await talk.end(report)
    } finally {
      runs.close(run)
    }
  }

  function toolsFor(ask: Ask, target: Target | null, run: Run, talk: Session): Tools {
    const { targets, commands, rules, clock, reach, every } = house
    const { signal, stoppedBy } = run
    const { memory, progress } = talk
    const shared = { targets, commands, rules, clock, reach, every, signal, stoppedBy, memory, progress, runs }
    return { ...shared, ask, target, checks: house.checks(), stopLine: `stop ${run.id}` }
  }

  return {
    drain: runs.drain,
    stopAll: runs.stopAll,
    async handle(ask, talk) {
      try {
        const meant = await understand(ask, house)
        if (meant === null) return
        const talking = session(ask, talk, house)
        if ('call' in meant) await execute(ask, meant.call, meant.target, talking)
        else if (ask.how !== 'thread') await talking.end(meant.answer)
      } catch (error) {
        await admit(error, talk, house)
      }
    },
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
