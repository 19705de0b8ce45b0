import type { Complaint } from '../../domain/failure.ts'
import type { Evidence, Finding, Rule } from '../../domain/finding.ts'
import { nearest } from '../../domain/nearest.ts'
import { GIVE_KEY } from '../../domain/url.ts'
import { makeRoom } from '../orders.ts'
import { complaintOf, hasFailed, saidNo, statusOf, wantsTls } from '../refusal.ts'
import { ENGINE_LOG, LARGER_CONTEXT } from '../remedies.ts'
import { crashIn } from './crashed.ts'

/** The server said no, and the engine knows what it means. */
export const refused: Rule = {
  codes: [
    'request.auth',
    'request.model-name',
    'request.route',
    'request.schema',
    'context.exceeded',
    'state.loading',
    'load.queue-full',
    'engine.aborted',
    'engine.invariant',
  ],
  check(evidence) {
    const { smoke } = evidence
    const complaint = complaintOf(smoke)
    if (!hasFailed(smoke) || complaint === null || crashIn(evidence) !== null) return []
    const meaning = meaningOf(complaint, statusOf(smoke))
    if (meaning === null) return []
    return [
      {
        confidence: 'certain',
        ...meaning,
        because: [saidNo(smoke, complaint.message)],
        remedy: remedyFor(complaint, meaning, evidence),
      },
    ]
  },
}

type Meaning = Omit<Finding, 'because' | 'confidence'> & Partial<Pick<Finding, 'confidence'>>

function meaningOf({ kind, message }: Complaint, status: number | null): Meaning | null {
  if (DEAD_ENGINE.test(message)) return DEAD
  if (wantsTls(message)) return HTTPS
  if (kind === 'auth' && status === 403 && !NAMES_KEY.test(message)) return FORBIDDEN
  if (kind === 'not-ready' && !NAMES_START.test(message)) return AWAY
  return MEANING[kind]
}

const NAMES_KEY = /key|token|unauthori[sz]ed|credential|authenticat/i
const NAMES_START = /load|start|ready|warm|initiali[sz]/i

const DEAD_ENGINE =
  /EngineDeadError|EngineCore encountered an issue|[Ee]ngine (?:process |core )?(?:is |has )?(?:dead|died)\b|[Bb]ackground loop (?:has errored|is not running)|[Ee]ngine loop (?:has died|is not running)/

const DEAD: Meaning = {
  code: 'engine.aborted',
  verdict: 'broken',
  cause: 'The process of the engine that computes died; only its web server still answers, and every request fails.',
  remedy: [
    `${ENGINE_LOG} It stands above "EngineDeadError".`,
    'Then restart the engine: it does not come back by itself.',
  ],
}

const KEY = `Give the key with which the server was started (--api-key): ${GIVE_KEY}.`

const WAIT =
  'Wait and repeat. Large models take minutes; look into the engine log if there is no progress for ten minutes.'

const FORBIDDEN: Meaning = {
  code: 'request.auth',
  verdict: 'client-error',
  cause: 'The server, or a gateway before it, forbids the request; most often it wants a key.',
  remedy: [KEY],
  confidence: 'likely',
  unless: 'a rule forbids our address, the host name or the path: the log of the gateway or of the server names it.',
}

const AWAY: Meaning = {
  code: 'state.loading',
  verdict: 'not-ready',
  cause: 'The server says that it is not available now, and not why; most often it still loads the model.',
  remedy: [WAIT],
  confidence: 'likely',
  unless: 'a gateway answered, and the engine behind it does not run: see on the host (ss -ltnp).',
}

const HTTPS: Meaning = {
  code: 'request.route',
  verdict: 'client-error',
  cause: 'The port speaks HTTPS, and the URL says http.',
  remedy: ['Write https:// in the url of the target in pilotflame.yml, or in --url.'],
}

