import type { Ask, Person, Place } from './ask.ts'
import type { Attempt } from './attempt.ts'
import type { Check } from './check.ts'
import type { Reach } from './engine.ts'
import type { Diagnosis, Rule } from './finding.ts'
import type { Host } from './host.ts'
import type { Fact } from './knowledge.ts'
import type { Outcome } from './outcome.ts'
import type { Plan, Planned } from './plan.ts'
import type { Clock } from './ports.ts'
import type { Report } from './report.ts'
import { refusal } from './report.ts'
import type { Access, Who } from './role.ts'
import { inOurWords } from './schema-words.ts'
import type { Explained, Shown } from './shown.ts'
import type { Store } from './store.ts'
import type { Target } from './target.ts'
import type { Telemetry } from './telemetry.ts'
import type { Usual } from './usual.ts'

/** One thing that can be asked for. New commands are one file in commands/ and one line in its index. */
export interface Command {
  /** `smoke`, `gpu`; the slash word too where `slash` says so */
  readonly word: string
  /** `status` in `gpu status`; null where the word alone is the command */
  readonly verb: string | null
  readonly summary: string
  /** `smoke "PROMPT" [--target NAME] …` */
  readonly usage: string
  readonly examples: readonly string[]
  readonly access: Access
  /** whether it works on a target; its call tells whether one must be chosen first */
  readonly needsTarget: boolean
  /** whether the first word may name the target: `sglang lock qwen too hot`. The command then sees it as --target */
  readonly targetFirst: boolean
  /**
   * what the words that are no flags mean. people: some may be member ids or mentions · models: some may be paths or
   * repositories · text: all that follows, as it is and however long, with what looks like flags in it · reason: a
   * prompt that says why, and what it is about by its first word, or by --target
   */
  readonly takes: 'prompt' | 'reason' | 'text' | 'words' | 'people' | 'models' | 'nothing'
  readonly flags: readonly Flag[]
  /** `chat`: works on a thread, so not in a terminal */
  readonly where: 'anywhere' | 'chat'
  /** of one that works in a chat only: what a terminal has for the same purpose, as a sentence; absent: nothing */
  readonly inTerminal?: string
  /** whether its answer is what the bot has kept: in a terminal it then needs the bot's own store */
  readonly readsRecords: boolean
  /** whether a reply in a thread must mention the bot: what only looks may be said without ("raw") */
  readonly needsMention: boolean
  bind(raw: RawArgs): Bound
}

/** `--max-tokens 4000`, also written `max_tokens=4000` in a thread. */
export interface Flag {
  /** kebab-case, without dashes */
  readonly name: string
  /**
   * `text` and `number` want a value, a `switch` has none. `name` wants what names something, so no link and no mention;
   * `person` and `channel` the same, or a mention of theirs. `names` wants some, with commas, and may be written without
   * dashes behind a prompt in quotes or where there is no prompt: `on qwen, llama`.
   */
  readonly kind: 'text' | 'number' | 'switch' | 'name' | 'person' | 'channel' | 'names'
  /** what stands for the value in the help: `N`, `NAME` */
  readonly value: string
  readonly help: string
}

/** Arguments as parsed, before the command's own schema has seen them. */
export interface RawArgs {
  /** null where none was given; a text stands here too */
  readonly prompt: string | null
  readonly words: readonly string[]
  /** by flag name; numbers and switches still as text */
  readonly flags: Readonly<Record<string, string>>
}

/** Arguments bound to a command, or why they do not fit, in one sentence. */
export type Bound =
  | {
      readonly ok: true
      readonly target: string | null
      /** whether one target must be chosen before it runs; not where it names several */
      readonly needsTarget: boolean
      readonly work: Work
    }
  | { readonly ok: false; readonly problem: string }

/** answer: it runs at once · change: its plan is shown first, and it acts when somebody has confirmed that plan */
export type Work = { readonly kind: 'answer'; run(tools: Tools): Promise<Report> } | Change

