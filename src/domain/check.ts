/** One line of `doctor`: something that must hold for the bot to work. */
export interface Check {
  /** `host gpu-box-1: host key` */
  readonly name: string
  /** the targets that it tells something of; absent: the bot itself */
  readonly about?: readonly string[]
  run(signal: AbortSignal): Promise<CheckResult>
}

export type CheckResult =
  | { readonly state: 'ok'; readonly saw: string }
  | {
      readonly state: 'fault' | 'warning'
      readonly saw: string
      readonly next: string
      /** the same for all checks that failed of the same thing, which is told once */
      readonly cause?: string
    }
  | { readonly state: 'skipped'; readonly saw: string }
