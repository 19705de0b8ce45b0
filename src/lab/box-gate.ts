import type { ActVerb, BoxAct, BoxChanges, GateAnswer, GateTrouble } from './box-changes.ts'
import { createChanges, refused } from './box-changes.ts'
import type { BoxExec, BoxRun } from './box-exec.ts'
import { logRead } from './box-log.ts'
import type { Machine } from './box-machine.ts'
import type { BoxUnits, UnitDeed } from './box-units.ts'
import { createUnits } from './box-units.ts'

/**
 * The gate of a made-up box: it answers as the installed one does, knows what `doctor` asks, and starts and stops units
 * behind the same fence. Nothing is run on this machine: what a GPU box would say of itself is made up.
 */
export interface DemoGate {
  /** what its box runs: `startBox({ exec })` */
  readonly exec: BoxExec
  /** the changes that reached a unit, oldest first; the last 10,000 */
  acts(): readonly BoxAct[]
  /** The next `times` changes go wrong. */
  trouble(trouble: GateTrouble, times?: number): void
  /** Somebody does it past the gate: what a plan saw of the unit no longer holds, and the generation stays. */
  byHand(unit: string, deed: UnitDeed): void
}

export interface GateOptions {
  /** the aliases of its units, all active at first */
  readonly units?: readonly string[]
  /** those of its units that no fence guards: whatever comes is done, so that only who asks can see to it that it is once */
  readonly unfenced?: readonly string[]
  /** ms since 1970 */
  readonly now?: () => number
  /** what its box has besides */
  readonly machine?: Machine
}

export function createGate(options: GateOptions = {}): DemoGate {
  const { units: names = ['main'], unfenced = [], now = Date.now, machine = null } = options
  const units = createUnits(names, now, machine)
  const changes = createChanges(units, now, unfenced)
  const waiting: GateTrouble[] = []
  return {
    exec: (command) => run(command, { units, changes, machine, now, trouble: () => waiting.shift() ?? null }),
    acts: () => [...changes.acts],
    trouble: (trouble, times = 1) => void waiting.push(...Array<GateTrouble>(times).fill(trouble)),
    byHand: units.apply,
  }
}

/** The gate of a box with one unit, `main`, that begins anew with every call. */
export const demoGate: BoxExec = (...asked) => createGate().exec(...asked)

interface Inside {
  readonly units: BoxUnits
  readonly changes: BoxChanges
  readonly machine: Machine | null
  now(): number
  /** the trouble of this change, once */
  trouble(): GateTrouble | null
}

function run(command: string, inside: Inside): BoxRun {
  const line = command.replace(/^\/bin\/sh -s -- /, '')
  const words = line.split(' ').filter(Boolean)
  const [verb = '', op = '', ...rest] = words
  const why = flaw(line, words)
  if (why !== null) return ended(126, `\nGATE - begin 1 installed\n\nGATE - refused ${why}\n`)
  const asked = ACTS.find((one) => one === verb)
  if (asked === undefined) return framed(op, read(verb, rest, inside))
  const [unit = '', fence = '', ...more] = rest
  if (!isAlias(unit) || !FENCE.test(fence) || more.length > 0) return framed(op, usage(verb))
  const trouble = inside.trouble()
  if (trouble === 'hang') return { end: { how: 'never' } }
  if (trouble === 'drop-before-act') return CUT
  const answer = framed(op, inside.changes.change({ verb: asked, op, unit, fence }, trouble))
  if (trouble === 'drop-after-act' || trouble === 'drop-in-act') return CUT
  return trouble === 'hang-after-act' ? { end: { how: 'never' } } : answer
}

const ACTS: readonly ActVerb[] = ['start', 'stop', 'restart', 'reset-failed']
const FENCE = /^(?:0|[1-9]\d{0,14})\.(?:starting|loop|stopped|stopping|active-[0-9a-f]{32})$/
const CUT: BoxRun = { end: { how: 'cut', reset: true } }

/** What is wrong with the form of a line; null where it is fine. */
function flaw(line: string, words: readonly string[]): string | null {
  if (words.length === 0) return 'no verb: this account runs the verbs of Pilotflame only'
  if (/[^A-Za-z0-9_. -]/.test(line)) return 'a character outside A-Z a-z 0-9 _ . - and blank'
  if (words.some((word) => word.startsWith('-'))) return 'a word that begins with -'
  return /^[0-9a-f]{32}$/.test(words[1] ?? '') ? null : 'no operation id of 32 hex digits after the verb'
}

function isAlias(word: string): boolean {
  return /^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,63}$/.test(word)
}

