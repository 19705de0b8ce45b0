import type { Duplex, Writable } from 'node:stream'

/** `stdin` is all that was sent; the signal aborts when the channel is closed. */
export type BoxExec = (command: string, stdin: string, signal: AbortSignal) => BoxRun | Promise<BoxRun>

/** One command as it is to be replayed. */
export interface BoxRun {
  readonly stdout?: BoxOutput
  readonly stderr?: BoxOutput
  /** how it ends once all of that is out */
  readonly end: BoxEnd
}

/** Sent as given; an iterable brings its pieces in its own time, and as fast as they are taken. */
export type BoxOutput = string | Uint8Array | AsyncIterable<string | Uint8Array>

export type BoxEnd =
  | { readonly how: 'exited'; readonly code: number }
  /** `KILL` or `SIGKILL` */
  | { readonly how: 'signalled'; readonly signal: string }
  /** the channel closes without a status */
  | { readonly how: 'lost' }
  /** the whole connection ends: in order, or by a reset */
  | { readonly how: 'cut'; readonly reset: boolean }
  | { readonly how: 'never' }

/** The host's end of a command's channel. */
export interface BoxChannel extends Duplex {
  readonly stderr: Writable
  exit(status: number): void
  exit(signal: string): void
}

/** Reads the input, asks what to do, and does it; where nobody is asked, refuses at once. `cut` ends the connection. */
export async function serveExec(channel: BoxChannel, command: string, exec: BoxExec | null, cut: Cut): Promise<void> {
  const closed = new AbortController()
  channel.on('error', () => closed.abort()).on('close', () => closed.abort())
  const stdin: Buffer[] = []
  channel.on('data', (piece: Buffer) => stdin.push(piece))
  if (exec === null) return play(NOT_OFFERED, channel, closed.signal, cut)
  await new Promise((resolve) => channel.once('end', resolve).once('close', resolve))
  await play(await exec(command, Buffer.concat(stdin).toString(), closed.signal), channel, closed.signal, cut)
}

const NOT_OFFERED: BoxRun = { stderr: 'not offered by this box\n', end: { how: 'exited', code: 127 } }

async function play({ stdout, stderr, end }: BoxRun, channel: BoxChannel, closed: AbortSignal, cut: Cut) {
  await Promise.all([send(channel, stdout, closed), send(channel.stderr, stderr, closed)])
  if (closed.aborted || end.how === 'never') return
  if (end.how === 'cut') return cut(end.reset)
  if (end.how === 'exited') channel.exit(end.code)
  if (end.how === 'signalled') channel.exit(end.signal.replace(/^SIG/, ''))
  channel.end()
}

type Cut = (reset: boolean) => void

async function send(to: Writable, output: BoxOutput | undefined, closed: AbortSignal): Promise<void> {
  if (output === undefined) return
  const pieces = typeof output === 'string' || output instanceof Uint8Array ? [output] : output
  for await (const piece of pieces) {
    if (closed.aborted) return
    await written(to, piece, closed)
  }
}

/** A channel that is closed says nothing of what it was given. */
async function written(to: Writable, piece: string | Uint8Array, closed: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const done = () => resolve()
  closed.addEventListener('abort', done, { once: true })
  to.write(piece, done)
  await promise
  closed.removeEventListener('abort', done)
}
