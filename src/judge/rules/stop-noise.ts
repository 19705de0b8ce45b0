import type { Rule } from '../../domain/finding.ts'
import { orderedStop, stopSignatures } from '../log/ordered-stop.ts'
import { isQuiet } from '../log/quiet.ts'
import { quotedSign, signsOf } from '../log/signs.ts'
import { WRAPPERS } from '../log/wrapper-signs.ts'

/** What an ordered stop leaves in a log: it sounds like a leak or a crash, and is neither. */
export const stopNoise: Rule = {
  codes: ['ok.shutdown-noise'],
  signatures: [
    ...stopSignatures,
    {
      name: 'stop-noise',
      anchors: [
        ...(['destroy_process_group() was not called', 'resource_tracker: There appear to be'] as const),
        ...(['Exception ignored in', 'CancelledError', 'KeyboardInterrupt', 'SystemExit', 'recvValue failed'] as const),
        ...([
          'sendBytes failed',
          'process exits with code -15',
          'terminate called without an active exception',
        ] as const),
      ],
      pattern:
        /destroy_process_group\(\) was not called|resource_tracker: There appear to be \d+ leaked|Exception ignored in|CancelledError|KeyboardInterrupt|SystemExit|recvValue failed|sendBytes failed|process exits with code -15|Producer process has been terminated/,
      example:
        '[rank0]:[W ProcessGroupNCCL.cpp:1497] Warning: WARNING: destroy_process_group() was not called before program exit',
      nearMiss: 'destroy_process_group() was called',
    },
  ],
  check(evidence) {
    const stop = orderedStop(evidence)
    if (evidence.smoke !== undefined || stop === null) return []
    const noise = signsOf(evidence, ...NOISE)
    if (noise.some(({ at }) => at < stop.at) || !isQuiet(evidence, { but: [...NOISE, INTERRUPTED] })) return []
    const [first] = noise
    return [
      {
        code: 'ok.shutdown-noise',
        verdict: 'healthy',
        cause:
          first === undefined
            ? 'Somebody stopped the server, and it ended as it should.'
            : 'Somebody stopped the server; these lines are the noise that it ends with, and the system takes back what is left.',
        because: [stop.quoted, ...noise.slice(0, MOST_QUOTED).map(quotedSign)],
        remedy: ['Nothing is to be done.'],
        confidence: 'certain',
        at: first?.at ?? stop.at,
      },
    ]
  },
}

const MOST_QUOTED = 3

/** An ordered stop leaves these; SGLang even kills itself at the end of a clean one. */
const NOISE: readonly string[] = [
  'stop-noise',
  ...WRAPPERS.filter(({ endsAStop }) => endsAStop === true).map(({ name }) => name),
]

/** A stop interrupts Python somewhere; an exception of its own below would still count. */
const INTERRUPTED = 'trouble-traceback'