function usage(verb: string): GateAnswer {
  return refused(64, `usage ${verb} takes other words`)
}

function read(verb: string, words: readonly string[], inside: Inside): GateAnswer {
  const { units, changes, machine } = inside
  const [word = ''] = words
  switch (verb) {
    case 'ping':
      return {
        rc: 0,
        sections: [['ping', factsOf(inside)]],
      }
    case 'units':
      return { rc: 0, sections: units.names.map((name) => [`unit.${name}`, units.show(name)] as const) }
    case 'unit':
      if (words.length !== 1 || !isAlias(word)) return usage(verb)
      return units.has(word) ? unitRead(word, units, changes) : refused(67, `no-such-unit ${word}`)
    case 'log':
      if (words.length < 3 || !isAlias(word)) return usage(verb)
      return units.has(word) ? logRead(word, words.slice(1), units, machine) : refused(67, `no-such-unit ${word}`)
    case 'cards':
      return cardsRead(words, inside)
    case 'host-health':
      return healthRead(words, inside)
    case 'opstat':
      return words.length === 1 && /^[0-9a-f]{32}$/.test(word) ? changes.fate(word) : usage(verb)
  }
  return toolRead(verb, words, machine)
}

function toolRead(verb: string, words: readonly string[], machine: Machine | null): GateAnswer {
  return machine?.read(verb, words) ?? refused(69, missing(verb))
}

/** People are told of the tool, never of the verb. */
function missing(verb: string): string {
  const tool = TOOLS[verb]
  return tool === undefined ? 'tool-missing' : `tool-missing ${tool}: this is a demo box without it`
}

/** What the installed gate would run for a verb. */
const TOOLS: Readonly<Record<string, string>> = {
  gpu: 'nvidia-smi',
  cards: 'nvidia-smi',
  'gpu-processes': 'nvidia-smi',
  'dmesg-gpu': 'dmesg',
  listeners: 'ss',
}

/** What the machine prints, with what the gate itself says before it. */
function cardsRead(words: readonly string[], { units, machine, now }: Inside): GateAnswer {
  if (words.length > 0) return usage('cards')
  const { rc, sections } = toolRead('cards', [], machine)
  if (rc !== 0) return { rc, sections }
  const host = `tool=nvidia-smi\ntime=${Math.floor(now() / 1000)}\ncontainer=lxc`
  const list = units.names.map((name) => `${name} ${name}.service`).join('\n')
  return { rc, sections: [['host', host], ['units', list], ...sections] }
}

/** What the machine says of its health, with the time of the box. */
function healthRead(words: readonly string[], { machine, now }: Inside): GateAnswer {
  if (words.length > 0) return usage('host-health')
  const { rc, sections } = toolRead('host-health', [], machine)
  const time = `time=${Math.floor(now() / 1000)}`
  return {
    rc,
    sections: sections.map(([name, text, status = 0]) => [
      name,
      name === 'machine' ? `${time}\n${text}` : text,
      status,
    ]),
  }
}

function factsOf({ units, machine, now }: Inside): string {
  return [...FACTS, `host=${machine?.host ?? 'gpu-box-1'}`, ...timesOf(units, now())].join('\n')
}

function timesOf({ bootMs }: BoxUnits, now: number): readonly string[] {
  return [`uptime=${Math.floor((now - bootMs) / 1000)}`, `time=${Math.floor(now / 1000)}`]
}

function unitRead(name: string, units: BoxUnits, changes: BoxChanges): GateAnswer {
  return {
    rc: 0,
    sections: [
      ['unit', units.show(name)],
      ['fence', changes.fence(name)],
      ['variants', 'none'],
    ],
  }
}

const FACTS = [
  'gate=1',
  'delivery=installed',
  'user=pilotflame',
  'uid=998',
  'kernel=6.8.0',
  'os=Ubuntu 24.04 LTS (demo)',
  'boot=0',
  'systemd=255',
  'sudo=yes',
  'state=/var/lib/pilotflame',
]

function framed(op: string, { rc, sections }: GateAnswer): BoxRun {
  const mark = (words: string) => `\nGATE ${op} ${words}\n`
  const told = sections.map(
    ([name, text, status = 0]) => `${mark(`section ${name}`)}${text}\n${mark(`close ${status}`)}`,
  )
  return ended(rc, `${mark('begin 1 installed')}${told.join('')}${mark(`end ${rc}`)}`)
}

function ended(code: number, stdout: string): BoxRun {
  return { stdout, end: { how: 'exited', code } }
}
