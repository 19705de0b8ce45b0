import { expect } from 'vitest'
import type { GateReply, GateSection } from '../../src/domain/gate.ts'
import type { Host, Ran } from '../../src/domain/host.ts'
import type { Outcome } from '../../src/domain/outcome.ts'
import { failed, ok } from '../../src/domain/outcome.ts'
import type { GateDelivery } from '../../src/domain/target.ts'
import type { Fence } from '../../src/domain/unit.ts'
import type { FollowVerb, Verb } from '../../src/domain/verb.ts'
import type { Act } from '../../src/domain/verbs/change.ts'
import { unit } from '../../src/domain/verbs/index.ts'
import { never, valueIn } from '../adapters/tidy.ts'
import type { Gate } from './box/install.ts'
import type { Verbs } from './verbs-over.ts'
import { newOp, verbsOver } from './verbs-over.ts'

/** One account of one box, asked by both deliveries. */
export interface BothWays extends Verbs {
  /** what was asked for so far: `quick ping` */
  readonly asked: ReadonlySet<string>
  ask<Args, Result>(delivery: GateDelivery, verb: Verb<Args, Result>, args: Args, op?: string): Promise<Asked<Result>>
  /**
   * Asks by both at once. Both answers must be the same to the byte, but for the values of the `moving` keys, which must be
   * there, and for the order of fields within an entry of the journal, which journalctl shuffles anew each time it runs.
   * So must the refusals. Gives the answer.
   */
  same<Args, Result>(verb: Verb<Args, Result>, args: Args, moving?: readonly string[]): Promise<Outcome<Result>>
  /**
   * A change by one after the other, each after `before` and with a plan of its own. The answers may differ in generation
   * and time only.
   */
  change<Args>(
    verb: Verb<Args, Act>,
    alias: string,
    argsFor: (fence: Fence) => Args,
    before?: () => Promise<unknown>,
  ): Promise<Outcome<Act>>
  fence(alias: string): Promise<Fence>
  /** Follows by both until each has so many lines or the time is over; both must see the same, which it gives. */
  follow<Args, Line>(verb: FollowVerb<Args, Line>, args: Args, wanted: number): Promise<readonly Line[]>
}

export interface Asked<Result> {
  readonly outcome: Outcome<Ran<Result>>
  /** what the gate sent; null where it refused */
  readonly reply: GateReply | null
}

export const DELIVERIES: readonly GateDelivery[] = ['installed', 'quick']

export function bothWays({ installed, quick }: Gate): BothWays {
  const verbs = verbsOver([installed, quick])
  const asked = new Set<string>()

  async function ask<Args, Result>(delivery: GateDelivery, verb: Verb<Args, Result>, args: Args, op = newOp()) {
    asked.add(`${delivery} ${verb.name}`)
    const seen: GateReply[] = []
    const watched: Verb<Args, Result> = {
      ...verb,
      parse(reply, given) {
        seen.push(reply)
        return verb.parse(reply, given)
      },
    }
    const outcome = await verbs.host(delivery).run(watched, args, { signal: never, op })
    const reply = seen.at(-1) ?? null
    if (reply !== null) expect(reply.delivery).toBe(delivery)
    return { outcome, reply }
  }

  async function fenceBy(delivery: GateDelivery, alias: string): Promise<Fence> {
    const { fence } = valueIn((await ask(delivery, unit, { unit: alias })).outcome).value
    if (fence === null) throw new Error('no fence: the account keeps no records')
    return fence
  }

  return {
    ...verbs,
    asked,
    ask,
    fence: (alias) => fenceBy('installed', alias),
    async same(verb, args, moving = []) {
      return equal(await Promise.all(DELIVERIES.map((delivery) => ask(delivery, verb, args))), moving)
    },
    async change(verb, alias, argsFor, before = async () => {}) {
      const answers: Asked<Act>[] = []
      for (const delivery of DELIVERIES) {
        await before()
        const fence = await fenceBy(delivery, alias)
        const answer = await ask(delivery, verb, argsFor(fence))
        if (answer.outcome.ok) expect(answer.outcome.value.value.generation).toBe(fence.generation + 1)
        answers.push(answer)
      }
      return equal(answers, ['generation', 'at'])
    },
    async follow(verb, args, wanted) {
      for (const delivery of DELIVERIES) asked.add(`${delivery} ${verb.name}`)
      const [first = [], second = []] = await Promise.all(
        DELIVERIES.map((delivery) => followed(verbs.host(delivery), verb, args, wanted)),
      )
      expect(second).toEqual(first)
      return first
    },
  }
}

async function followed<Args, Line>(host: Host, verb: FollowVerb<Args, Line>, args: Args, wanted: number) {
  const stop = new AbortController()
  const lines: Line[] = []
  const take = (line: Line) => {
    lines.push(line)
    if (lines.length === wanted) stop.abort()
  }
  valueIn(await host.follow(verb, args, take, stop.signal))
  return lines
}

/** The result of answers that are one and the same. */
function equal<Result>(answers: readonly Asked<Result>[], moving: readonly string[]): Outcome<Result> {
  const [first, second] = answers.map((answer) => steady(answer, moving))
  expect(second).toEqual(first)
  const [answer] = answers
  if (answer === undefined) throw new Error('nobody was asked')
  return answer.outcome.ok ? ok(answer.outcome.value.value) : failed(answer.outcome.failure)
}

/** What an answer is but for its moving values, or why there is none, without the name of the host. */
function steady({ outcome, reply }: Asked<unknown>, moving: readonly string[]) {
  if (reply === null) {
    if (outcome.ok) throw new Error('an answer that nobody read')
    return { ...outcome.failure, thing: outcome.failure.thing.replace(/host \S+ /, 'host HOST ') }
  }
  const all = reply.sections.map(({ text }) => text).join('\n')
  for (const key of moving) expect(all).toMatch(new RegExp(`^${key}=.`, 'm'))
  return { rc: reply.rc, sections: reply.sections.map((section) => still(section, moving)) }
}

function still(section: GateSection, moving: readonly string[]): GateSection {
  const text = moving.reduce((all, key) => all.replace(new RegExp(`^${key}=.*$`, 'm'), `${key}=*`), section.text)
  if (section.name === 'processes') return { ...section, text: text.replace(STATE, '$1 * *') }
  return { ...section, text: section.name === 'log' ? text.replace(/^\{.*\}$/gm, sorted) : text }
}

/** What a process does at this moment, and how much memory it has: behind pid, parent, start and owner. */
const STATE = /^(\d+ \d+ \d+ \S+) \S+ \d+/gm

function sorted(entry: string): string {
  const fields: unknown = JSON.parse(entry)
  return JSON.stringify(Object.entries(Object(fields)).toSorted())
}
