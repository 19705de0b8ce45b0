import type { Evidence } from '../../src/domain/finding.ts'
import type { Gpu } from '../../src/domain/gpu.ts'
import type { DiskPlace } from '../../src/domain/verbs/disk.ts'
import type { HostHealth } from '../../src/domain/verbs/host-health.ts'
import { cardOf } from '../../src/judge/gpu/card.ts'

const GIB = 1024 * 1024

/** A machine on which nothing is wrong, with what a test changes. */
export function machineOf(change: Partial<HostHealth> = {}): HostHealth {
  return {
    delivery: 'installed',
    kernel: '6.8.0-60-generic',
    uptimeS: 500_000,
    timeMs: Date.UTC(2026, 4, 1, 12),
    container: null,
    vm: null,
    driver: '580.95.05',
    memory: { totalKiB: 256 * GIB, availableKiB: 200 * GIB, swapTotalKiB: 0, swapFreeKiB: 0 },
    devices: [{ name: 'nvidia0', usable: true }],
    services: [
      { name: 'nvidia-fabricmanager.service', loadState: 'not-found', activeState: 'inactive' },
      { name: 'nvidia-persistenced.service', loadState: 'loaded', activeState: 'active' },
    ],
    places: [place('/', 500, 200), place('/dev/shm', 128, 120)],
    cards: null,
    unasked: null,
    links: null,
    ...change,
  }
}

/** In GiB. */
export function place(mount: string, size: number, free: number): DiskPlace {
  const [sizeKiB, freeKiB] = [Math.round(size * GIB), Math.round(free * GIB)]
  return { device: '/dev/sda1', mount, sizeKiB, usedKiB: sizeKiB - freeKiB, freeKiB }
}

/** A card as a query of its health tells it. */
export function cardWith(others: Readonly<Record<string, string>>, said: Parameters<typeof cardOf>[0] = {}): Gpu {
  return cardOf({ index: '0', name: 'NVIDIA RTX A6000', ...said }, others)
}

/** Evidence of a machine with these cards. */
export function onMachine(change: Partial<HostHealth> = {}, cards: readonly Gpu[] = []): Evidence {
  return {
    target: { name: 'box', url: '', host: 'box' },
    machine: machineOf(change),
    gpus: { tool: 'nvidia-smi', cards, notes: [], rc: 0, timedOut: false, place: 'host' },
  }
}
