import { openStore } from '../../src/adapters/store-sqlite.ts'
import { explainText } from '../../src/app/explain.ts'
import { commands } from '../../src/commands/index.ts'
import type { House } from '../../src/dispatch/house.ts'
import { whoIn } from '../../src/dispatch/who.ts'
import { dispatcher } from '../../src/dispatch.ts'
import type { Ask, Place } from '../../src/domain/ask.ts'
import type { Check } from '../../src/domain/check.ts'
import type { Command } from '../../src/domain/command.ts'
import type { Completion, Piece } from '../../src/domain/completion.ts'
import type { SlashSettings } from '../../src/domain/config.ts'
import type { Conversation, Offer } from '../../src/domain/conversation.ts'
import type { Answer, Engine, EngineInfo, EngineLoad, Watch } from '../../src/domain/engine.ts'
import type { Failure } from '../../src/domain/failure.ts'
import type { Fact } from '../../src/domain/knowledge.ts'
import { failed, ok } from '../../src/domain/outcome.ts'
import type { Api, Log } from '../../src/domain/ports.ts'
import type { Report } from '../../src/domain/report.ts'
import type { CodeState, Directory, Who } from '../../src/domain/role.ts'
import type { Shown } from '../../src/domain/shown.ts'
import { slashIn } from '../../src/domain/slash.ts'
import type { SmokeRequest } from '../../src/domain/smoke.ts'
import type { Store } from '../../src/domain/store.ts'
import type { Target } from '../../src/domain/target.ts'
import { rules } from '../../src/judge/rules/index.ts'
import { withTaught } from '../../src/judge/taught.ts'

/** A target with nothing special. */
export function target(name: string): Target {
  const url = `http://127.0.0.1:1/${name}`
  return {
    name,
    engine: 'sglang',
    url,
    host: null,
    model: null,
    apiKey: null,
    budget: 4096,
    patienceMs: 1000,
    ca: null,
    proxy: null,
    protected: false,
    unit: null,
  }
}

export const healthy: Completion = {
  reasoning: 'They want a greeting.',
  content: 'Hello there!',
  toolCalls: [],
  finish: 'stop',
  stop: 248046,
  tokens: { prompt: 12, completion: 40, reasoning: 30, cached: null },
  model: 'qwen',
  timing: { firstTokenMs: 80, firstContentMs: 640, totalMs: 900, tokensPerSecond: 48.8 },
  pieces: 40,
}

export const INFO: EngineInfo = {
  kind: 'sglang',
  version: '0.5.18',
  models: ['qwen'],
  loaded: '/srv/models/qwen',
  context: 32768,
  reasoningParser: 'qwen3',
  tensorParallel: 1,
}

const LOAD: EngineLoad = {
  running: 1,
  waiting: 0,
  cacheUsage: 0.1,
  tokensPerSecond: 41.5,
  resident: null,
  asked: '/v1/loads?include=core',
}

/** What one scripted engine does with a request. */
export type Script = (
  request: SmokeRequest,
  watch: Watch,
  signal: AbortSignal,
) => Promise<Pick<Answer, 'completion' | 'failure'>>

/** An engine that answers by script; the real ones have their own suites. */
export function scripted(script: Script): Engine {
  return {
    kind: 'sglang',
    detect: () => true,
    complaint: (_status, body) => ({ kind: 'server', message: body }),
    info: async () => ok(INFO),
    load: async () => ok(LOAD),
    reread: () => ({ completion: healthy, failure: null, exchange: EXCHANGE }),
    async complete(_api, request, watch, signal) {
      const exchange = { ...EXCHANGE, request: JSON.stringify(request) }
      return { ...(await script(request, watch, signal)), exchange }
    },
  }
}

const EXCHANGE = {
  url: 'http://x/v1/chat/completions',
  request: '{}',
  status: 200,
  headers: {},
  response: '{}',
  end: 'done',
}

export const answersWell: Script = async (_request, watch) => {
  const pieces: readonly Piece[] = [
    { channel: 'reasoning', text: healthy.reasoning ?? '' },
    { channel: 'content', text: healthy.content ?? '' },
  ]
  for (const piece of pieces) watch.onPiece(piece)
  return { completion: healthy, failure: null }
}

interface Given {
  readonly targets?: readonly Target[]
  readonly script?: Script
  /** by target, before `script` */
  readonly scripts?: Readonly<Record<string, Script>>
  readonly unreachable?: Failure
  /** the real way, in place of the scripts */
  readonly reach?: House['reach']
  readonly policy?: House['policy']
  readonly keepPromptsMs?: number
  readonly checks?: readonly Check[]
  readonly redact?: (text: string) => string
  readonly taught?: readonly Fact[]
  readonly slash?: SlashSettings
  readonly directory?: Directory
  readonly commands?: readonly Command[]
  readonly code?: (typed: string) => CodeState
  readonly host?: House['host']
  readonly hosts?: House['hosts']
  readonly telemetry?: House['telemetry']
  readonly newId?: House['newId']
  readonly every?: House['every']
  /** what stands beside every line */
  readonly shown?: Shown
  /** what the house gets in the place of the store */
  readonly records?: (store: Store) => Store
}

/** A workspace of our own people, without groups. */
const PRIVATE: Directory = {
  group: async () => ok([]),
  shared: async () => ok(false),
  person: async (id) => ok({ name: id, kind: 'member' }),
}

