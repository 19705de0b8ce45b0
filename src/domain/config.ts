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
  readonly keep: { readonly promptsMs: number; readonly attemptsMs: number }
  readonly storePath: string
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
}

export interface ChannelSettings {
  readonly id: string
  /** names of targets that may be used there; empty means all */
  readonly targets: readonly string[]
  /** the target that is meant where nobody names one */
  readonly target: string | null
}
