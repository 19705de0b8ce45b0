import type { Evidence } from '../../domain/finding.ts'
import type { Signature } from '../../domain/signature.ts'
import { quotedTold, toldLine } from '../told.ts'
import { firstSign, quotedSign } from './signs.ts'

/** Words of a stop that somebody ordered, besides the milestone `stage-stopping`. */
export const stopSignatures: readonly Signature[] = [
  {
    name: 'ordered-stop',
    anchors: [
      ...(['Waiting for application shutdown', 'Finished server process', 'Received signal 15'] as const),
      ...([
        'Received signal SIG',
        'received signal terminated',
        'received signal interrupt',
        'KeyboardInterrupt',
      ] as const),
      ...(['Stopping ', 'Deactivated successfully', 'cleaning up before exit', 'Shutting down FastAPI'] as const),
    ],
    pattern:
      /Waiting for application shutdown|Finished server process|[Rr]eceived signal (?:15|SIG(?:TERM|INT)|terminated|interrupt)|KeyboardInterrupt|(?:systemd\[\d+\]: |^)Stopping [^\n]{1,80}(?:\.service|\.\.\.)|: Deactivated successfully|cleaning up before exit|Shutting down FastAPI/,
    example: 'Jan 02 10:00:00 gpu1 systemd[1]: Stopping demo.service - LLM server...',
    nearMiss: 'Stopping criteria: eos',
  },
]

export interface OrderedStop {
  /** for `because` */
  readonly quoted: string
  /** the line that says so, from 1; 0 where it was told */
  readonly at: number
}

/** Whether somebody stopped the server: by the first line that says so, or by what is told. */
export function orderedStop(evidence: Evidence): OrderedStop | null {
  const sign = firstSign(evidence, 'stage-stopping', 'ordered-stop')
  if (sign !== null) return { quoted: quotedSign(sign), at: sign.at }
  const told = toldLine(evidence, TOLD)
  return told === null ? null : { quoted: quotedTold(told), at: 0 }
}

const TOLD =
  /^(?:[\w.]*[._])?(?:stopped_by|stopped|stop|action|restart(?:ed)?_by|shutdown)\w*: (?!(?:false|no|null|none)$)/i
