import { setTimeout as timer } from 'node:timers/promises'
import type { Receiver } from '@slack/bolt'
import type { Failure } from '../../domain/failure.ts'
import type { Outcome } from '../../domain/outcome.ts'
import { failed, ok } from '../../domain/outcome.ts'
import type { Clock, Log } from '../../domain/ports.ts'
import { hearing } from './hearing.ts'
import type { Line, LineTimes } from './line.ts'
import { line } from './line.ts'
import type { DialNeeds, Link } from './link.ts'
import { dial } from './link.ts'
import { silenceWatch } from './silence.ts'
import { tally } from './tally.ts'

/** Slack's end of the bot: two Socket Mode connections that bring everything into one Bolt app. */
export interface Sockets extends Receiver {
  /** Resolves when one connection is there. A failure names the app token or the network. */
  open(): Promise<Outcome<null>>
  /** From now on events are left to Slack, which delivers them again later; commands and presses still come. */
  drain(): void
  close(): Promise<void>
  state(): SocketState
  /** Resolves when Slack refuses the app token for good while no connection is left. */
  readonly lost: Promise<Failure>
}

export interface SocketState {
  /** connections on which Slack hands over what people say */
  readonly live: number
  readonly wanted: number
  /** connections of other programs with the same app token */
  readonly foreign: number
  /** since Slack last handed something over; null: it has not yet */
  readonly heardMs: number | null
  /** why a connection is missing; null where none is, or it was not its turn yet */
  readonly trouble: Failure | null
}

/** All in ms. */
export interface SocketTimes extends LineTimes {
  /** the second connection is this much younger than the first, so that Slack does not refresh both at once */
  readonly apartMs: number
  /** from Slack's address to its hello */
  readonly helloMs: number
  /** between two pings of ours */
  readonly beatMs: number
  /** how long the first connection is tried */
  readonly startMs: number
  /** without a connection for longer than this: an error in the log (trust.md F3) */
  readonly deafMs: number
}

const TIMES: SocketTimes = {
  apartMs: 60_000,
  helloMs: 15_000,
  beatMs: 4_000,
  steadyMs: 5_000,
  graceMs: 3_000,
  firstWaitMs: 500,
  longestWaitMs: 15_000,
  startMs: 20_000,
  deafMs: 15_000,
}

interface Options extends Pick<DialNeeds, 'client' | 'openWire'> {
  readonly clock: Clock
  readonly log: Log
  readonly times?: Partial<SocketTimes> | undefined
}

/** Slack may have had a slip; after this many refusals in a row it means it. */
const REFUSALS = 3
const LINES = 2
/** A connection goes within a second of its goodbye; no stop waits longer than this, in ms. */
const GOODBYE_MS = 2_000

export function sockets(options: Options): Sockets {
  const { client, openWire, clock, log } = options
  const times = { ...TIMES, ...options.times }
  const lines: Line[] = []
  const live = () => lines.filter((one) => one.isLive()).length
  const counts = tally(clock, log)
  const silence = silenceWatch(times.deafMs, log)
  const ears = hearing(clock, log)
  const fate = fateOf(times, clock, live)
  const needs = { ...times, client, openWire, log, hear: ears.hear, began: counts.began }
  const once = (signal: AbortSignal) => dial(needs, signal)

  function onOpen({ counted }: Link): void {
    silence.end()
    if (counted !== null) counts.told(counted)
    fate.opened()
  }

  function onOver(): void {
    if (live() === 0) silence.begin()
  }

  /** Whoever asks is not live itself, and has no age. */
  function room(): number {
    return Math.max(0, ...lines.map((one) => times.apartMs - (one.age() ?? times.apartMs)))
  }

  function addLine(): void {
    lines.push(line({ ...times, clock, log, dial: once, room, onOpen, onFail: fate.failed, onOver }))
  }

  async function close(): Promise<void> {
    silence.stop()
    for (const one of lines) one.close()
    await Promise.race([counts.empty(), timer(GOODBYE_MS, undefined, { ref: false })])
  }

  return {
    init: ears.init,
    start: async () => {},
    stop: close,
    async open() {
      addLine()
      const opened = await fate.ready
      if (opened.ok) addLine()
      else await close()
      return opened
    },
    drain: ears.drain,
    close,
    lost: fate.lost,
    state: () => ({
      live: live(),
      wanted: LINES,
      foreign: counts.foreign(),
      heardMs: ears.heardMs(),
      trouble: lines.map((one) => one.trouble()).find((why) => why !== null) ?? null,
    }),
  }
}

/** Whether we are connected at all, and whether we shall ever be again. */
function fateOf({ startMs }: SocketTimes, clock: Clock, live: () => number) {
  const began = clock.monotonic()
  const ready = Promise.withResolvers<Outcome<null>>()
  const lost = Promise.withResolvers<Failure>()
  let isReady = false
  let refusals = 0
  return {
    ready: ready.promise,
    lost: lost.promise,
    opened() {
      refusals = 0
      isReady = true
      ready.resolve(ok(null))
    },
    failed(failure: Failure) {
      // a token or scope that Slack does not take
      refusals = failure.kind === 'config' ? refusals + 1 : 0
      if (isReady && refusals >= REFUSALS && live() === 0) lost.resolve(failure)
      if (!isReady && (refusals > 0 || clock.monotonic() - began > startMs)) ready.resolve(failed(failure))
    },
  }
}
