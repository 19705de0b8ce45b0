import { attachSlack } from './app/slack.ts'
import { openApp } from './app.ts'
import { commands } from './commands/index.ts'
import { nothingSet } from './config.ts'
import type { Config } from './domain/config.ts'
import type { Outcome } from './domain/outcome.ts'
import { failed, ok } from './domain/outcome.ts'
import type { Log } from './domain/ports.ts'
import type { Slash } from './domain/slash.ts'
import { slashIn } from './domain/slash.ts'
import type { Target } from './domain/target.ts'
import type { DemoGate } from './lab/box-gate.ts'
import type { FieldStory } from './lab/field-story.ts'
import { startFieldStory } from './lab/field-story.ts'
import type { Lab } from './lab/index.ts'
import { startLab } from './lab/index.ts'
import type { SlackOptions, SlackStandIn } from './lab/slack/index.ts'
import { startSlack } from './lab/slack/index.ts'
import type { KnownCommand } from './lab/slack/typist.ts'

export interface Demo {
  /** `http://127.0.0.1:7331` */
  readonly url: string
  /** the stand-in, for tests and pictures */
  readonly slack: SlackStandIn
  /** what was done on the demo's box, and what may go wrong there; null without demo boxes */
  readonly gate: DemoGate | null
  /** base URL of a model server of the demo that is broken, for a first try in the terminal; null without demo boxes */
  readonly broken: string | null
  close(): Promise<void>
}

interface Options {
  /** 0 for a free one */
  readonly port: number
  readonly log: Log
  /** the person's own configuration; null for the demo boxes */
  readonly config: Config | null
  /** how fast the demo's models talk */
  readonly tokensPerSecond?: number
  /** how the console proves to whoever asks that it is the one that was noted */
  readonly prove?: SlackOptions['prove']
}

const WEEK_MS = 7 * 24 * 60 * 60 * 1000

/** What SGLang says where a model does not fit. */
const QUOTED = 'RuntimeError: Not enough memory. Please try to increase --mem-fraction-static.'

/** What the first page offers to type, where the demo boxes stand behind it. */
const EXAMPLES = [
  { line: 'smoke "Say hello"', why: 'a healthy model: watch it think, then answer' },
  { line: 'smoke "Say hello" --target qwen-059', why: 'a server that answers HTTP 200, with nothing in it' },
  { line: 'smoke "What is 2+2?" --target looper', why: 'a model that repeats itself: cut while it streams' },
  {
    line: 'smoke "Write a Python is_prime function" --target thinker',
    why: 'a budget eaten by thinking: press Retry ×2 budget',
  },
  { line: 'smoke "Say hello" on all', why: 'every model at once, worst first' },
  { line: 'gpu status', why: 'the GPUs of all boxes: memory, use, and which model lives where' },
  { line: `explain ${QUOTED}`, why: 'what a line of a log means: paste yours instead' },
  { line: 'sglang restart qwen', why: 'a change: planned first, done when you press' },
  {
    line: 'smoke "Say hello" --target field',
    why: 'a whole story: the model does not start; do what each diagnosis says, until it works',
  },
]

/** A change of it needs a second person: Ben may approve. */
const PROTECTED = 'thinker'

const OWN = [{ line: 'smoke "Say hello"', why: 'your own servers answer here' }]

const ABOUT: Readonly<Record<string, string>> = {
  qwen: 'SGLang 0.5.18, healthy',
  'qwen-059': 'SGLang 0.5.9, ends at once',
  looper: 'SGLang 0.5.9, repeats itself',
  field: 'Qwen3.6-27B on its first evening on two RTX A6000: the team’s next deed stands above the line where you type',
  thinker: 'SGLang 0.5.11, thinks longer than its budget; changes need a second person',
}

/**
 * The console: the bot as Slack would drive it, against a stand-in for Slack with a page. Without a configuration the
 * demo boxes stand behind it: a real SSH server and model servers that replay the field story.
 */
