/** A card of a made-up box. */
export interface Card {
  readonly index: number
  readonly uuid: string
  /** `0000:41:00.0` */
  readonly slot: string
}

/** What a card reads besides its memory. */
interface Reading {
  readonly usedMib: number
  /** percent of the time that it works */
  readonly use: number
  readonly celsius: number
  readonly watts: number
  /** `P2` */
  readonly state: string
}

/** What the columns of `nvidia-smi` say of a card, as the gate asks for them. */
export function cardRow({ index, uuid, slot }: Card, { usedMib, use, celsius, watts, state }: Reading): string {
  const load = `${usedMib}, ${use}, ${celsius}, ${watts.toFixed(2)}`
  return `${index}, ${uuid}, 0000${slot.toUpperCase()}, NVIDIA RTX A6000, 580.95.05, 49140, ${load}, 300.00, 30, ${state}`
}

/** A process as the gate tells it. */
interface Process {
  readonly pid: number
  readonly parent: number
  /** the unit that holds it */
  readonly unit: string
  /** as the kernel cuts it: 15 characters */
  readonly comm: string
  readonly argv: readonly string[]
}

/** `PID PPID START OWNER STATE RSSKIB CGROUP COMM ARGV` */
export function processLine({ pid, parent, unit, comm, argv }: Process): string {
  const packed = [`/system.slice/${unit}.service`, `${comm}\n`, `${argv.join('\0')}\0`].map((text) =>
    Buffer.from(text).toString('base64'),
  )
  return [pid, parent, 8_640_100, 'sglang', 'S', 3_412_880, ...packed].join(' ')
}
