import type { Evidence, Finding, Rule } from '../../domain/finding.ts'
import type { DiskPlace } from '../../domain/verbs/disk.ts'

/** Memory, disks and shared memory of a machine that run out. */
export const machineRoom: Rule = {
  codes: ['host.memory-low', 'host.disk-full', 'container.shm'],
  check: (evidence) => [...memory(evidence), ...disk(evidence), ...shared(evidence)],
}

const GIB = 1024 * 1024

/** `3.2 GiB`, `64 MiB` */
export function room(kib: number): string {
  return kib >= GIB ? `${(kib / GIB).toFixed(1)} GiB` : `${Math.round(kib / 1024)} MiB`
}

/** Less than a twentieth, and less than what one more start of a server takes. */
const LOW = { share: 0.05, kib: 8 * GIB }

function memory({ machine }: Evidence): readonly Finding[] {
  const { totalKiB = null, availableKiB = null, swapTotalKiB = null, swapFreeKiB = null } = machine?.memory ?? {}
  if (totalKiB === null || availableKiB === null) return []
  if (availableKiB >= totalKiB * LOW.share || availableKiB >= LOW.kib) return []
  const swap = swapTotalKiB === null || swapTotalKiB === 0 ? 'no swap' : `${room(swapFreeKiB ?? 0)} of swap free`
  return [
    {
      code: 'host.memory-low',
      verdict: 'degraded',
      cause: `The machine has ${room(availableKiB)} of ${room(totalKiB)} memory left, with ${swap}: the kernel may soon kill a process, as a rule the largest one.`,
      because: [`/proc/meminfo: MemAvailable ${availableKiB} kB of MemTotal ${totalKiB} kB`],
      remedy: [
        'ps -eo pid,user,rss,comm --sort=-rss | head shows who holds it; of a server, loading weights needs as much as one shard and more with --cpu-offload.',
        'Give units that matter less a MemoryMax=; in a container, see its own limit first.',
      ],
      confidence: 'certain',
    },
  ]
}

/** A disk is as good as full below both. */
const FULL = { share: 0.05, kib: 20 * GIB }

function isFull({ sizeKiB, freeKiB }: DiskPlace): boolean {
  return sizeKiB > 0 && freeKiB < sizeKiB * FULL.share && freeKiB < FULL.kib
}

/** What can be written to nowhere is always full: images, disks of installation. */
const READ_ONLY = /^(?:\/dev\/loop|squashfs|iso9660|overlay-ro)/

function disk({ machine }: Evidence): readonly Finding[] {
  const full = (machine?.places ?? []).filter(
    (place) => place.mount !== SHM && !READ_ONLY.test(place.device) && isFull(place),
  )
  const [first] = full
  if (first === undefined) return []
  return [
    {
      code: 'host.disk-full',
      verdict: 'degraded',
      cause: `The disk at ${first.mount} is as good as full (${room(first.freeKiB)} of ${room(first.sizeKiB)} free): downloads, caches and logs fail next.`,
      because: full
        .slice(0, 4)
        .map(({ mount, freeKiB, sizeKiB }) => `${mount}: ${room(freeKiB)} of ${room(sizeKiB)} free`),
      remedy: [
        'sudo du -xh --max-depth=2 DIRECTORY | sort -h | tail shows what fills it: old models in ~/.cache/huggingface, images (docker system df), core files, logs (journalctl --disk-usage).',
        'Make room, or point HF_HOME, TMPDIR and the compile caches to a larger disk.',
      ],
      confidence: 'certain',
    },
  ]
}

const SHM = '/dev/shm'
/** Docker gives 64 MiB where nobody says otherwise; the ranks of one server want more than this. */
const SHM_KIB = GIB

/** It matters where several cards work together, and where it is used up. */
function shared({ machine, gpus }: Evidence): readonly Finding[] {
  const place = machine?.places.find(({ mount }) => mount === SHM)
  if (place === undefined) return []
  const isSmall = place.sizeKiB < SHM_KIB && (gpus?.cards.length ?? 0) > 1
  if (!isSmall && !isFull(place)) return []
  return [
    {
      code: 'container.shm',
      verdict: 'misconfigured',
      cause: isSmall
        ? `Shared memory (${SHM}) has ${room(place.sizeKiB)}: too little for a server on several cards, whose ranks talk through it.`
        : `Shared memory (${SHM}) is used up: ${room(place.freeKiB)} of ${room(place.sizeKiB)} are free.`,
      because: [`${SHM}: ${room(place.freeKiB)} of ${room(place.sizeKiB)} free`],
      remedy: [
        isSmall
          ? 'Start the container with --ipc=host, or with --shm-size 16g (Compose: ipc: host, or shm_size: 16gb; Kubernetes: an emptyDir with medium: Memory at /dev/shm). On a machine: mount -o remount,size=16g /dev/shm.'
          : 'ls -l /dev/shm while no server runs shows what a killed run left behind (nccl-*, psm_*, sem.*): remove what is of no running process.',
      ],
      confidence: isSmall ? 'likely' : 'certain',
      ...(isSmall ? { unless: 'only servers on one card run there.' } : {}),
    },
  ]
}
