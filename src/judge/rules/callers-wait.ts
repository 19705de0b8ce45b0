import type { Evidence, Finding, Rule } from '../../domain/finding.ts'
import type { Sign } from '../../domain/signature.ts'
import { isQuiet } from '../log/quiet.ts'
import { countOf, firstSign, lastSign, quotedSign } from '../log/signs.ts'

/** The KV cache is full for a moment, and the engine lets some requests begin again later. */
export const callersWait: Rule = {
  codes: ['ok.backpressure'],
  signatures: [
    {
      name: 'retracted',
      anchors: ['KV cache pool is full. Retract', 'is preempted by PreemptionMode'],
      pattern:
        /KV cache pool is full\. Retract requests\.(?: #retracted_reqs: (?<requests>\d{1,6}))?|is preempted by PreemptionMode/,
      example: '[t TP0] KV cache pool is full. Retract requests. #retracted_reqs: 1, #new_token_ratio: 0.7 -> 0.8',
      nearMiss: 'KV cache pool is full of prefixes',
    },
    {
      name: 'cache-retry',
      anchors: ['in the KV cache, retrying with smaller batch size'],
      pattern: /failed to find (?:free )?space in the KV cache, retrying with smaller batch size/,
      example:
        'srv  update_slots: failed to find free space in the KV cache, retrying with smaller batch size, i = 0, n_batch = 512, ret = 1',
      nearMiss: 'srv  update_slots: there is free space in the KV cache',
    },
    {
      name: 'llama-went-on',
      anchors: ['log_server_r: request: ', 'print_timing: '],
      pattern: /log_server_r: request: POST \S{1,200} \S{1,60} 200\b|print_timing: .{0,80}eval time =/,
      example: 'srv  log_server_r: request: POST /v1/chat/completions 127.0.0.1 200',
      nearMiss: 'srv  log_server_r: request: POST /v1/chat/completions 127.0.0.1 500',
    },
  ],
  check(evidence) {
    if (evidence.smoke !== undefined || !isQuiet(evidence)) return []
    const finding = putBack(evidence) ?? retried(evidence)
    return finding === null ? [] : [finding]
  },
}

function putBack(evidence: Evidence): Finding | null {
  const count = countOf(evidence, 'retracted')
  return said(evidence, 'retracted', {
    cause: `The KV cache was full ${times(count)}; the engine put requests back and computes them again, so they come later and come right.`,
    remedy: [
      'Now and then this is normal. If it is more than about once a minute, raise --schedule-conservativeness to 1.3 (SGLang), lower --max-running-requests (vLLM --max-num-seqs), or give the KV cache more memory.',
    ],
  })
}

/** Only where requests were answered below: with the smallest batch in vain, llama.cpp gives the request up. */
function retried(evidence: Evidence): Finding | null {
  const last = lastSign(evidence, 'cache-retry')
  const wentOn = lastSign(evidence, 'llama-went-on', 'stage-serving')
  if (last === null || wentOn === null || wentOn.at < last.at) return null
  return said(
    evidence,
    'cache-retry',
    {
      cause: `The KV cache had no room for a whole batch ${times(countOf(evidence, 'cache-retry'))}; llama.cpp took smaller batches and went on, so the answer comes later and comes right.`,
      remedy: [
        'Now and then this is normal. If it is often: a larger context (-c), or fewer slots (--parallel) that share it.',
      ],
    },
    wentOn,
  )
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}

function said(
  evidence: Evidence,
  name: string,
  words: Pick<Finding, 'cause' | 'remedy'>,
  besides: Sign | null = null,
): Finding | null {
  const [first, last] = [firstSign(evidence, name), lastSign(evidence, name)]
  if (first === null || last === null) return null
  return {
    code: 'ok.backpressure',
    verdict: 'healthy',
    ...words,
    because: [first, ...(last.at === first.at ? [] : [last]), ...(besides === null ? [] : [besides])].map(quotedSign),
    confidence: 'certain',
    at: first.at,
  }
}
