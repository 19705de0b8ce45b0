import type { Place } from '../domain/ask.ts'
import type { Attempt } from '../domain/attempt.ts'
import type { Code } from '../domain/code.ts'
import { CODES } from '../domain/code.ts'
import type { Completion, Timing, Tokens, ToolCall } from '../domain/completion.ts'
import type { EngineInfo } from '../domain/engine.ts'
import type { Complaint, Failure, FailureKind, HttpRefusal } from '../domain/failure.ts'
import { FAILURE_KINDS } from '../domain/failure.ts'
import type { Confidence, Diagnosis, Finding } from '../domain/finding.ts'
import type { OpenAsk } from '../domain/open-ask.ts'
import type { Exchange, Loop, SamplingSettings, Smoke, SmokeRequest } from '../domain/smoke.ts'
import type { Audit, Button, OpenChange, OpenRun } from '../domain/store.ts'
import type { EngineKind } from '../domain/target.ts'
import { ENGINE_KINDS } from '../domain/target.ts'
import type { Verdict } from '../domain/verdict.ts'
import { VERDICTS } from '../domain/verdict.ts'

import type { Is } from './store-guards.ts'
import { isNumber, isSwitch, isText, isTextMap, listOf, maybe, oneOf, orNull, shape, word } from './store-guards.ts'

/** What is kept of an attempt as long as prompts and answers are. */
type Kept = Pick<Attempt, 'smoke' | 'diagnosis'>

/** An attempt without its number and what is kept for a shorter time, which have columns of their own. */
export type AttemptBody = Omit<Attempt, 'number' | keyof Kept>

const isTextOrNull = orNull(isText)
const isNumberOrNull = orNull(isNumber)
const isTexts = listOf(isText)

export const isPlace = shape<Place>({ channel: isText, thread: isTextOrNull })

export const isButton = shape<Button>({
  id: isText,
  line: isText,
  attempt: isTextOrNull,
  place: isPlace,
  at: isNumber,
  once: isSwitch,
  expires: isNumber,
})

export const isOpenRun = shape<OpenRun>({
  id: isText,
  place: isPlace,
  ask: maybe(isText),
  message: isTextOrNull,
  target: isTextOrNull,
  at: isNumber,
  change: maybe(
    shape<OpenChange>({
      title: isText,
      command: isText,
      person: shape<OpenChange['person']>({ team: isText, id: isText, name: isText }),
      reason: isTextOrNull,
    }),
  ),
})

export const isOpenAsk = shape<OpenAsk>({
  id: isText,
  keys: listOf(isText),
  how: word<OpenAsk['how']>({ slash: 1, mention: 1, thread: 1, button: 1, terminal: 1 }),
  user: isText,
  to: isPlace,
  maybeTold: maybe(isSwitch),
  at: isNumber,
})

export const isAudit = shape<Audit>({
  at: isNumber,
  ask: maybe(isText),
  person: shape<Audit['person']>({ team: isText, id: isText }),
  place: isPlace,
  command: isText,
  target: isTextOrNull,
  decision: word<Audit['decision']>({ allowed: 1, refused: 1 }),
  result: isText,
})

const isFailure = shape<Failure>({
  kind: oneOf<FailureKind>(FAILURE_KINDS),
  thing: isText,
  observed: isText,
  next: isText,
  http: maybe(
    shape<HttpRefusal>({
      status: isNumber,
      body: isText,
      complaint: maybe(
        shape<Complaint>({
          kind: word<Complaint['kind']>({
            auth: 1,
            'model-name': 1,
            route: 1,
            context: 1,
            schema: 1,
            'not-ready': 1,
            overloaded: 1,
            aborted: 1,
            server: 1,
            proxy: 1,
          }),
          message: isText,
        }),
      ),
    }),
  ),
})

const isCompletion = shape<Completion>({
  reasoning: isTextOrNull,
  content: isTextOrNull,
  toolCalls: listOf(shape<ToolCall>({ name: isText, arguments: isText })),
  finish: isTextOrNull,
  stop: (value): value is Completion['stop'] => isNumberOrNull(value) || isText(value),
  tokens: shape<Tokens>({
    prompt: isNumberOrNull,
    completion: isNumberOrNull,
    reasoning: isNumberOrNull,
    cached: isNumberOrNull,
  }),
  model: isTextOrNull,
  timing: shape<Timing>({
    firstTokenMs: isNumberOrNull,
    firstContentMs: isNumberOrNull,
    totalMs: isNumber,
    tokensPerSecond: isNumberOrNull,
  }),
  pieces: isNumber,
})

const isSmoke = shape<Smoke>({
  request: shape<SmokeRequest>({
    prompt: isText,
    budget: isNumber,
    temperature: isNumberOrNull,
    thinking: orNull(isSwitch),
    stream: isSwitch,
    model: isTextOrNull,
    sampling: maybe(
      shape<SamplingSettings>({
        temperature: isNumberOrNull,
        topP: isNumberOrNull,
        topK: isNumberOrNull,
        minP: isNumberOrNull,
        presencePenalty: isNumberOrNull,
      }),
    ),
  }),
  completion: orNull(isCompletion),
  failure: orNull(isFailure),
  cut: orNull(
    shape<Loop>({
      channel: word<Loop['channel']>({ reasoning: 1, content: 1 }),
      unit: isText,
      period: isNumber,
      copies: isNumber,
      from: isNumber,
      certain: isSwitch,
      signal: word<Loop['signal']>({ period: 1, masked: 1, recurring: 1, 'white-space': 1, short: 1 }),
    }),
  ),
  stoppedBy: isTextOrNull,
  exchange: orNull(
    shape<Exchange>({
      url: isText,
      request: isText,
      status: isNumberOrNull,
      headers: isTextMap,
      response: isText,
      end: isText,
    }),
  ),
})

const isVerdict = oneOf<Verdict>(VERDICTS)
const isCode: Is<Code> = (value): value is Code => isText(value) && Object.hasOwn(CODES, value)

const isFinding = shape<Finding>({
  code: isCode,
  verdict: isVerdict,
  cause: isText,
  because: isTexts,
  remedy: isTexts,
  confidence: word<Confidence>({ certain: 1, likely: 1, possible: 1 }),
  unless: maybe(isText),
  missing: maybe(isTexts),
  against: maybe(isTexts),
  excludes: maybe(isTexts),
  explains: maybe(listOf(isCode)),
  at: maybe(isNumber),
})

const isEngineInfo = shape<EngineInfo>({
  kind: oneOf<EngineKind>(ENGINE_KINDS),
  version: isTextOrNull,
  models: isTexts,
  loaded: isTextOrNull,
  context: isNumberOrNull,
  reasoningParser: isTextOrNull,
  tensorParallel: isNumberOrNull,
})

export const isAttemptBody = shape<AttemptBody>({
  id: isText,
  target: isText,
  place: isPlace,
  at: isNumber,
  by: isText,
  engine: orNull(isEngineInfo),
  verdict: isVerdict,
  code: isCode,
})

export const isKept = shape<Kept>({
  smoke: orNull(isSmoke),
  diagnosis: orNull(
    shape<Diagnosis>({
      verdict: isVerdict,
      code: isCode,
      findings: (value): value is Diagnosis['findings'] =>
        Array.isArray(value) && value.length > 0 && value.every(isFinding),
    }),
  ),
})
