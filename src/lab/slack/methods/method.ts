import type { Fields } from '../json.ts'
import type { Refusal } from '../validate.ts'
import type { World } from '../world.ts'

/** One Web API method and what it does. */
export interface Method {
  /** the scope that it needs, maybe by the kind of channel; null: any token will do */
  readonly scope: string | null | ((args: Fields, world: World) => string | null)
  /** true: it is answered without any token */
  readonly open?: boolean
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
