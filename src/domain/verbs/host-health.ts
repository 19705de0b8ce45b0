import { refusalOf } from '../gate/refusal.ts'
import type { GateReply } from '../gate.ts'
import { sectionOf } from '../gate.ts'
import type { Unasked } from '../gpu.ts'
import { ok } from '../outcome.ts'
import type { ToolSaid } from '../telemetry.ts'
import type { Verb } from '../verb.ts'
import type { DiskPlace } from './disk.ts'
import { placesIn } from './disk.ts'
import { keyValues, linesOf, readSection, textOrNull, unaskedIn, wholeNumber } from './reading.ts'
import type { ServiceState } from './service-state.ts'
import { servicesIn } from './service-state.ts'

/** The gate gives the GPU tool 16 s and all else some seconds each, one after the other: 38 s at worst. */
const DEADLINE_MS = 40_000

/** How the machine itself is: memory, disks, what runs it, and what its GPU driver says of the cards' health. */
export const hostHealth: Verb<object, HostHealth> = {
  name: 'host-health',
  access: 'read',
  deadlineMs: DEADLINE_MS,
  words: () => [],
  parse: (reply) =>
    readSection(reply, 'machine', (section) => {
      const values = keyValues(section)
      const kind = (key: string) => unlessNone(textOrNull(values.get(key)))
      const kib = (key: string) => wholeNumber(values.get(key))
      const seconds = wholeNumber(values.get('time'))
      return ok({
        delivery: reply.delivery,
        kernel: textOrNull(values.get('kernel')),
        uptimeS: kib('uptime'),
        timeMs: seconds === null ? null : seconds * 1000,
        container: kind('container'),
        vm: kind('vm'),
        driver: textOrNull(values.get('driver')),
        memory: {
          totalKiB: kib('MemTotal'),
          availableKiB: kib('MemAvailable'),
          swapTotalKiB: kib('SwapTotal'),
          swapFreeKiB: kib('SwapFree'),
        },
        devices: linesOf(sectionOf(reply, 'devices')).flatMap((line) => readDevice(line) ?? []),
        services: servicesIn(sectionOf(reply, 'services')),
        places: placesIn(sectionOf(reply, 'disk')),
        cards: cardsIn(reply),
        unasked: unaskedIn(reply),
        ...unlockedIn(reply),
        links: said(reply, 'links'),
      })
    }),
}

/** null: the host did not tell, or has none of it. */
export interface HostHealth {
  readonly delivery: GateReply['delivery']
  readonly kernel: string | null
  /** since the boot; in a container since its start */
  readonly uptimeS: number | null
  /** its clock, ms since 1970 */
  readonly timeMs: number | null
  /** `lxc`, `docker`, `wsl`, …; null: none is known of */
  readonly container: string | null
  /** `kvm`, `vmware`, …; null: none is known of */
  readonly vm: string | null
  /** version of the NVIDIA module that the kernel has loaded; null: none is loaded */
  readonly driver: string | null
  readonly memory: MemoryFacts
  /** of GPUs, below /dev */
  readonly devices: readonly DeviceNode[]
  /** null: systemd does not answer there */
  readonly services: readonly ServiceState[] | null
  readonly places: readonly DiskPlace[]
  /** null: nvidia-smi is not there, or was not asked */
  readonly cards: CardsSaid | null
  /** why it was not asked, where another call of it on that host has not ended; null: it was, or is not there */
  readonly unasked: Unasked | null
  /** why it could not be asked at all: there is no lock for it; absent else */
  readonly unlocked?: string
  /** what `nvidia-smi nvlink --status` printed; null where it was not asked */
  readonly links: ToolSaid | null
}

export interface MemoryFacts {
  readonly totalKiB: number | null
  readonly availableKiB: number | null
  readonly swapTotalKiB: number | null
  readonly swapFreeKiB: number | null
}

export interface DeviceNode {
  /** `nvidia0`, `nvidiactl`, `nvidia-nvswitch0`, `kfd`, `dxg` */
  readonly name: string
  /** whether this account may read and write it, by its mode */
  readonly usable: boolean
}

/** The rows of nvidia-smi, as it printed them. */
export interface CardsSaid extends ToolSaid {
  /** the columns that this driver knows, with commas */
  readonly columns: string
}

/** What was asked, `columns index,uuid,…`, stands before the rows; not where the tool never came back. */
function cardsIn(reply: GateReply): CardsSaid | null {
  const rows = said(reply, 'cards')
  if (rows === null) return null
  const [head = '', columns = ''] = /^columns ([a-z_.,]{1,600})\n?/.exec(rows.text) ?? []
  return { rc: rows.rc, text: rows.text.slice(head.length), columns }
}

/** Said as the gate refuses a verb: `permission /home/…: no folder of this account …`. */
function unlockedIn(reply: GateReply): Pick<HostHealth, 'unlocked'> {
  const section = sectionOf(reply, 'unlocked')
  if (section === null) return {}
  const refusal = { ...section, name: 'refusal' }
  const read = refusalOf('', { ...reply, rc: section.rc ?? NOT_PERMITTED, sections: [refusal] })
  return { unlocked: read?.observed ?? 'the gate gave no reason' }
}

const NOT_PERMITTED = 77

function said(reply: GateReply, name: string): ToolSaid | null {
  const section = sectionOf(reply, name)
  return section === null ? null : { text: section.text, rc: section.rc ?? 0 }
}

function readDevice(line: string): DeviceNode | null {
  const [, name, rights] = /^([A-Za-z0-9_-]{1,64}) (rw|-)$/.exec(line.trim()) ?? []
  return name === undefined ? null : { name, usable: rights === 'rw' }
}

function unlessNone(text: string | null): string | null {
  return text === 'none' ? null : text
}
