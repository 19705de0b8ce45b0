import type { Completion } from '../../src/domain/completion.ts'
import { NO_TOKENS } from '../../src/domain/completion.ts'
import type { EngineInfo } from '../../src/domain/engine.ts'
import type { Failure, FailureKind, HttpRefusal } from '../../src/domain/failure.ts'
import type { Evidence } from '../../src/domain/finding.ts'
import type { Smoke, SmokeRequest } from '../../src/domain/smoke.ts'

/** A sound answer, with what a test changes. */
export function completionOf(change: Partial<Completion> = {}): Completion {
  return {
    reasoning: null,
    content: 'Hello! How can I help you today?',
    toolCalls: [],
    finish: 'stop',
    stop: 248046,
    tokens: { ...NO_TOKENS, prompt: 16, completion: 10 },
    model: 'qwen',
    timing: { firstTokenMs: 100, firstContentMs: 100, totalMs: 500, tokensPerSecond: 25 },
    pieces: 10,
    ...change,
  }
}

/** A smoke that went well, with what a test changes. */
export function smokeOf(change: Partial<Smoke> = {}): Smoke {
  return {
    request: requestOf(),
    completion: completionOf(),
    failure: null,
    cut: null,
    stoppedBy: null,
    exchange: null,
    ...change,
  }
}

export function requestOf(change: Partial<SmokeRequest> = {}): SmokeRequest {
  const prompt = 'Say hello in one sentence.'
  return { prompt, budget: 200, temperature: 0, thinking: null, stream: true, model: null, ...change }
}

/** Evidence of one smoke, through no host. */
export function evidenceOf(completion: Partial<Completion>, request: Partial<SmokeRequest> = {}): Evidence {
  return withSmoke({ request: requestOf(request), completion: completionOf(completion) })
}

export function withSmoke(change: Partial<Smoke>, host: string | null = null): Evidence {
  return { target: { name: 'qwen', url: 'http://127.0.0.1:30000', host }, smoke: smokeOf(change) }
}

/** Tokens as counted, the rest not told. */
export function tokens(completion: number | null, reasoning: number | null = null): Completion['tokens'] {
  return { ...NO_TOKENS, prompt: 16, completion, reasoning }
}

export const TOOL_CALL = { name: 'get_weather', arguments: '{"city":"Oslo"}' }

export function failureOf(kind: FailureKind, http?: HttpRefusal): Failure {
  const said = { thing: 'target qwen', observed: `observed ${kind}`, next: 'look into the engine log' }
  return http === undefined ? { kind, ...said } : { kind, ...said, http }
}

/** The engine of the field story, with what a test changes. */
export function engineOf(change: Partial<EngineInfo> = {}): EngineInfo {
  return {
    kind: 'sglang',
    version: '0.5.9',
    models: ['qwen'],
    loaded: 'Qwen/Qwen3.6-27B',
    context: 32_768,
    reasoningParser: 'qwen3',
    tensorParallel: 2,
    ...change,
  }
}