export const CHANNEL = 'C0GPU'
const MEMBER = { team: 'T0', id: 'U0ANNA', name: 'Anna', kind: 'member' } as const

const QUIET: Log = { debug() {}, info() {}, warn() {}, error() {} }

/** A house on a store in memory, with a way to say something and see the answer. */
export async function openHouse(given: Given = {}) {
  const opened = await openStore({ path: ':memory:', redact: (text) => text })
  if (!opened.ok) throw new Error(opened.failure.observed)
  const store = opened.value
  const errors: string[] = []
  const announced: string[] = []
  let now = 1_700_000_000_000
  let ids = 0
  const fail = async () => failed<never>(NEVER)
  const api = { url: 'http://x', json: fail, text: fail, events: fail }
  const policy = given.policy ?? {
    roles: { admins: [], operators: [], adminGroups: [], operatorGroups: [] },
    channels: [{ id: CHANNEL, targets: [], target: null }],
  }
  const house = dispatcher({
    targets: given.targets ?? [target('qwen')],
    policy,
    who: whoFor(given, policy, store, () => now),
    host: given.host ?? (() => null),
    hosts: given.hosts ?? [],
    telemetry: given.telemetry ?? [],
    commands: given.commands ?? commands,
    slash: slashIn(given.slash ?? { prefix: '', aliases: {} }),
    ...knowing(given.taught ?? []),
    store: given.records?.(store) ?? store,
    keepPromptsMs: given.keepPromptsMs ?? 86_400_000,
    redact: given.redact ?? ((text) => text),
    clock: { now: () => now, monotonic: () => now },
    log: { ...QUIET, error: (message, data) => errors.push(`${message} ${JSON.stringify(data)}`) },
    checks: () => given.checks ?? [],
    newId: given.newId ?? (() => `id-${++ids}`),
    announce: (channel, { title, summary }) => announced.push(`${channel}: ${title} ${summary}`),
    every: given.every ?? (() => () => {}),
    explain: explainText,
    reach: given.reach ?? scriptedReach(given, api),
  })
  const start = (text: string, how: Partial<Ask> = {}, begin?: Conversation['begin']) => {
    const heard = listener(begin, how.how === 'button' ? PRESSED : null, given.shown)
    const word = text.startsWith('/') ? (text.slice(1).split(' ')[0] ?? '') : null
    const rest = word === null ? text : text.slice(word.length + 2)
    const said = { form: 'plain', word, text: rest } as const
    const place: Place = { channel: CHANNEL, thread: null }
    const ask: Ask = { id: `ask-${++ids}`, how: 'slash', said, person: MEMBER, place, attempt: null, at: now, ...how }
    return { heard, done: house.handle(ask, heard.talk) }
  }
  const say = async (text: string, how: Partial<Ask> = {}) => {
    const { heard, done } = start(text, how)
    await done
    return heard
  }
  const wait = (ms: number): void => {
    now += ms
  }
  return { house, store, errors, announced, start, say, wait }
}

/** Our rules, and what the team taught them. */
function knowing(taught: readonly Fact[]) {
  return { rules: withTaught(rules, taught), taught }
}

function scriptedReach({ scripts, script, unreachable }: Given, api: Api): House['reach'] {
  return async ({ name }) =>
    unreachable === undefined
      ? ok({ engine: scripted(scripts?.[name] ?? script ?? answersWell), api, info: {} })
      : failed(unreachable)
}

function whoFor(given: Given, policy: House['policy'], store: Store, now: () => number): Who {
  return whoIn({
    policy,
    targets: given.targets ?? [target('qwen')],
    grants: store,
    directory: () => given.directory ?? PRIVATE,
    code: given.code ?? (() => 'off'),
    clock: { now, monotonic: now },
  })
}

const NEVER: Failure = { kind: 'bug', thing: 'test', observed: 'called', next: 'script it' }

/** The message of every button, which all see. */
const PRESSED = '1700000000.000200'

const NOTHING: Shown = { files: [], above: ok([]) }

/** A surface that keeps what it is told. Its thread is named after the ask. */
function listener(begin: Conversation['begin'] | undefined, pressed: string | null, shown: Shown = NOTHING) {
  const seen: { begun: Report[]; updates: Report[]; ended: Report[]; buttons: Map<string, string> } = {
    begun: [],
    updates: [],
    ended: [],
    buttons: new Map(),
  }
  const offerAll = async (report: Report, offer: Offer): Promise<void> => {
    for (const action of report.actions) {
      const id = await offer(action)
      if (id !== null) seen.buttons.set(action.label, id)
    }
  }
  const talk: Conversation = {
    to: { channel: CHANNEL, thread: null },
    pressed,
    begin:
      begin ??
      (async (report, offer) => {
        seen.begun.push(report)
        await offerAll(report, offer)
        return { place: { channel: CHANNEL, thread: '1700000000.000100' }, message: '1700000000.000100' }
      }),
    shown: async () => shown,
    update: (report) => void seen.updates.push(report),
    async end(report, offer, kept) {
      seen.ended.push(report)
      await offerAll(report, offer)
      await kept?.()
      return `${1_700_000_000 + seen.ended.length}.000200`
    },
  }
  return { ...seen, talk, answer: () => seen.ended[0] }
}
