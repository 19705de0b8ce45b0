import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { HostSettings } from '../../../src/domain/target.ts'
import type { Account } from './accounts.ts'
import { addAccounts, usualAccounts } from './accounts.ts'
import type { Disk } from './disk.ts'
import { openDisk } from './disk.ts'
import type { Executed } from './exec.ts'
import { execIn } from './exec.ts'
import type { KeyPair } from './keys.ts'
import { makeKey } from './keys.ts'
import type { Network, NetworkKind } from './network.ts'
import { networkOf } from './network.ts'
import { powerOn } from './power.ts'
import { BOX_PREFIX, claim, sweep } from './sweep.ts'
import { layOutSystem } from './system.ts'
import type { Engine, Units } from './units.ts'
import { engineUnit, MODEL_FILE, modelLine, troubles } from './units.ts'

/** A machine of its own: systemd as PID 1, sshd, journal, D-Bus, sudo, and accounts that are not root. */
export interface Box {
  /** of its host, too */
  readonly name: string
  readonly disk: Disk
  /** of its inference server, on its 127.0.0.1 */
  readonly enginePort: number
  /** its PID 1, as this machine counts; another one after a reboot */
  pid(): number
  /** Settings that log in as an account, with that account's own key unless another one is given. */
  host(account: string, key?: KeyPair): HostSettings
  /** A key that no account knows yet. */
  newKey(name: string): Promise<KeyPair>
  /** Runs a shell line as root, past sshd. */
  exec(line: string, input?: string): Promise<Executed>
  /** Pulls the plug and boots from the same disk. The kernel, and so its boot_id, stay those of this machine. */
  reboot(): Promise<void>
  stop(): Promise<void>
}

export interface BoxPlan {
  /** what its sglang.service runs; null: something that only waits */
  readonly engine?: Engine | null
  /** besides sglang.service and those in trouble */
  readonly units?: Units
  /** texts by absolute path */
  readonly files?: Readonly<Record<string, string>>
  readonly accounts?: readonly Account[]
  /** `shared` where nothing is said */
  readonly network?: NetworkKind
}

export async function startBox(plan: BoxPlan = {}): Promise<Box> {
  await sweep()
  await using undo = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), BOX_PREFIX))
  undo.defer(() => rm(folder, { recursive: true }))
  await claim(folder)
  const name = basename(folder)
  const network = await networkOf(plan.network ?? 'shared')
  const disk = await openDisk(folder)
  undo.defer(() => disk.drop())
  const newKey = (of: string) => makeKey(folder, of)
  const { hostKey, keyOf } = await layOut({ disk, name, newKey, network, plan })
  const show = [process.cwd(), ...(plan.engine ? [plan.engine.models] : [])]
  const on = () => powerOn({ name, folder, disk: disk.pid, network, show })
  let power = await on()
  undo.defer(() => power.off())
  const parts = undo.move()
  return {
    name,
    disk,
    enginePort: network.enginePort,
    pid: () => power.pid,
    host: (user, key = keyOf(user)) => hostAt(name, network, user, { key, hostKey }),
    newKey,
    exec: (line, input) => execIn(power.pid, line, input),
    async reboot() {
      await power.off()
      power = await on()
    },
    stop: () => parts.disposeAsync(),
  }
}

function hostAt(
  name: string,
  { address, port }: Network,
  user: string,
  { key, hostKey }: { readonly key: KeyPair; readonly hostKey: KeyPair },
): HostSettings {
  return {
    name,
    address,
    port,
    user,
    key: { from: 'text', text: key.privateKey, passphrase: null },
    trust: { from: 'pinned', keys: [hostKey.publicLine] },
    jump: null,
    gate: null,
  }
}

async function layOut({ disk, name, network, newKey, plan }: Site): Promise<Laid> {
  const { accounts = usualAccounts, units = {}, files = {}, engine = null } = plan
  const hostKey = await newKey('host')
  const keys = new Map<string, KeyPair>()
  for (const account of accounts) keys.set(account.name, await newKey(account.name))
  const keyOf = (account: string) => {
    const key = keys.get(account)
    if (key === undefined) throw new Error(`the box has no account ${account}`)
    return key
  }
  const all = { ...engineUnit(engine, network.enginePort), ...troubles, ...units }
  await layOutSystem(disk, { name, network, hostKey: hostKey.privateKey, units: all })
  await disk.write(MODEL_FILE, modelLine('healthy'))
  await addAccounts(disk, accounts, (account) => keyOf(account).publicLine)
  for (const [path, text] of Object.entries(files)) await disk.write(path, text)
  return { hostKey, keyOf }
}

interface Site {
  readonly disk: Disk
  readonly name: string
  readonly network: Network
  readonly plan: BoxPlan
  newKey(name: string): Promise<KeyPair>
}

interface Laid {
  readonly hostKey: KeyPair
  keyOf(account: string): KeyPair
}
