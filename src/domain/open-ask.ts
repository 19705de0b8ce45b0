import type { Ask, Place } from './ask.ts'
import type { Outcome } from './outcome.ts'

/** An ask that a surface has promised to answer, kept until it is, so that a crash leaves nobody without a word. */
export interface OpenAsk extends Pick<Ask, 'id' | 'how' | 'at'> {
  /** all by which it may be delivered again */
  readonly keys: readonly string[]
  /** the id of who asked */
  readonly user: string
  /** where that person alone is told */
  readonly to: Place
  /** whether that person may have been told already that nobody answered; absent: surely not */
  readonly maybeTold?: boolean
}

export interface Inbox {
  /** True the first time a key is seen, false ever after (until pruned, by `at`). */
  firstTime(key: string, at: number): Promise<Outcome<boolean>>
  /**
   * True where none of the keys is known; then all are. Until `settle` only to this opening of the store: what a crash left
   * unsettled may be claimed again, except where an ask was kept with it.
   */
  claim(keys: readonly string[], at: number, ask?: OpenAsk | null): Promise<Outcome<boolean>>
  /** Keeps an ask whose keys were claimed without, or with another form of it, and are not settled. */
  keepAsk(ask: OpenAsk): Promise<Outcome<null>>
  /** What was claimed is done, and stays known as `firstTime`'s keys do. */
  settle(keys: readonly string[]): Promise<Outcome<null>>
  /** those that were kept and never settled, at most 1,000, oldest first */
  openAsks(): Promise<Outcome<readonly OpenAsk[]>>
}
