import { changes } from './authorise.ts'
import { audit } from './dispatch/audit.ts'
import { propose } from './dispatch/change/plan.ts'
import { press, pressOf } from './dispatch/change/press.ts'
import { cannotRecord } from './dispatch/change/words.ts'
import type { Ending } from './dispatch/ending.ts'
import { endingOf } from './dispatch/ending.ts'
import type { House } from './dispatch/house.ts'
import { runBook } from './dispatch/run-book.ts'
import type { Session } from './dispatch/session.ts'
import { session } from './dispatch/session.ts'
import { namedIn } from './dispatch/several.ts'
import type { Working } from './dispatch/tools.ts'
import { toolsFor } from './dispatch/tools.ts'
import { understand } from './dispatch/understand.ts'
import type { Ask, Person } from './domain/ask.ts'
import type { Command } from './domain/command.ts'
import type { Conversation } from './domain/conversation.ts'
import { excerpt } from './domain/excerpt.ts'
import { sentence } from './domain/failure.ts'
import { ok } from './domain/outcome.ts'
import type { Report } from './domain/report.ts'
import { refusal } from './domain/report.ts'
import type { Target } from './domain/target.ts'
import { protectedAlike } from './domain/target.ts'
import type { Call } from './parse.ts'

export interface Dispatcher {
  /** Answers one ask. Never throws, and where a person waits never stays silent. */
  handle(ask: Ask, talk: Conversation): Promise<void>
  /** Records what a surface refused by itself. */
  refused(asked: Pick<Ask, 'person' | 'place'>, why: string): Promise<void>
  /** Stops all runs in the name of a person. */
  stopAll(by: Person): void
  /** Ends all runs and waits until each has answered, at most `ms`. */
  drain(ms: number): Promise<void>
}

/** The one way through the house: parse, authorise, choose the target, run, record, answer. */
export function dispatcher(given: House): Dispatcher {
  const house = { ...given, targets: protectedAlike(given.targets) }
  const runs = runBook()

  async function execute(ask: Ask, call: Call, target: Target | null, talk: Session): Promise<void> {
    const { command } = call
    // a plan or a lock asks nothing of a model, so it is not counted among what measures one
    const used = command.access === 'read' ? (target?.name ?? null) : null
    const run = runs.open(house.newId(), used, talk.place)
    const line = { ask, command, target: target?.name ?? namedIn(call, ask.place.channel, house) }
    if (run === 'busy' || run === 'stopping') {
      await audit({ ...line, decision: 'refused', result: run }, house)
      await talk.end(refusal(notNow(run, call, target, house)))
      return
    }
    try {
      const no = await unrecorded(line, house)
      if (no !== null) return void (await talk.end(no))
      const { report, stands, ...result } = await answerOf(call, { ask, target, run, talk })
      runs.done(run)
      await audit({ ...line, ...result }, house)
      const message = await talk.end(report)
      await stands?.(message)
    } finally {
      runs.close(run)
    }
  }

  async function answerOf(call: Call, working: Working): Promise<Ending> {
    const { work } = call.bound
    const tools = toolsFor(working, house, runs)
    return work.kind === 'answer' ? endingOf(call.command, await work.run(tools)) : propose(call, work, tools, house)
  }

  return {
    drain: runs.drain,
    stopAll: runs.stopAll,
    async refused(ask, why) {
      await audit({ ask, command: null, target: null, decision: 'refused', result: why }, house)
    },
    async handle(ask, talk) {
      try {
        const pressed = pressOf(ask)
        if (pressed !== null) return await press(pressed, { ask, talk }, house, runs)
        const meant = await understand(ask, house)
        if (meant === null) return
        if ('call' in meant) {
          talk.understood?.()
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

interface Line {
  readonly ask: Ask
  readonly command: Command
  readonly target: string | null
}

/** What must be kept before anything runs: that it was asked for, and that its question is answered. Null: it is. */
async function unrecorded(line: Line, house: House): Promise<Report | null> {
  const { once } = line.ask
  const first = once === undefined ? ok(true) : await house.store.useButton(once, house.clock.now())
  if (!first.ok || !first.value) {
    await audit({ ...line, decision: 'refused', result: first.ok ? 'button used' : 'button not noted' }, house)
    return first.ok ? refusal(ANSWERED) : cannotRecord(sentence(first.failure))
  }
  const kept = await audit({ ...line, decision: 'allowed', result: 'started' }, house)
  return kept.ok || !changes(line.command.access) ? null : cannotRecord(sentence(kept.failure))
}

const ANSWERED = 'That question was answered already; nothing was run. Next: ask again.'

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
