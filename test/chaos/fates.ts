import type { Ack } from '../../src/lab/slack/socket.ts'
import type { Wreck } from './storm.ts'

/**
 * What became of something that Slack delivers once. dark: no connection was up, since the bot was dead or had just lost
 * one · lost: it was under way when the process ended or a connection did · ignored: neither, so the bot let it run out
 */
export type Fate = 'heard' | 'dark' | 'lost' | 'ignored'

/** So long Slack waits for an acknowledgement. */
const ACK_MS = 3_000
/** So long after the end of a connection there may be none. */
const CUT_MS = 1_000

/** A connection that looks alive and hears nothing is given up within twelve seconds; until then Slack sends on it too. */
const DEAF_MS = 13_000

export function fatesIn({
  kills,
  cuts,
  deaf,
}: Wreck): (one: { readonly at: number; readonly ack: Ack | null }) => Fate {
  return ({ at, ack }) => {
    if (ack === null || ack.ok) return 'heard'
    if (ack.error === 'dispatch_failed') {
      const isDead = kills.some((kill) => at >= kill.at && at <= kill.back)
      return isDead || cuts.some((cut) => at >= cut && at - cut <= CUT_MS) ? 'dark' : 'ignored'
    }
    const isKilled = kills.some((kill) => at <= kill.gone && at + ACK_MS >= kill.at)
    // an acknowledgement goes over the connection that brought the command
    const isCut = cuts.some((cut) => at <= cut && at + ACK_MS >= cut)
    const isDeaf = deaf.some((cut) => at >= cut && at - cut <= DEAF_MS)
    return isKilled || isCut || isDeaf ? 'lost' : 'ignored'
  }
}