export interface Change {
  readonly kind: 'change'
  /** Looks, and says what would be done. Made again at the press, and compared. */
  plan(tools: Tools): Promise<Planned>
  /** Does it. By now the operation is recorded and its lock held. */
  act(plan: Plan, tools: ChangeTools): Promise<Changed>
}

/** The tools of a change that was confirmed. */
export interface ChangeTools extends Tools {
  /** the operation's id, for the host's own record */
  readonly op: string
}

/** What a change came to, told and recorded. unknown: it may or may not have been done, and the report says so. */
export interface Changed {
  readonly state: 'done' | 'failed' | 'unknown'
  readonly report: Report
}

/** All that a command may use. It never sees a chat, a socket or a file. */
export interface Tools {
  readonly ask: Ask
  /** the chosen target; null for commands that need none */
  readonly target: Target | null
  /** those that may be used where the ask was made */
  readonly targets: readonly Target[]
  /** names of the hosts that may be looked at there */
  readonly hosts: readonly string[]
  readonly commands: readonly Command[]
  readonly rules: readonly Rule[]
  readonly telemetry: readonly Telemetry[]
  /** what the team itself knows of engines and models; the rules have it already */
  readonly taught: readonly Fact[]
  readonly checks: readonly Check[]
  readonly clock: Clock
  /** aborted by Stop, by the surface and at shutdown */
  readonly signal: AbortSignal
  /** the line that stops this run, for an action */
  readonly stopLine: string
  /** who stopped it, once the signal is aborted by a person */
  stoppedBy(): Person | null
  reach(target: Target, signal: AbortSignal): Promise<Outcome<Reach>>
  /** One more target is used: gives what ends its use. Null where as many runs are under way there as may be. */
  use(target: Target): (() => void) | null
  /** The target is not used any more: another run may begin while this one is still being told. */
  release(): void
  /** Takes secrets out of a text; before it is cut, or half of one stays. */
  redact(text: string): string
  /** Calls `run` every so many ms until the returned function is called. */
  every(ms: number, run: () => void): () => void
  /** Shows how far a long run has come; the latest wins, most are never posted. */
  progress(report: Report): void
  readonly memory: Memory
  readonly runs: Runs
  /** null where the configuration has no such host */
  host(name: string): Host | null
  readonly who: Who
  readonly records: Records
  /** A command line of the house as whoever asks would type it: with the slash word of this workspace, or in a terminal. */
  typed(line: string): string
  /** Tells another channel of what happened here, as soon as the chat takes it. */
  announce(channel: string, report: Report): void
  /** What was put beside the line of the ask. */
  shown(): Promise<Shown>
  /** Judges a text by what it holds: a log, an answer, the output of a GPU tool. One for each document in it, or why not. */
  explain(text: string): Promise<Outcome<readonly Explained[]>>
  /** What is meant in the channel of the ask where nobody names a target. */
  usual(): Promise<Outcome<Usual | null>>
}

/** What commands may read and write of the records that outlive a restart. */
export type Records = Pick<Store, 'locks' | 'takeLock' | 'dropLock' | 'note' | 'noted' | 'audits' | 'page'>

/** The attempts of the thread in which the ask was made. */
export interface Memory {
  /** the attempt that is meant: the button's, or the thread's last; the last on `target` where one is given */
  meant(target: string | null): Promise<Outcome<Attempt | null>>
  /** the attempt of that number in the thread; null where it has none */
  numbered(number: number): Promise<Outcome<Attempt | null>>
  /** the targets of a thread that is about several; none in every other */
  several(): Promise<Outcome<readonly string[]>>
  remember(result: Result): Promise<Outcome<Attempt>>
}

/** What a smoke came to. */
export interface Result extends Pick<Attempt, 'target' | 'smoke' | 'engine'> {
  readonly diagnosis: Diagnosis
}

/** The runs that are under way now. */
export interface Runs {
  /** True where such a run was under way. */
  stop(id: string, by: Person): boolean
  /** Stops all of a thread. Gives how many there were. */
  stopIn(place: Place, by: Person): number
}

