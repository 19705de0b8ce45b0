import type { Duplex } from 'node:stream'

import type { Failure } from '../domain/failure.ts'
import type { Outcome } from '../domain/outcome.ts'
import { failed, ok } from '../domain/outcome.ts'
import { lost, openFailure, openTimeout, stopped } from '../domain/ssh/failure.ts'
import type { HostSettings } from '../domain/target.ts'
import { carry } from './ssh-channel.ts'

/** Asks the host to open a channel; calls back once. Throws where the connection is gone already. */
export type Forward = (done: (error: Error | undefined, channel: Duplex) => void) => void

/** A forwarded stream, or why it did not open in time. The signal closes it also when it is open. */
export function openStream(host: HostSettings, target: string, limitMs: number, signal: AbortSignal, forward: Forward) {
  const { promise, resolve } = Promise.withResolvers<Outcome<Duplex>>()
  let stream: Duplex | null = null
  let over = false
  const fail = (failure: Failure) => {
    over = true
    clearTimeout(timer)
    resolve(failed(failure))
  }
  const timer = setTimeout(() => fail(openTimeout(host, target, limitMs)), limitMs)
  const stop = () => {
    fail(stopped(`tunnel to ${target}`))
    stream?.destroy()
  }
  signal.addEventListener('abort', stop, { once: true })
  const forget = () => signal.removeEventListener('abort', stop)
  const opened = (error: Error | undefined, channel: Duplex) => {
    if (over) return void channel?.destroy()
    clearTimeout(timer)
    if (error !== undefined) return fail(openFailure(host, target, error))
    stream = carry(channel)
    stream.once('close', forget)
    resolve(ok(stream))
  }
  try {
    if (signal.aborted) stop()
    else forward(opened)
  } catch (error) {
    fail(lost(host, error instanceof Error ? error.message : 'not connected'))
  }
  return promise.finally(() => {
    if (stream === null) forget()
  })
}