export async function startDemo(options: Options): Promise<Outcome<Demo>> {
  const pace = options.tokensPerSecond === undefined ? {} : { tokensPerSecond: options.tokensPerSecond }
  const boxes = options.config === null ? await startBoxes(pace) : null
  const targets = options.config?.targets ?? boxes?.targets ?? []
  const slash = slashIn((options.config ?? nothingSet).slash)
  const welcome = {
    commands: knownCommands(slash),
    examples: (options.config === null ? EXAMPLES : OWN).map(({ line, why }) => ({ line: slash.typed(line), why })),
    targets: targets.map((target) => ({ name: target.name, about: ABOUT[target.name] ?? placeOf(target) })),
  }
  const team =
    boxes === null ? {} : { team: { ...boxes.story.team, restart: slash.typed(RESTART), proof: slash.typed(PROOF) } }
  const started = await openStandIn({ port: options.port, prove: options.prove, ...welcome, ...team })
  if (!started.ok) {
    await boxes?.close()
    return failed(started.failure)
  }
  const slack = started.value
  const config = options.config ?? demoConfig(boxes)
  const usual = boxes?.targets[0]?.name ?? null
  const opened = await openHouse(withConsole(config, slack, usual), slack, options.log)
  if (!opened.ok) {
    await Promise.all([slack.close(), boxes?.close()])
    return failed(opened.failure)
  }
  return ok({
    url: slack.url,
    slack,
    gate: boxes?.lab.gate ?? null,
    broken: boxes?.targets.find(({ name }) => name === 'qwen-059')?.url ?? null,
    async close() {
      await opened.value()
      await Promise.all([slack.close(), boxes?.close()])
    },
  })
}

/** What makes a deed of the field story's team count. */
const RESTART = 'sglang restart field'

/** What shows whether all its deeds were enough: the budget is spent at first, and twice as much is enough. */
const PROOF = 'smoke "Write a Python is_prime function" --target field'

/** The boxes of the demo: one with a server for each fault, and one on which the field story is played. */
interface Boxes extends Pick<Lab, 'hosts' | 'targets'> {
  readonly lab: Lab
  readonly story: FieldStory
  close(): Promise<void>
}

async function startBoxes(pace: Pick<Options, 'tokensPerSecond'>): Promise<Boxes> {
  const [lab, story] = await Promise.all([startLab(pace), startFieldStory(pace)])
  return {
    lab,
    story,
    hosts: [...lab.hosts, story.host],
    targets: [...lab.targets, story.target],
    async close() {
      await Promise.all([lab.close(), story.close()])
    },
  }
}

/** What the page offers to complete: each word of the workspace, with the use of its command, or with its verbs. */
function knownCommands({ words }: Slash): readonly KnownCommand[] {
  return [...words].flatMap(([word, meant]) => {
    if (meant === 'pilotflame')
      return [{ word, usage: `${word} COMMAND`, summary: 'Everything else: help, doctor, whoami' }]
    const family = commands.filter((one) => one.word === meant)
    const plain = family.find(({ verb }) => verb === null)
    if (plain !== undefined) return [{ word, usage: plain.usage.replace(meant, word), summary: plain.summary }]
    const [first] = family
    if (first === undefined) return []
    const verbs = family.flatMap(({ verb }) => verb ?? [])
    return [{ word, usage: `${word} ${verbs.join(' | ')}`, summary: first.summary }]
  })
}

async function openStandIn(options: SlackOptions): Promise<Outcome<SlackStandIn>> {
  try {
    return ok(await startSlack(options))
  } catch (error) {
    return failed({
      kind: 'busy',
      thing: `the console on 127.0.0.1:${options.port}`,
      observed: error instanceof Error ? error.message : String(error),
      next: 'stop what listens there, or take another port: PILOTFLAME_PORT=7332 npm start',
    })
  }
}

function placeOf({ url, host }: Target): string {
  return host === null ? url : `${url} on ${host}`
}

/** Opens the house and connects it. Gives the way to close both. */
async function openHouse(config: Config, slack: SlackStandIn, log: Log): Promise<Outcome<() => Promise<void>>> {
  const app = await openApp(config, log)
  if (!app.ok) return failed(app.failure)
  const settings = { botToken: slack.botToken, appToken: slack.appToken, apiUrl: slack.apiUrl }
  const attached = await attachSlack(app.value, config, settings, log)
  if (!attached.ok) {
    await app.value.close()
    return failed(attached.failure)
  }
  return ok(async () => {
    await attached.value.stop()
    await app.value.close()
  })
}

/** The console's only channel may use everything; its people may read. Nothing is written to disk for the demo. */
function withConsole(config: Config, slack: SlackStandIn, usual: string | null): Config {
  const open = slack.channels.filter(
    (one) => one.kind === 'public' && one.member && !one.archived && !one.shared && !one.pending,
  )
  const channels = open.map(({ id }) => ({ id, targets: [], target: usual }))
  return { ...config, channels }
}

function demoConfig(boxes: Boxes | null): Config {
  const keep = { promptsMs: WEEK_MS, attemptsMs: WEEK_MS }
  // whoever sits at the console may try everything; a second person for approvals is Ben
  const roles = { ...nothingSet.roles, admins: ['T0DEMO:U0ANNA'], operators: ['T0DEMO:U0BEN'] }
  const targets = (boxes?.targets ?? []).map((one) => ({ ...one, protected: one.name === PROTECTED }))
  return { ...nothingSet, roles, keep, targets, hosts: boxes?.hosts ?? [] }
}
