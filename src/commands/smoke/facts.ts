import type { Completion, Timing, Tokens } from '../../domain/completion.ts'
import type { EngineInfo } from '../../domain/engine.ts'
import { excerpt } from '../../domain/excerpt.ts'
import type { Evidence } from '../../domain/finding.ts'
import type { Fact } from '../../domain/report.ts'
import { count, seconds } from '../../domain/report.ts'
import type { Smoke, SmokeRequest } from '../../domain/smoke.ts'

/** The numbers behind a verdict. What the server did not say is said to be missing, never guessed. */
export function smokeFacts({ smoke, engine }: Evidence): readonly Fact[] {
  if (smoke === undefined) return []
  const { completion, request } = smoke
  const whole = cameWhole(smoke)
  return [
    ...(completion === null ? [] : answerFacts(completion, request, whole)),
    ...(smoke.stoppedBy === null ? [] : [{ label: 'Stopped by', value: smoke.stoppedBy }]),
    { label: 'Asked for', value: asked(request, whole) },
    ...(engine === undefined ? [] : engineFacts(engine)),
  ]
}

/** Whether the answer came as one: then nothing came first. */
export function cameWhole({ request, exchange }: Smoke): boolean {
  return !request.stream || exchange?.end.includes('not streamed') === true
}

function answerFacts(completion: Completion, request: SmokeRequest, whole: boolean): readonly Fact[] {
  const { timing, tokens } = completion
  return [
    { label: 'Tokens', value: used(tokens, request.budget, completion.pieces) },
    { label: 'Total', value: seconds(timing.totalMs) },
    { label: 'Finish', value: ending(completion) },
    ...(whole ? [] : firsts(timing)),
    ...(timing.tokensPerSecond === null
      ? []
      : [{ label: 'Speed', value: `${timing.tokensPerSecond.toFixed(1)} tokens/s` }]),
  ]
}

/** `stop (stop token 248046)`, `stop (stop word "\n\n")`: how it ended, and at what, where the server tells. */
function ending({ finish, stop }: Completion): string {
  const how = finish ?? 'the server sent none'
  if (stop === null) return how
  return `${how} (${typeof stop === 'number' ? `stop token ${stop}` : `stop word ${JSON.stringify(excerpt(stop, STOP_WORD))}`})`
}

/** A stop word is shown in at most so many characters. */
const STOP_WORD = 60

function used(tokens: Tokens, budget: number, pieces: number): string {
  if (tokens.completion === null)
    return `${count(pieces)} ${pieces === 1 ? 'piece' : 'pieces'} of text (no usage was sent), budget ${count(budget)}`
  const thinking = tokens.reasoning === null ? '' : `, ${count(tokens.reasoning)} of them reasoning`
  return `${count(tokens.completion)} of ${count(budget)}${thinking}`
}

/** When something first came; an answer that is not streamed comes at once. */
function firsts({ firstTokenMs, firstContentMs }: Timing): readonly Fact[] {
  const said = (ms: number | null): string => (ms === null ? 'never came' : seconds(ms))
  return [
    { label: 'First token', value: said(firstTokenMs) },
    { label: 'First content', value: said(firstContentMs) },
  ]
}

function asked(request: SmokeRequest, whole: boolean): string {
  const temperature = request.temperature === null ? 'the model’s own sampling' : `temperature ${request.temperature}`
  const thinking = request.thinking === null ? '' : `, thinking ${request.thinking ? 'on' : 'off'}`
  return `max_tokens ${count(request.budget)}, ${temperature}${thinking}, ${way(request.stream, whole)}`
}

function way(stream: boolean, whole: boolean): string {
  if (!stream) return 'not streamed'
  return whole ? 'streamed (the server sent one whole answer all the same)' : 'streamed'
}

function engineFacts(engine: EngineInfo): readonly Fact[] {
  const version = engine.version === null ? '(version not told)' : engine.version
  const parallel = engine.tensorParallel === null ? '' : `, tensor parallel ${engine.tensorParallel}`
  return [
    { label: 'Engine', value: `${engine.kind} ${version}${parallel}` },
    { label: 'Model loaded', value: engine.loaded ?? engine.models[0] ?? 'not told' },
  ]
}
