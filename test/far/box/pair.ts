import type { HostSettings } from '../../../src/domain/target.ts'
import { startSshd } from '../sshd.ts'
import type { Box } from './box.ts'
import { startBox } from './box.ts'

/** A container with its own address and sshd, as LXC has them, behind the sshd of the machine that runs it. */
export interface Pair {
  readonly jump: HostSettings
  readonly inner: HostSettings
  readonly box: Box
  /** what the sshd of the outer one wrote */
  jumpLog(): string
  stop(): Promise<void>
}

export async function startPair(): Promise<Pair> {
  await using undo = new AsyncDisposableStack()
  const sshd = await startSshd()
  undo.defer(() => sshd.stop())
  const box = await startBox({ network: 'own' })
  undo.defer(() => box.stop())
  const parts = undo.move()
  return {
    jump: sshd.host,
    inner: { ...box.host('operator'), jump: sshd.host.name },
    box,
    jumpLog: sshd.log,
    stop: () => parts.disposeAsync(),
  }
}