/** What each kind means; null where another rule knows more (stranger). */
const MEANING: Readonly<Record<Complaint['kind'], Meaning | null>> = {
  auth: {
    code: 'request.auth',
    verdict: 'client-error',
    cause: 'The server wants an API key, or another one than it got.',
    remedy: [KEY],
  },
  'model-name': {
    code: 'request.model-name',
    verdict: 'client-error',
    cause: 'The server serves no model of the name that was asked for.',
    remedy: [
      'Write model: NAME at the target in pilotflame.yml (with --url: --model NAME), a name that /v1/models lists; or start the server with --served-model-name.',
    ],
  },
  route: {
    code: 'request.route',
    verdict: 'client-error',
    cause: 'The server has no such route: the base URL leads to the wrong path or to another service.',
    remedy: [
      'Correct the url of the target in pilotflame.yml, or --url: scheme, host and port, as a rule without a path.',
    ],
  },
  context: {
    code: 'context.exceeded',
    verdict: 'request-limit',
    cause: 'Prompt and budget together are longer than the context of the server.',
    remedy: [`Shorten the prompt, or ${LARGER_CONTEXT}.`],
  },
  schema: {
    code: 'request.schema',
    verdict: 'client-error',
    cause: 'The server refuses a field of the request.',
    remedy: [
      'Leave out what the message names: --temperature and --think are sent only where they are given, stream_options only without --no-stream. Any other field: upgrade the server.',
    ],
  },
  'not-ready': {
    code: 'state.loading',
    verdict: 'not-ready',
    cause: 'The server is up and still loads the model.',
    remedy: [WAIT],
  },
  overloaded: {
    code: 'load.queue-full',
    verdict: 'overloaded',
    cause: 'The server is healthy and full: its queue takes no further request.',
    remedy: [
      'Repeat in a minute; do not restart. If it stays so: fewer clients, or a larger --max-running-requests / --max-queued-requests.',
    ],
  },
  aborted: {
    code: 'engine.aborted',
    verdict: 'broken',
    cause: 'The engine gave the request up.',
    remedy: [ENGINE_LOG, 'Repeat once; if it comes back, restart the engine.'],
  },
  server: {
    code: 'engine.invariant',
    verdict: 'broken',
    cause: 'The engine failed while it worked on the request.',
    remedy: [ENGINE_LOG, 'Repeat with another prompt, and with --no-stream; if all fail, restart the engine.'],
  },
  proxy: null,
}

const MODELS_NAMED = 10

/** The remedy with the numbers and names at hand: what can be done as it is written comes first. */
function remedyFor({ kind, message }: Complaint, meaning: Meaning, evidence: Evidence): readonly string[] {
  if (kind === 'context') return makeRoom(message, evidence)
  const unfetched = kind === 'model-name' ? OF_OLLAMA.exec(message)?.[1] : undefined
  const remedy = unfetched === undefined ? meaning.remedy : fetched(unfetched)
  const { engine, smoke } = evidence
  if (kind !== 'model-name' || engine === undefined || engine.models.length === 0) return remedy
  const asked = smoke?.request.model ?? null
  const meant = meantBy(asked, engine.models)
  const ask = `Ask for the model ${meant} (model: ${meant} at the target in pilotflame.yml, --model ${meant} with --url).`
  const named = engine.models.slice(0, MODELS_NAMED).join(', ')
  return [...(meant === null ? [] : [ask]), ...remedy, `It serves: ${named}. Asked for: ${asked ?? 'none'}.`]
}

/** Its own words, `model 'qwen3:32b' not found`; other servers name the model otherwise. */
const OF_OLLAMA = /^model ["']([\w./:-]{1,120})["'] not found/

function fetched(name: string): readonly string[] {
  return [
    `Fetch it where Ollama runs: ollama pull ${name}. ollama list shows what is there, each with its tag (without one, :latest is meant).`,
    'Or ask for one that is there: model: NAME:TAG at the target in pilotflame.yml (with --url: --model NAME:TAG).',
  ]
}

/** The only one, or the one whose name is nearly the same; null where it takes a person to choose. */
function meantBy(asked: string | null, models: readonly string[]): string | null {
  const [only, another] = models
  if (only !== undefined && another === undefined) return only
  return asked === null ? null : nearest(asked, models, 3)
}
