import type { GateText } from '../box-changes.ts'

/** What the field story's box says of its health: an LXC guest with two cards, on which nothing but the model is wrong. */
export function hostHealth(works: boolean): readonly GateText[] {
  return [
    ['machine', MACHINE],
    ['devices', DEVICES],
    ['services', '', 1],
    ['disk', DISK],
    ['cards', [`columns ${COLUMNS}`, card(0, '41', works), card(1, '61', works)].join('\n')],
    ['links', [links(0), links(1)].join('\n')],
  ]
}

const MACHINE = [
  ...['kernel=6.8.12-8-pve', 'uptime=86400', 'container=lxc', 'vm=none', 'driver=580.95.05'],
  ...['MemTotal=131072000', 'MemAvailable=98304000', 'SwapTotal=0', 'SwapFree=0'],
].join('\n')

const DEVICES = ['nvidia0', 'nvidia1', 'nvidiactl', 'nvidia-uvm'].map((name) => `${name} rw`).join('\n')

const DISK = `Filesystem 1024-blocks Used Available Capacity Mounted on
rpool/data/subvol-129 1048576000 417333248 631242752 40% /
tmpfs 65536000 1048576 64487424 2% /dev/shm`

const COLUMNS =
  'index,uuid,pci.bus_id,name,driver_version,pstate,temperature.gpu,utilization.gpu,persistence_mode,pcie.link.gen.current,pcie.link.gen.max,pcie.link.width.current,pcie.link.width.max,ecc.errors.uncorrected.volatile.total,remapped_rows.pending,remapped_rows.failure,clocks_event_reasons.active'

function card(index: number, bus: string, works: boolean): string {
  const state = works ? 'P2, 41, 0, Enabled, 4' : 'P8, 34, 0, Enabled, 1'
  const ids = `${index}, GPU-${index}, 00000000:${bus}:00.0, NVIDIA RTX A6000, 580.95.05`
  return `${ids}, ${state}, 4, 16, 16, 0, No, No, 0x0000000000000001`
}

function links(index: number): string {
  return [
    `GPU ${index}: NVIDIA RTX A6000 (UUID: GPU-${index})`,
    ...[0, 1, 2, 3].map((at) => `\t Link ${at}: <inactive>`),
  ].join('\n')
}
