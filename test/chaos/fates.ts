import type { DisconnectReason } from '../../src/lab/slack/faults.ts'
import type { Ack } from '../../src/lab/slack/socket.ts'
import type { Cut } from './disturb.ts'
import type { Wreck } from './storm.ts'

/**
 * What became of something that Slack delivers once. dark: no connection was up, since the bot was dead · cut: nor was one,
 * since Slack had just ended the only one · lost: it was under way when the process or a connection ended without a word ·
 * ignored: none of these, so the bot was deaf or let it run out
 */
export type Fate = 'heard' | 'dark' | 'cut' | 'lost' | 'ignored'

/** So long Slack waits for an acknowledgement. */
const ACK_MS = 3_000
/** So long after the end of the only connection there may be none; Bolt's own client takes five seconds where Slack asks for a new one. */
const CUT_MS = 1_000
/** A connection that only looks alive is given up within twelve seconds. */
const SILENT_MS = 13_000

export function fatesIn({ kills, cuts }: Pick<Wreck, 'kills' | 'cuts'>): (one: Delivered) => Fate {
  return ({ at, ack }) => {
    if (ack === null || ack.ok) return 'heard'
    if (ack.error === 'dispatch_failed') {
      if (kills.some((kill) => at >= kill.at && at <= kill.back)) return 'dark'
      return cuts.some((cut) => at >= cut.at && at <= heardAgain(cut)) ? 'cut' : 'ignored'
    }
    const isKilled = kills.some((kill) => at <= kill.gone && at + ACK_MS >= kill.at)
    // an acknowledgement goes over the connection that brought the command
    const isCut = cuts.some((cut) => !isSaid(cut.how) && at <= cut.at && at + ACK_MS >= cut.at)
    return isKilled || isCut ? 'lost' : 'ignored'
  }
}

interface Delivered {
  readonly at: number
  readonly ack: Ack | null
}

/** Until when a cut excuses that nobody is there: by then, or as soon as somebody is. */
function heardAgain({ how, at, back }: Cut): number {
  const latest = at + (how === 'silent' ? SILENT_MS : CUT_MS)
  return Math.min(latest, back ?? latest)
}

/** Where Slack says that a connection will end, and what was sent on it can still be acknowledged there. */
function isSaid(how: DisconnectReason): boolean {
  return how === 'warning' || how === 'refresh_requested'
}