/** What zod's safeParse looks like from here; domain knows no npm package. */
export interface Schema<T> {
  safeParse(
    value: unknown,
  ):
    | { readonly success: true; readonly data: T }
    | { readonly success: false; readonly error: { readonly issues: readonly SchemaIssue[] } }
}

interface SchemaIssue {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

type Optional = 'flags' | 'examples' | 'where' | 'needsTarget' | 'targetFirst' | 'needsMention' | 'readsRecords'

/** What a command file says; the rest has its usual value. */
export type Spec<Args> = Omit<Command, 'bind' | Optional> &
  Partial<Pick<Command, Optional>> & {
    /** reads `{ prompt, words, ...flags }` with flag names in camelCase */
    readonly args: Schema<Args>
    /** where the target is named; absent: by --target, or as the only one behind --on */
    targetIn?(raw: RawArgs): string | null
  }

type AnswerSpec<Args> = Spec<Args> & { run(args: Args, tools: Tools): Promise<Report> }

/** Binds the arguments in a closure, so that commands of different argument types live in one list without a cast. */
export function defineCommand<Args>({ run, ...spec }: AnswerSpec<Args>): Command {
  return defineWork(spec, (args) => ({ kind: 'answer', run: (tools) => run(args, tools) }))
}

/** What commands that answer and commands that change have in common. */
export function defineWork<Args>(spec: Spec<Args>, work: (args: Args) => Work): Command {
  const { args, targetIn = byFlag, ...rest } = spec
  return {
    flags: [],
    examples: [],
    needsTarget: false,
    targetFirst: false,
    where: 'anywhere',
    readsRecords: false,
    needsMention: false,
    ...rest,
    bind(raw) {
      const named = Object.fromEntries(Object.entries(raw.flags).map(([name, value]) => [camel(name), value]))
      const read = args.safeParse({ prompt: raw.prompt, words: raw.words, ...named })
      if (!read.success) return { ok: false, problem: problemOf(read.error.issues, spec.usage) }
      const needsTarget = rest.needsTarget === true && !namesSeveral(raw)
      return { ok: true, target: targetIn(raw), needsTarget, work: work(read.data) }
    },
  }
}

/** Behind --on it means all targets that may be used here. */
export const ALL = 'all'

function byFlag(raw: RawArgs): string | null {
  const on = raw.flags['on']
  return raw.flags['target'] ?? (on === undefined || namesSeveral(raw) ? null : on)
}

/** Whether it is on all targets, or on more than one. */
function namesSeveral(raw: RawArgs): boolean {
  const on = raw.flags['on']
  return on !== undefined && (on.includes(',') || on.toLowerCase() === ALL)
}

/** The tools of a command that asked for a target. */
export type TargetTools = Tools & { readonly target: Target }

type TargetSpec<Args> = Omit<Spec<Args>, 'needsTarget'> & {
  run(args: Args, tools: TargetTools): Promise<Report>
  /** where --on names several, or all */
  runOnSeveral?(args: Args, tools: Tools): Promise<Report>
}

/** A command that works on one target; dispatch has chosen it before it runs. */
export function defineTargetCommand<Args>({ run, runOnSeveral, ...spec }: TargetSpec<Args>): Command {
  return defineCommand({
    ...spec,
    needsTarget: true,
    async run(args: Args, tools: Tools) {
      if (tools.target !== null) return run(args, { ...tools, target: tools.target })
      if (runOnSeveral !== undefined) return runOnSeveral(args, tools)
      return refusal(`${spec.word} needs a target, and none was chosen.`, 'failed')
    },
  })
}

function problemOf(issues: readonly SchemaIssue[], usage: string): string {
  const said = issues.map((issue) => {
    const [first] = issue.path
    // only flags have a name that people write
    const named = first !== undefined && first !== 'words' && first !== 'prompt'
    const where = named ? `--${kebab(issue.path.map(String).join('.'))}: ` : ''
    return `${where}${inOurWords(issue.message)}`
  })
  return `${said.join('; ')}. Usage: ${usage}`
}

function camel(name: string): string {
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
