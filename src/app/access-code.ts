import { createHmac, timingSafeEqual } from 'node:crypto'
import { loadConfig } from '../config.ts'
import { CODE_LENGTH, CODE_LETTERS, codeInGroups, plainCode } from '../domain/access-code.ts'
import type { SlackSettings } from '../domain/config.ts'
import type { Clock } from '../domain/ports.ts'
import type { CodeState } from '../domain/role.ts'
import { sanitise } from '../domain/sanitise.ts'
import { slashIn } from '../domain/slash.ts'
import { refuser } from './refuse.ts'
import { usageOf } from './usage.ts'

/** What only this machine and Slack know; null: there are no tokens, so no codes. */
type Key = Pick<SlackSettings, 'botToken' | 'appToken'> | null

const MINUTE_MS = 60_000
/** A code is right for so many minutes, and known as expired for the next hour. */
const RIGHT_MINUTES = 10
/** The clock of the terminal’s machine may be a minute before the bot’s. */
const AHEAD_MINUTES = 1
const KNOWN_MINUTES = 70

/** The code of this minute: the running bot has the same tokens, so it knows it without being told. */
export function accessCode({ botToken, appToken }: NonNullable<Key>, now: number): string {
  const minute = Math.floor(now / MINUTE_MS)
  const mac = createHmac('sha256', `${botToken}\n${appToken}`).update(`pilotflame first admin ${minute}`).digest()
  // 256 is a multiple of 32, so each letter is as likely
  return [...mac.subarray(0, CODE_LENGTH)].map((byte) => CODE_LETTERS[byte % CODE_LETTERS.length]).join('')
}

/** Judges a code that somebody typed; takes as long for a wrong one as for a right one. */
export function codeCheck(key: Key, clock: Pick<Clock, 'now'>): (typed: string) => CodeState {
  if (key === null) return () => 'off'
  return (typed) => {
    const [given, now] = [plainCode(typed), clock.now()]
    const ages = Array.from({ length: KNOWN_MINUTES + AHEAD_MINUTES }, (_, at) => at - AHEAD_MINUTES)
    const fitting = ages.filter((age) => isSame(given, accessCode(key, now - age * MINUTE_MS)))
    if (fitting.length === 0) return 'wrong'
    return fitting.some((age) => age <= RIGHT_MINUTES) ? 'right' : 'expired'
  }
}

function isSame(given: string, code: string): boolean {
  // of equal length whatever was given, as the comparison wants it
  const bytes = Buffer.alloc(CODE_LENGTH)
  bytes.write(given.length === CODE_LENGTH ? given : '')
  return timingSafeEqual(bytes, Buffer.from(code))
}

interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly now: number
  readonly out: Pick<NodeJS.WritableStream, 'write'>
  readonly err: Pick<NodeJS.WritableStream, 'write'>
}

/** `pilotflame access code [--json]`: prints a code for the first admin. Gives the exit status. */
export function tellAccessCode(words: readonly string[], { env, cwd, now, out, err }: Terminal): number {
  const json = words.includes('--json')
  const no = refuser({ out, err, json })
  const foreign = words.find((word) => word !== '--json')
  if (foreign !== undefined) return no(2, `access code: "${sanitise(foreign)}" is not known. ${usageOf('access')}`)
  const loaded = loadConfig({ file: null, env, cwd })
  if (loaded.kind === 'problems') return no(1, loaded.text)
  const config = loaded.kind === 'config' ? loaded.config : null
  if (config === null || config.slack === null) return no(1, NO_TOKENS)
  const { admins, adminGroups } = config.roles
  const [first, more] = admins
  if (first !== undefined)
    return no(1, `${first}${more === undefined ? ' is' : ' and others are'} admin already. ${ASK_THEM}`)
  const line = slashIn(config.slash).typed(`access claim ${codeInGroups(accessCode(config.slack, now))}`)
  const hints = [HOW, ...(adminGroups.length === 0 ? [] : [`${GROUPS}: ${adminGroups.join(', ')}.`])]
  if (json) out.write(`${JSON.stringify({ status: 'done', line, minutes: RIGHT_MINUTES, groups: adminGroups })}\n`)
  else {
    out.write(`${line}\n`)
    err.write(`${hints.join('\n')}\n`)
  }
  return 0
}

/** A group is no person: it may be empty, or Slack may not tell who is in it. The bot looks when the code is typed. */
const GROUPS = 'It counts only while Slack tells of nobody in the user groups that are admin by pilotflame.yml'

const NO_TOKENS =
  'No code: it is made of the Slack tokens, and none are set here. Next: run this where Pilotflame runs, with its .env or environment.'
const ASK_THEM =
  'No code is needed: pilotflame.yml says so under roles. Next: let them say access grant USER ROLE in Slack, or write more people there.'
const HOW = `Type that line in Slack within ${RIGHT_MINUTES} minutes. It makes you the first admin of Pilotflame, once, while there is none.
Do not show it to anybody: whoever types it first is admin.`
