/** People who do something on a box past the chat, one deed after another. */
export interface Team {
  /** the target that they work on */
  readonly target: string
  /** what is typed where a deed counts from the next restart on */
  readonly restart: string
  /** what is typed once nothing is left to them, to see whether it was enough */
  readonly proof: string
  /** whether the model has answered since their last deed */
  isProved(): boolean
  /** whether the last deed waits for that */
  isDue(): boolean
  /** what they do next, behind "The team"; null: nothing is left */
  next(): string | null
  /** They do it. What one of them says of it; null where nothing was left. */
  act(): string | null
}
