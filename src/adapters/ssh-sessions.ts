import { setTimeout as pause } from 'node:timers/promises'

import type { Failure } from '../domain/failure.ts'
import type { Outcome } from '../domain/outcome.ts'
import { failed, ok } from '../domain/outcome.ts'
import { hostThing, stopped } from '../domain/ssh/failure.ts'
import type { HostSettings } from '../domain/target.ts'
import type { Command, Executed } from './ssh-listen.ts'
import type { Connection } from './ssh-pool.ts'

/** Runs a command as soon as its connection has a session free. Waiting may take as long as the command itself. */
export type RunInTurn = (connection: Connection, command: Command, signal: AbortSignal) => Promise<Outcome<Executed>>

/** How many work at once and how many wait; limiter.ts makes it. */
export type MakeSlots = (limits: { readonly name: string; readonly atOnce: number; readonly waiting: number }) => Slots

interface Slots {
  run<T>(work: () => Promise<Outcome<T>>, signal: AbortSignal): Promise<Outcome<T>>
  shrink(to: number): void
}

/** sshd allows 10 a connection where nobody changed MaxSessions (trust.md F10). */
const AT_ONCE = 8
const WAITING = 64

/** At most 8 commands at once on a connection, or as many as its host allows, and 64 more in line. */
export function sessions(slots: MakeSlots): RunInTurn {
  const lines = new WeakMap<Connection, RunOne>()
  return (connection, command, signal) => {
    const run = lines.get(connection) ?? lineOf(connection, slots)
    lines.set(connection, run)
    return run(command, signal)
  }
}

type RunOne = (command: Command, signal: AbortSignal) => Promise<Outcome<Executed>>

/** sshd may read the next request before it has noted that a session ended: the pauses before it is asked again, in ms. */
const PAUSES = [20, 100, 500]

function lineOf(connection: Connection, slots: MakeSlots): RunOne {
  const { host } = connection
  const line = slots({ name: `commands on ${hostThing(host)}`, atOnce: AT_ONCE, waiting: WAITING })
  const refused = waitingRoom()
  let live = 0
  let ended = 0

  /** The host takes no more than what runs now: wait until one of ours ends. */
  async function mayRetry(pauses: Iterator<number>, over: AbortSignal): Promise<boolean> {
    if (live === 0) return ended > 0 && (await paused(pauses, over))
    line.shrink(live)
    return refused.turn(over)
  }

  /** Holds its slot until the host has let go of the session, though the answer is given before. */
  async function work(command: Command, wait: Wait, answer: (outcome: Outcome<Executed>) => void): Promise<void> {
    const pauses = PAUSES.values()
    for (;;) {
      live += 1
      const { executed, freed } = connection.exec(command, wait.signal)
      const outcome = await executed
      const full = isFull(outcome)
      if (!full) answer(outcome)
      await freed
      live -= 1
      if (!full) ended += 1
      else if (await mayRetry(pauses, wait.over)) continue
      refused.next()
      return answer(wait.over.aborted ? failed(wait.failure()) : outcome)
    }
  }

  return (command, signal) => {
    const { promise, resolve, reject } = Promise.withResolvers<Outcome<Executed>>()
    const wait = waitOf(host, command.deadlineMs, signal)
    const turn = line.run(async () => ok(await work(command, wait, resolve)), wait.over)
    turn.then((outcome) => {
      if (!outcome.ok) resolve(failed(outcome.failure.kind === 'stopped' ? wait.failure() : outcome.failure))
    }, reject)
    return promise.finally(wait.end)
  }
}

/** The host answered that it opens no session more (testbed.md 3.1): reason 1 is a ban, which waiting does not lift. */
function isFull(outcome: Outcome<Executed>): boolean {
  if (!outcome.ok) return false
  const { end } = outcome.value.run
  return end.how === 'error' && end.reason !== undefined && end.reason !== 1
}

/** Those whom the host refused, in order. */
function waitingRoom() {
  const waiting: (() => void)[] = []
  return {
    next: () => waiting.shift()?.(),
    /** False where the signal came first. */
    async turn(signal: AbortSignal): Promise<boolean> {
      const { promise, resolve } = Promise.withResolvers<boolean>()
      const called = () => resolve(true)
      const leave = () => {
        const place = waiting.indexOf(called)
        if (place >= 0) waiting.splice(place, 1)
        resolve(false)
      }
      waiting.push(called)
      signal.addEventListener('abort', leave, { once: true })
      if (signal.aborted) leave()
      return promise.finally(() => signal.removeEventListener('abort', leave))
    },
  }
}

/** False where all pauses are used up, or the signal came. */
async function paused(pauses: Iterator<number>, signal: AbortSignal): Promise<boolean> {
  const next = pauses.next()
  if (next.done === true) return false
  await pause(next.value, undefined, { signal }).catch(() => {})
  return !signal.aborted
}

/** What ends the waiting of one command: its caller, or its deadline. */
interface Wait {
  readonly signal: AbortSignal
  readonly over: AbortSignal
  failure(): Failure
  end(): void
}

function waitOf(host: HostSettings, deadlineMs: number, signal: AbortSignal): Wait {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), deadlineMs)
  return {
    signal,
    over: AbortSignal.any([signal, late.signal]),
    failure: () => (signal.aborted ? stopped(hostThing(host)) : waited(host, deadlineMs)),
    end: () => clearTimeout(timer),
  }
}

function waited(host: HostSettings, ms: number): Failure {
  return {
    kind: 'busy',
    thing: hostThing(host),
    observed: `no session came free within ${ms / 1000} s: commands of ours hold all that it allows`,
    next: 'ask again in a moment; if it stays, see which of our commands hang there (ps), and MaxSessions in sshd_config',
  }
}
