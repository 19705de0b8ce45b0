/** The target that is meant in a channel where nobody names one, and why; it may be gone from the configuration by now. */
export interface Usual {
  readonly target: string
  /** use: somebody said so in the channel · configuration: pilotflame.yml says so · only: there is no other one */
  readonly from: 'use' | 'configuration' | 'only'
}

/** Names the note that keeps what was said in a channel. */
export function usualKey(channel: string): string {
  return `use:${channel}`
}
