import type { Ask, Person, Place } from './ask.ts'
import type { Attempt } from './attempt.ts'
import type { Check } from './check.ts'
import type { Reach } from './engine.ts'
import type { Diagnosis, Rule } from './finding.ts'
import type { Outcome } from './outcome.ts'
import type { Clock } from './ports.ts'
import type { Report } from './report.ts'
import { refusal } from './report.ts'
import type { Target } from './target.ts'

/** anyone: tells nothing of a target (help, whoami) · read: looks · operate: changes a server · admin: changes who may */
export type Access = 'anyone' | 'read' | 'operate' | 'admin'

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
  /** whether a target must be chosen before it runs */
  readonly needsTarget: boolean
  /** what the words that are no flags mean */
  readonly takes: 'prompt' | 'words' | 'nothing'
  readonly flags: readonly Flag[]
  /** `chat`: works on a thread, so not in a terminal */
  readonly where: 'anywhere' | 'chat'
  /** whether a reply in a thread must mention the bot: what only looks may be said without ("raw") */
  readonly needsMention: boolean
  bind(raw: RawArgs): Bound
}

/** `--max-tokens 4000`, also written `max_tokens=4000` in a thread. */
export interface Flag {
  /** kebab-case, without dashes */
  readonly name: string
  /** `text` and `number` want a value, a `switch` has none */
  readonly kind: 'text' | 'number' | 'switch'
  /** what stands for the value in the help: `N`, `NAME` */
  readonly value: string
  readonly help: string
}

/** Arguments as parsed, before the command's own schema has seen them. */
export interface RawArgs {
  /** null where none was given */
  readonly prompt: string | null
  readonly words: readonly string[]
  /** by flag name; numbers and switches still as text */
  readonly flags: Readonly<Record<string, string>>
}

/** Arguments bound to a command, or why they do not fit, in one sentence. */
export type Bound =
  | { readonly ok: true; readonly target: string | null; run(tools: Tools): Promise<Report> }
  | { readonly ok: false; readonly problem: string }

/** All that a command may use. It never sees a chat, a socket or a file. */
export interface Tools {
  readonly ask: Ask
  /** the chosen target; null for commands that need none */
  readonly target: Target | null
  readonly targets: readonly Target[]
  readonly commands: readonly Command[]
  readonly rules: readonly Rule[]
  readonly checks: readonly Check[]
  readonly clock: Clock
  /** aborted by Stop, by the surface and at shutdown */
  readonly signal: AbortSignal
  /** the line that stops this run, for an action */
  readonly stopLine: string
  /** who stopped it, once the signal is aborted by a person */
  stoppedBy(): Person | null
  reach(target: Target, signal: AbortSignal): Promise<Outcome<Reach>>
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
}

/** The attempts of the thread in which the ask was made. */
export interface Memory {
  /** the attempt that is meant: the button's, or the thread's last */
  meant(): Promise<Outcome<Attempt | null>>
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

type Spec<Args> = Omit<Command, 'bind' | 'flags' | 'examples' | 'where' | 'needsTarget' | 'needsMention'> & {
  readonly needsTarget?: boolean
  readonly where?: Command['where']
  readonly needsMention?: boolean
  readonly flags?: readonly Flag[]
  readonly examples?: readonly string[]
  /** reads `{ prompt, words, ...flags }` with flag names in camelCase */
  readonly args: Schema<Args>
  run(args: Args, tools: Tools): Promise<Report>
}

/** Binds the arguments in a closure, so that commands of different argument types live in one list without a cast. */
export function defineCommand<Args>(spec: Spec<Args>): Command {
  const { args, run, ...rest } = spec
  return {
    flags: [],
    examples: [],
    needsTarget: false,
    where: 'anywhere',
    needsMention: false,
    ...rest,
    bind(raw) {
      const named = Object.fromEntries(Object.entries(raw.flags).map(([name, value]) => [camel(name), value]))
      const read = args.safeParse({ prompt: raw.prompt, words: raw.words, ...named })
      if (!read.success) return { ok: false, problem: problemOf(read.error.issues, spec.usage) }
      return { ok: true, target: raw.flags['target'] ?? null, run: (tools) => run(read.data, tools) }
    },
  }
}

/** The tools of a command that asked for a target. */
export type TargetTools = Tools & { readonly target: Target }

type TargetSpec<Args> = Omit<Spec<Args>, 'run' | 'needsTarget'> & {
  run(args: Args, tools: TargetTools): Promise<Report>
}

/** A command that works on one target; dispatch has chosen it before it runs. */
export function defineTargetCommand<Args>(spec: TargetSpec<Args>): Command {
  return defineCommand({
    ...spec,
    needsTarget: true,
    async run(args: Args, tools: Tools) {
      if (tools.target === null) return refusal(`${spec.word} needs a target, and none was chosen.`, 'failed')
      return spec.run(args, { ...tools, target: tools.target })
    },
  })
}

function problemOf(issues: readonly SchemaIssue[], usage: string): string {
  const said = issues.map((issue) => {
    const where = issue.path.length === 0 ? '' : `--${kebab(issue.path.map(String).join('.'))}: `
    return `${where}${issue.message}`
  })
  return `${said.join('; ')}. Usage: ${usage}`
}

function camel(name: string): string {
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
