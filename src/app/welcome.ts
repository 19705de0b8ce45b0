import { inWords } from '../commands/use.ts'
import { usualIn } from '../dispatch/usual.ts'
import type { Config } from '../domain/config.ts'
import { sentence } from '../domain/failure.ts'
import type { Outcome } from '../domain/outcome.ts'
import { ok } from '../domain/outcome.ts'
import type { Report } from '../domain/report.ts'
import { report } from '../domain/report.ts'
import type { Directory } from '../domain/role.ts'
import type { Slash } from '../domain/slash.ts'
import type { Store } from '../domain/store.ts'
import type { Usual } from '../domain/usual.ts'

interface Ways {
  readonly config: Config
  readonly slash: Slash
  readonly store: Store
  /** null: no chat is connected */
  directory(): Directory | null
}

/** Looks up what is meant in a channel and who is there, and says hello. */
export async function welcomeIn(channel: string, { config, slash, store, directory }: Ways): Promise<Report> {
  const { targets, channels, roles } = config
  const [usual, shared] = await Promise.all([
    usualIn(channel, { targets, store, policy: { channels, roles } }),
    directory()?.shared(channel) ?? ok(false),
  ])
  return welcome({ channel, listed: channels.some((one) => one.id === channel), usual, shared, typed: slash.typed })
}

/** What is known of a channel to which the bot was invited. */
interface Invited {
  readonly channel: string
  /** whether the configuration names it */
  readonly listed: boolean
  readonly usual: Outcome<Usual | null>
  /** whether people of another organisation are in it */
  readonly shared: Outcome<boolean>
  /** a command line as people type it in this workspace */
  typed(line: string): string
}

/** The bot's hello: what it is, what to type, which target is meant here, or what to write so that it may be asked. */
function welcome(invited: Invited): Report {
  const { channel, listed, shared, typed } = invited
  return report({
    tone: 'neutral',
    status: 'done',
    title: 'Hello. I prove that your models work, not only that their servers run.',
    summary: listed
      ? `Type ${typed('smoke "Say hello"')} for a first proof, ${typed('help')} for the rest. ${meant(invited)}`
      : `Nothing may be asked here yet. Whoever runs me adds the lines below to pilotflame.yml and starts me again; ${typed('help')} works already.`,
    lead: company(shared),
    sections: listed ? [] : [{ kind: 'code', title: 'In pilotflame.yml', body: lines(channel), folded: false }],
  })
}

/** Where nothing is changed, the target that is meant is not changed either. */
function meant({ usual, shared, typed }: Invited): string {
  if (!usual.ok) return sentence(usual.failure)
  const own = shared.ok && !shared.value
  return own ? `${inWords(usual.value)}. Another one: ${typed('sglang use NAME')}` : `${inWords(usual.value)}.`
}

/** Whoever looks on sees every answer, so it is said before anybody asks. */
function company(shared: Outcome<boolean>): string {
  if (!shared.ok) return `${UNKNOWN}: ${sentence(shared.failure)}`
  return shared.value ? COMPANY : ''
}

const COMPANY =
  'People of another organisation are in this channel: they see every answer and may ask nothing, and I change nothing here.'
const UNKNOWN =
  'I change nothing here, since Slack does not tell whether people of another organisation are in this channel'

function lines(channel: string): string {
  return ['slack:', '  channels:', `    ${channel}: {}`].join('\n')
}
