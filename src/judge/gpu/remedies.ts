import type { Code } from '../../domain/code.ts'
import { resetOf } from '../remedies.ts'

/** What a card that does not work brings with it: findings of these are not told beside it. */
export const OF_A_SILENT_CARD: readonly Code[] = [
  'gpu.count-mismatch',
  'telemetry.field-error',
  'telemetry.timeout',
  'telemetry.unsupported',
  'driver.init-failed',
  'driver.not-loaded',
  'engine.kernel-crash',
  'container.cgroup-lost',
  'log.need-more',
]

export const WITHOUT_IT =
  'Take the traffic off this GPU first; with the others the server can go on (CUDA_VISIBLE_DEVICES without it, a smaller --tp-size).'

export const IF_AGAIN =
  'If it comes back on the same card, run dcgmi diag -r 3 and have the card examined or exchanged; sudo nvidia-bug-report.sh collects what the vendor asks for.'

/** Of a card that left the bus. */
export const BACK_ON_THE_BUS: readonly string[] = [
  'Take the traffic off the host and reboot it, best with the power off for a minute: nothing less brings the card back.',
  'If it comes back: seat, riser, power cables and power supply, heat, firmware of the board; then try the card in another slot.',
  'Read dmesg -T | grep -iE "xid|aer|pcieport" for what came before it.',
]

/** Of a card whose processor (GSP) is silent; `gpu` as `nvidia-smi -i` takes it. */
export function awake(gpu: string | null): readonly string[] {
  return [
    WITHOUT_IT,
    `${resetOf(gpu)} A card whose GSP is silent often needs the reboot.`,
    'Upgrade the driver: many of these are mended in later releases (all its packages together, then a reboot).',
    'Where the closed kernel module is in use: options nvidia NVreg_EnableGpuFirmware=0 in /etc/modprobe.d/nvidia.conf, then sudo update-initramfs -u and a reboot. The open module cannot do without the GSP.',
    IF_AGAIN,
  ]
}

/** Of a card whose spare rows wait for a reset; `gpu` as `nvidia-smi -i` takes it. */
export function replaceRows(gpu: string | null): readonly string[] {
  return [
    `At the next quiet hour reset the card, which puts the spare row in its place: ${resetOf(gpu)}`,
    'Then nvidia-smi -q -d ROW_REMAPPER must say Pending: No and Remapping Failure Occurred: No. One such event is no reason to exchange the card.',
  ]
}

/** Of a card whose spare rows are used up. */
export const EXCHANGE_IT: readonly string[] = [
  WITHOUT_IT,
  'Have the card exchanged: its spare rows are used up or did not take, which the vendor takes as a reason (RMA). Show nvidia-smi -q -d ROW_REMAPPER and sudo nvidia-bug-report.sh.',
  'Until then leave it out of every server; after a reset the same memory goes bad again.',
]
