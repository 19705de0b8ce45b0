import type { Fact } from './knowledge.ts'
import type { HostSettings, Target } from './target.ts'

/** Everything that people set, checked and complete. Secrets are already read. */
export interface Config {
  readonly targets: readonly Target[]
  readonly hosts: readonly HostSettings[]
  /** null: no Slack tokens; the console or the terminal only */
  readonly slack: SlackSettings | null
  readonly roles: Roles
  /** channels in which the bot may be asked; elsewhere it refuses */
  readonly channels: readonly ChannelSettings[]
  readonly slash: SlashSettings
  /** whether only messages that mention the bot are read: fewer scopes, and no bare replies in threads */
  readonly mentionsOnly: boolean
  /** whether files that people upload for `explain` are read: one scope more */
  readonly readFiles: boolean
  readonly keep: { readonly promptsMs: number; readonly attemptsMs: number }
  readonly storePath: string
  /** what the team knows of its own engines and models */
  readonly taught: readonly Fact[]
  /** secrets by value, for redaction */
  readonly secrets: readonly string[]
}

export interface SlackSettings {
  /** xoxb-… */
  readonly botToken: string
  /** xapp-… */
  readonly appToken: string
  /** null: Slack itself; the console sets its own stand-in here */
  readonly apiUrl: string | null
}

/** Who may do more than read, as `TEAM:USER` ids. */
export interface Roles {
  readonly admins: readonly string[]
  readonly operators: readonly string[]
  /** ids of user groups whose members have the same role */
  readonly adminGroups: readonly string[]
  readonly operatorGroups: readonly string[]
}

/** The slash words of this workspace, where others own ours. */
export interface SlashSettings {
  /** stands before each word: `acme-` makes /acme-smoke; '' where it is not set */
  readonly prefix: string
  /** more words for commands, without slash: llm → sglang */
  readonly aliases: Readonly<Record<string, string>>
}

export interface ChannelSettings {
  readonly id: string
  /** names of targets that may be used there; empty means all */
  readonly targets: readonly string[]
  /** the target that is meant where nobody names one */
  readonly target: string | null
}
