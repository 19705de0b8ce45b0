import type { Evidence, Finding, Rule } from '../../domain/finding.ts'
import { count, counted } from '../../domain/report.ts'
import type { Loop, Smoke } from '../../domain/smoke.ts'
import { endOf, isBlank, quoted } from '../answer.ts'
import { isCaughtGreedily, isOfGrammar } from '../loop-kinds.ts'
import { findLoop, hasLeft } from '../loops.ts'
import { suspectOf } from '../suspects.ts'
import { isTalk } from '../turns.ts'

/** The model repeats itself: because it computes wrongly, because it was decoded greedily, or held by a grammar. */
export const repeating: Rule = {
  codes: ['model.degenerate-loop', 'sampling.greedy-loop', 'grammar.whitespace-loop'],
  check(evidence) {
    const { smoke } = evidence
    const loop = smoke === undefined ? null : findLoop(smoke)
    if (smoke === undefined || loop === null) return []
    const text = smoke.completion?.[loop.channel] ?? ''
    const finding = { ...findingOf(evidence, smoke, loop, text), ...(isUnknown(smoke) ? UNASKED : {}) }
    return [hasLeft(smoke, loop) ? { ...finding, ...left(loop) } : finding]
  },
}

/** A record without its request. */
function isUnknown({ request }: Smoke): boolean {
  return request.prompt === ''
}

const UNASKED = {
  confidence: 'likely',
  unless: 'the prompt asked for it: it is not in the record.',
} as const

function left(loop: Loop): Pick<Finding, 'cause' | 'confidence' | 'unless'> {
  return {
    cause: `${repeats(loop)} for a while and then goes on otherwise.`,
    confidence: 'possible',
    unless: 'it belongs to the answer, as equal lines of a form or a drawing do.',
  }
}

function findingOf(evidence: Evidence, smoke: Smoke, loop: Loop, text: string): Finding {
  const because = becauseOf(smoke, loop)
  if (isOfGrammar(smoke, loop, text)) return { ...inGrammar(loop), because }
  if (isCaughtGreedily(smoke, loop, text)) return { ...greedy(loop), because }
  return broken(evidence, loop, text, because)
}

type Kind = Omit<Finding, 'because'>

/** `The model repeats “ha” in its content` */
function repeats({ unit, channel, signal }: Loop): string {
  if (signal === 'recurring') return `The ${channel} goes round in circles, in changing words`
  const what = isBlank(unit) ? 'nothing but white space' : quoted(unit)
  return `The model repeats ${what}${signal === 'masked' ? ', only the numbers differ,' : ''} in its ${channel}`
}

function becauseOf(smoke: Smoke, loop: Loop): string[] {
  const { completion, request, cut } = smoke
  const size =
    loop.signal === 'recurring'
      ? `most of the ${counted(loop.period, 'character')} of the ${loop.channel} stood there before`
      : `${count(loop.period)}-character unit × ${count(loop.copies)} from character ${count(loop.from)} of the ${loop.channel}`
  const isOurs = completion === null || (cut !== null && completion.finish === null)
  const ended = isOurs ? 'we ended the stream there' : endOf({ completion, request })
  return [size, ended, isUnknown(smoke) ? 'what was asked is not known' : 'nothing in the prompt asks for it']
}

function greedy(loop: Loop): Kind {
  return {
    code: 'sampling.greedy-loop',
    verdict: 'degraded',
    cause: `${repeats(loop)}, after a sound beginning, at temperature 0: greedy decoding cannot leave a loop once it is in one.`,
    remedy: [
      'Ask again with smoke and without --temperature, so that the sampling of the model card applies; thinking models are not made for temperature 0.',
    ],
    confidence: loop.certain ? 'certain' : 'likely',
    unless:
      'the engine computes wrongly: then it loops with the sampling of the model card as well; upgrade the engine.',
  }
}

function inGrammar(loop: Loop): Kind {
  return {
    code: 'grammar.whitespace-loop',
    verdict: 'degraded',
    cause: `${repeats(loop)}, in the middle of JSON: a grammar that allows any white space lets it go on for ever.`,
    remedy: [
      'Forbid free white space in the grammar (vLLM: disable_any_whitespace; SGLang: --constrained-json-disable-any-whitespace).',
      'Say "answer in JSON" in the prompt, and ask with a lower --temperature.',
    ],
    confidence: 'likely',
  }
}

function broken(evidence: Evidence, loop: Loop, text: string, because: readonly string[]): Finding {
  const suspect = suspectOf(evidence)
  return {
    code: 'model.degenerate-loop',
    verdict: 'broken',
    cause: `${repeats(loop)}: the computation behind it is most likely wrong; more budget only makes it longer.`,
    because: suspect === null ? because : [...because, suspect.because],
    remedy: suspect === null ? REMEDY : suspect.remedy,
    confidence: confidenceOf(loop, text),
  }
}

const REMEDY = [
  "Compare the engine's version with the minimum on the model card and upgrade it; then repeat the same prompt.",
  'Several GPUs: start once with --tp-size 1. Quantised KV cache: take --kv-cache-dtype out. llama.cpp: -fa off. The one that ends the loop names the cause.',
  'Compare with the unquantised checkpoint of the same model.',
]

/** Text that only recurs may be long-winded thinking; with role names in it the model talks to itself. */
function confidenceOf(loop: Loop, text: string): Finding['confidence'] {
  if (loop.certain) return 'certain'
  return loop.signal === 'recurring' && !isTalk(text) ? 'possible' : 'likely'
}
