import type { Evidence } from '../../domain/finding.ts'
import type { Sign, Signature } from '../../domain/signature.ts'
import { isSpokenText } from './line-faults.ts'
import { signsOf } from './signs.ts'

/** Lines that speak of an error, whichever. Beside one that nobody explains, nothing is called harmless. */
export const troubleSignatures: readonly Signature[] = [
  {
    name: 'trouble-exception',
    anchors: ['Error: ', 'Exception: '],
    pattern: /(?<![\w.])(?<name>[A-Za-z_][\w.]{0,80}?(?:Error|Exception)): (?<said>.{0,400})/,
    example: '(EngineCore pid=12) ValueError: the rope of this model is not known',
    nearMiss: 'Exceptions: none',
  },
  {
    name: 'trouble-traceback',
    anchors: ['Traceback (most recent call last)', 'hit an exception'],
    pattern: /Traceback \(most recent call last\)|hit an exception/,
    example: '[t TP0] Scheduler hit an exception: Traceback (most recent call last):',
    nearMiss: 'Traceback is off',
  },
  {
    name: 'trouble-level',
    anchors: ['ERROR ', 'ERROR:', 'ERROR]', 'CRITICAL', 'FATAL ', 'FATAL:', 'FATAL]'],
    pattern: /(?:^|[^\w'"])(?:ERROR[ :\]]|CRITICAL\b|FATAL[ :\]])/,
    example: '(EngineCore pid=12) ERROR 01-02 10:00:00 [core.py:708] it broke',
    nearMiss: "log_level='ERROR', port=30000",
  },
  {
    name: 'trouble-death',
    anchors: [
      ...(['Segmentation fault', 'core dumped', 'terminate called', 'GGML_ASSERT', 'panic: ', 'Aborted ('] as const),
      ...(['Fatal Python error', 'CUDA error', 'CUBLAS_STATUS_', 'out of memory', 'OutOfMemory'] as const),
      ...(['unable to load', 'unable to allocate', 'cannot open shared', 'cannot allocate'] as const),
      ...(['NVRM: Xid', 'timed out', 'Killed process', 'oom-kill', 'unhandled system error'] as const),
    ],
    pattern:
      /Segmentation fault|core dumped|terminate called|GGML_ASSERT|panic: |Aborted \(|Fatal Python error|CUDA error(?!s)|CUBLAS_STATUS_|out of memory|OutOfMemory|unable to (?:load|allocate)|cannot (?:open shared|allocate)|NVRM: Xid|timed out|Killed process|oom-kill|unhandled system error/,
    example: 'Fatal Python error: Segmentation fault',
    nearMiss: 'CUDA errors: 0',
  },
]

/** Where somebody or the end of a process interrupts Python; nothing broke. */
const INTERRUPTED = /KeyboardInterrupt|CancelledError|SystemExit|Exception ignored in/

/** The lines that speak of an error, without those that are known as something else. */
export function troubleIn(evidence: Evidence, explained: ReadonlySet<number>): readonly Sign[] {
  return signsOf(evidence, ...troubleSignatures.map(({ name }) => name)).filter(
    ({ at, line }) => !explained.has(at) && !INTERRUPTED.test(line) && !isSpokenText(line),
  )
}
