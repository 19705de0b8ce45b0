import type { GateReply } from '../gate.ts'
import { ok } from '../outcome.ts'
import type { Verb } from '../verb.ts'
import { keyValues, READ_DEADLINE_MS, readSection, textOrNull, wholeNumber } from './reading.ts'

/** Whether the gate answers, and as whom and where. */
export const ping: Verb<object, HostFacts> = {
  name: 'ping',
  access: 'read',
  deadlineMs: READ_DEADLINE_MS,
  words: () => [],
  parse: (reply) =>
    readSection(reply, 'ping', (section) => {
      const values = keyValues(section)
      const text = (key: string) => textOrNull(values.get(key))
      return ok({
        delivery: reply.delivery,
        user: text('user'),
        uid: wholeNumber(values.get('uid')),
        hostName: text('host'),
        kernel: text('kernel'),
        os: text('os'),
        bootId: text('boot'),
        uptimeS: whole(values.get('uptime')),
        timeMs: inMs(whole(values.get('time'))),
        systemd: unlessNone(text('systemd')),
        sudo: yesOrNo(text('sudo')),
        stateDir: unlessNone(text('state')),
      })
    }),
}

/** null: the host did not tell. */
export interface HostFacts {
  readonly delivery: GateReply['delivery']
  readonly user: string | null
  readonly uid: number | null
  readonly hostName: string | null
  readonly kernel: string | null
  readonly os: string | null
  /** changes with every boot */
  readonly bootId: string | null
  readonly uptimeS: number | null
  /** its clock, ms since 1970 */
  readonly timeMs: number | null
  /** its version; null where systemd does not run there */
  readonly systemd: string | null
  /** whether sudo works without a password */
  readonly sudo: boolean | null
  /** where changes are recorded; null: nowhere, so none can be made */
  readonly stateDir: string | null
}

/** /proc/uptime has decimals. */
function whole(text: string | undefined): number | null {
  return wholeNumber(text?.replace(/\.\d{0,9}$/, ''))
}

function inMs(seconds: number | null): number | null {
  return seconds === null ? null : seconds * 1000
}

function unlessNone(text: string | null): string | null {
  return text === 'none' ? null : text
}

function yesOrNo(text: string | null): boolean | null {
  if (text === 'yes') return true
  return text === 'no' ? false : null
}
