import type { Place } from '../../src/domain/ask.ts'
import type { Attempt } from '../../src/domain/attempt.ts'
import type { Audit, Button } from '../../src/domain/store.ts'

/** Texts that databases lose or misread. */
export const HOSTILE = [
  '\0',
  'a\0b',
  '😀 👩‍👩‍👧',
  '\ud800',
  'x\udfffy',
  "'; DROP TABLE attempts; --",
  '',
  '"',
  '\u2028\u202e',
  '\ufffd',
]

export const THREAD: Place = { channel: 'C1', thread: '1700000000.000100' }
export const OTHER: Place = { channel: 'C1', thread: '1700000000.000200' }

export const BUTTON: Button = {
  id: 'b1',
  line: 'retry max-tokens=8192',
  attempt: 'a',
  place: THREAD,
  at: 5,
  once: false,
  expires: 9,
}

export const AUDIT: Audit = {
  at: 5,
  person: { team: 'T1', id: 'U1' },
  place: THREAD,
  command: 'smoke',
  target: null,
  decision: 'refused',
  result: 'not in a channel of ours',
}

/** An attempt in which every field that may be filled is filled. */
export function attempt(given: Partial<Omit<Attempt, 'number'>>): Omit<Attempt, 'number'> {
  return {
    id: 'a',
    target: 'qwen',
    place: THREAD,
    at: 5,
    by: 'ann',
    verdict: 'broken',
    code: 'model.degenerate-loop',
    smoke: {
      request: { prompt: 'Say hello', budget: 4096, temperature: 0.6, thinking: false, stream: true, model: 'qwen' },
      completion: {
        reasoning: '',
        content: '\0 hello \ud800',
        toolCalls: [{ name: 'f', arguments: '{' }],
        finish: 'stop',
        stop: 248046,
        tokens: { prompt: 1, completion: 2, reasoning: null, cached: 0 },
        model: 'qwen',
        timing: { firstTokenMs: 1.5, firstContentMs: null, totalMs: 12, tokensPerSecond: 41.2 },
        pieces: 3,
      },
      failure: null,
      cut: { channel: 'content', unit: 'ha', period: 2, copies: 9, from: 0, certain: true, signal: 'white-space' },
      stoppedBy: 'bob',
      exchange: { url: 'http://x', request: '{}', status: 200, headers: { a: 'b' }, response: 'data:', end: 'done' },
    },
    engine: {
      kind: 'llama-cpp',
      version: 'b1',
      models: ['qwen'],
      loaded: '/models/qwen',
      context: 8192,
      reasoningParser: 'qwen3',
      tensorParallel: 2,
    },
    diagnosis: {
      verdict: 'broken',
      code: 'model.degenerate-loop',
      findings: [
        {
          code: 'model.degenerate-loop',
          verdict: 'broken',
          cause: 'It repeats "ha".',
          because: ['9 copies'],
          remedy: ['upgrade'],
          confidence: 'certain',
          unless: 'it was asked to',
          missing: ['the log'],
        },
      ],
    },
    ...given,
  }
}

export const FAILED = attempt({
  id: 'failed',
  smoke: {
    request: { prompt: 'x', budget: 1, temperature: null, thinking: null, stream: false, model: null },
    completion: null,
    failure: {
      kind: 'http-status',
      thing: 'http://x',
      observed: 'status 400',
      next: 'name a model',
      http: { status: 400, body: '{}', complaint: { kind: 'model-name', message: 'no such model' } },
    },
    cut: null,
    stoppedBy: null,
    exchange: null,
  },
})
