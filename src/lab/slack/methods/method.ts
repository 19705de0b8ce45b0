import type { Fields } from '../json.ts'
import type { Refusal } from '../validate.ts'
import type { World } from '../world.ts'

/** One Web API method: the scope that it needs (null: none), and what it does. */
export interface Method {
  readonly scope: string | null
  run(args: Fields, desk: Desk): Reply
}

export type Reply = { readonly ok: true; readonly [more: string]: unknown } | Refusal

/** What a method works with. */
export interface Desk {
  readonly world: World
  /** `http://127.0.0.1:7331` */
  readonly url: string
  /** A fresh one-use address for a socket; null where ten are open already. */
  ticket(): string | null
}
