import type { Failure } from './failure.ts'

/** One command on a host as the SSH library reported it. Nothing is judged yet: `null` means that nothing came. */
export interface RemoteRun {
  /** the command line; null where no command was begun */
  readonly command: string | null
  readonly end: RemoteEnd
  readonly stdout: string
  readonly stderr: string
  /** what sshd showed before the login */
  readonly banner?: string
  /** what the caller knows besides: kernel lines of the same minute */
  readonly dmesg?: string
  /** anything else that is known, one `name: value` a line */
  readonly known?: string
  /** whether the way leads through a jump host */
  readonly jumps?: boolean
}

/** How it ended. Only `exited` is an answer; `lost` is never a success (trust.md D5). */
export type RemoteEnd =
  | { readonly how: 'exited'; readonly code: number }
  /** nobody told; there is only what was printed */
  | { readonly how: 'untold' }
  | { readonly how: 'signalled'; readonly signal: string }
  /** the channel closed without an exit status */
  | { readonly how: 'lost' }
  | RemoteError
  /** no end within our limit */
  | { readonly how: 'timeout'; readonly afterMs: number }
  /** we cut it after this many bytes of output */
  | { readonly how: 'cut'; readonly bytes: number }

/** What the library threw, with the fields by which its kinds are told apart (testbed.md 3.2). */
export interface RemoteError {
  readonly how: 'error'
  readonly message: string
  /** `client-socket`, `client-authentication`, `handshake`, `protocol`, `client-timeout`, … */
  readonly level?: string
  /** `ECONNREFUSED` */
  readonly code?: string
  /** of a channel that did not open: 1 prohibited, 2 refused */
  readonly reason?: number
}

/** What went wrong, of a thing yet to be named. */
export type Found = Pick<Failure, 'kind' | 'observed' | 'next'>
