import { allowedHere, hostsHere } from '../authorise.ts'
import type { Ask } from '../domain/ask.ts'
import type { Tools } from '../domain/command.ts'
import type { Target } from '../domain/target.ts'
import type { House } from './house.ts'
import type { Run, RunBook } from './run-book.ts'
import type { Session } from './session.ts'
import { usualIn } from './usual.ts'

/** One ask at work. */
export interface Working {
  readonly ask: Ask
  readonly target: Target | null
  readonly run: Run
  readonly talk: Session
}

/** All that a command gets for one ask. */
export function toolsFor({ ask, target, run, talk }: Working, house: House, runs: RunBook): Tools {
  const {
    commands,
    rules,
    telemetry,
    taught,
    clock,
    reach,
    every,
    redact,
    host,
    who,
    announce,
    explain,
    store: records,
  } = house
  const mayUse = (name: string) => allowedHere(ask.place.channel, name, house.policy)
  const targets = house.targets.filter(({ name }) => mayUse(name))
  const hosts = hostsHere(ask.place.channel, targets, house)
  const { signal, stoppedBy } = run
  const { memory, progress } = talk
  const ports = { clock, reach, every, redact, host, who, announce, explain, records, shown: () => talk.shown(signal) }
  const typed = (line: string) => (ask.how === 'terminal' ? `pilotflame ${line}` : house.slash.typed(line))
  const uses = { use: ({ name }: Target) => runs.use(run, name), release: () => runs.done(run) }
  const words = { typed, usual: () => usualIn(ask.place.channel, house) }
  const shared = {
    targets,
    hosts,
    commands,
    rules,
    telemetry,
    taught,
    ...ports,
    signal,
    stoppedBy,
    memory,
    progress,
    runs,
  }
  const checks = house.checks().filter(({ about }) => about === undefined || about.some(mayUse))
  return { ...shared, ...words, ask, target, checks, ...uses, stopLine: `stop ${run.id}` }
}
