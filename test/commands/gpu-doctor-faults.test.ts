import { expect, test } from 'vitest'
import type { HealthHost } from './health-hosts.ts'
import { cards, df, doctor, health, lineOf, linesOf, links, machine, services, UNIT, xid } from './health-hosts.ts'

const NO_DRIVER =
  "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that the latest NVIDIA driver is installed and running.\n"
const smi = (rc: number, text: string) => [rc, `columns index,name\n${text}`] as const
const lost = Object.fromEntries(['pstate', 'temperature.gpu', 'utilization.gpu'].map((name) => [name, '[GPU is lost]']))

/** Each fault of the issue: the line that tells it, its sign and its code. */
const FAULTS: readonly (readonly [name: string, host: HealthHost, check: string, sign: string, code: string])[] = [
  [
    'driver not loaded',
    { health: health({ machine: machine({ driver: '' }), cards: smi(9, NO_DRIVER) }) },
    'driver',
    '✗',
    'driver.not-loaded',
  ],
  [
    'driver not loaded yet',
    { health: health({ machine: machine({ driver: '', uptime: '42' }), cards: smi(9, NO_DRIVER) }) },
    ...(['driver', '!', 'driver.still-loading'] as const),
  ],
  [
    'library and driver of two versions, on the host',
    {
      health: health({
        machine: machine({ driver: '570.133.20' }),
        cards: smi(18, 'Failed to initialize NVML: Driver/library version mismatch\nNVML library version: 580.95\n'),
      }),
    },
    ...(['driver', '✗', 'driver.lib-mismatch'] as const),
  ],
  ['the tool is missing', { health: health({ cards: null }) }, 'driver', '✗', 'tool.missing'],
  ['the tool hangs', { health: health({ cards: [124, ''] }) }, 'driver', '!', 'telemetry.timeout'],
  [
    'an earlier call of the tool hangs',
    { health: health({ cards: null, held: '/usr/bin/nvidia-smi\n' }) },
    'driver',
    '!',
    'telemetry.timeout',
  ],
  [
    'too old for what is installed',
    { health: health({ machine: machine({ driver: '570.133.20' }) }), packages: ['torch-2.11.0+cu130'] },
    ...(['CUDA', '✗', 'driver.too-old'] as const),
  ],
  [
    'fabric manager',
    { health: health({ devices: 'nvidia0 rw\nnvidia-nvswitch0 rw\n', services: services('failed') }) },
    ...(['fabric manager', '✗', 'driver.fabricmanager'] as const),
  ],
  [
    'persistence mode',
    { health: health({ cards: cards({ persistence_mode: 'Disabled' }, {}) }) },
    'persistence mode',
    '!',
    'driver.persistence-off',
  ],
  [
    'kept for a virtual machine',
    {
      health: health({ machine: machine({ driver: '' }), cards: smi(9, NO_DRIVER) }),
      pci: ['0000:41:00.0 0x10de 0x2230 0x030000 vfio-pci'],
    },
    ...(['cards', '✗', 'driver.vfio-bound'] as const),
  ],
  [
    'kept for a virtual machine, seen from a container',
    {
      health: health({ machine: machine({ driver: '', container: 'lxc' }), cards: smi(9, NO_DRIVER) }),
      pci: ['0000:41:00.0 0x10de 0x2230 0x030000 vfio-pci'],
    },
    ...(['cards', '✗', 'driver.vfio-bound'] as const),
  ],
  [
    'a container that lost its devices',
    {
      health: health({
        machine: machine({ container: 'docker' }),
        cards: smi(255, 'Failed to initialize NVML: Unknown Error\n'),
      }),
    },
    ...(['container', '✗', 'container.cgroup-lost'] as const),
  ],
  [
    'a container that was never given them',
    {
      health: health({
        machine: machine({ container: 'lxc' }),
        cards: smi(255, 'Failed to initialize NVML: Unknown Error\n'),
      }),
    },
    ...(['container', '✗', 'driver.not-in-container'] as const),
  ],
  [
    'WSL',
    {
      health: health({
        machine: machine({ kernel: '5.15.167.4-microsoft-standard-WSL2', container: 'wsl', driver: '' }),
        cards: smi(255, 'Failed to initialize NVML: GPU access blocked by the operating system\n'),
      }),
      pci: [],
    },
    ...(['Windows (WSL)', '✗', 'driver.wsl'] as const),
  ],
  ['an Xid of an application', { kernel: [xid(31)] }, 'card faults (Xid)', '!', 'engine.kernel-crash'],
  ['an Xid that a reset helps', { kernel: [xid(48)] }, 'card faults (Xid)', '✗', 'gpu.needs-reset'],
  ['an Xid of the hardware', { kernel: [xid(79)] }, 'card faults (Xid)', '✗', 'gpu.off-bus'],
  ['a lost card', { health: health({ cards: cards({}, lost) }) }, 'card faults (Xid)', '✗', 'gpu.off-bus'],
  [
    'ECC',
    { health: health({ cards: cards({}, { 'ecc.errors.uncorrected.volatile.total': '3' }) }) },
    'card faults (Xid)',
    '✗',
    'gpu.needs-reset',
  ],
  [
    'a row to remap',
    { health: health({ cards: cards({ 'remapped_rows.pending': 'Yes' }, {}) }) },
    'memory of the cards (ECC, rows)',
    '!',
    'gpu.remap-pending',
  ],
  [
    'a row that cannot be remapped',
    { health: health({ cards: cards({ 'remapped_rows.failure': 'Yes' }, {}) }) },
    'memory of the cards (ECC, rows)',
    '✗',
    'gpu.remap-failed',
  ],
  [
    'heat',
    {
      health: health({
        cards: cards({ 'clocks_event_reasons.active': '0x0000000000000040', 'temperature.gpu': '91' }, {}),
      }),
    },
    'heat and throttling',
    '!',
    'gpu.thermal',
  ],
  [
    'power brake',
    { health: health({ cards: cards({ 'clocks_event_reasons.active': '0x0000000000000088' }, {}) }) },
    'heat and throttling',
    '!',
    'gpu.power-brake',
  ],
  [
    'PCIe lanes',
    { health: health({ cards: cards({ 'pcie.link.width.current': '4' }, {}) }) },
    'PCIe',
    '!',
    'gpu.pcie-slow',
  ],
  [
    'PCIe generation at work',
    { health: health({ cards: cards({ pstate: 'P0', 'utilization.gpu': '97' }, {}) }) },
    'PCIe',
    '!',
    'gpu.pcie-slow',
  ],
  ['NVLink', { health: health({ links: links('<inactive>') }) }, 'NVLink', '!', 'gpu.nvlink-down'],
  ['fewer cards than the bus has', { health: health({ cards: cards({}) }) }, 'cards', '✗', 'gpu.count-mismatch'],
  [
    'a reading that fails',
    { health: health({ cards: cards({ 'temperature.gpu': '[Unknown Error]' }, {}) }) },
    'readings',
    '!',
    'telemetry.field-error',
  ],
  ['RAM', { health: health({ machine: machine({ MemAvailable: '2097152' }) }) }, 'RAM', '!', 'host.memory-low'],
  ['a full disk', { health: health({ disk: df(['/', 500, 2]) }) }, 'disk', '!', 'host.disk-full'],
  [
    'shared memory of a container',
    { health: health({ disk: df(['/', 500, 200], ['/dev/shm', 0.0625, 0.06]) }) },
    '/dev/shm',
    '✗',
    'container.shm',
  ],
  [
    'SIGKILL as a success',
    { unit: UNIT.replace('SuccessExitStatus=', 'SuccessExitStatus=143 KILL') },
    'units',
    '✗',
    'unit.kill-is-success',
  ],
  ['a slow login shell', { shellMs: 640 }, 'login shell', '!', 'ssh.slow-shell'],
]

test.each(FAULTS)('%s', async (_name, host, check, sign, code) => {
  const told = await doctor('/gpu doctor box', { box: host })
  const line = lineOf(told, check)
  expect(line?.[0]).toBe(sign)
  // worst first, and each finding has its section with evidence, what to do, and its page
  expect(linesOf(told)[0]).toBe(line)
  const finding = told.sections.find(({ title }) => title.includes(`${code},`))
  expect(finding?.title).toContain(`docs/problems/${code}.md`)
  expect(finding?.body).toContain('What to do:')
  expect(told.summary).toMatch(/^box: .+\nNext: ./s)
  expect(told.tone).toBe(sign === '✗' ? 'bad' : 'warning')
  const others = linesOf(told).filter((one) => one !== line && !one.startsWith('✓') && !one.startsWith('?'))
  expect(others).toEqual([])
})

/** Odd, and no fault of the host: no line of theirs is anything but ok or absent. */
const HARMLESS: readonly (readonly [name: string, host: HealthHost, check: string, line: RegExp | undefined])[] = [
  [
    'a card that a virtual machine has, and nobody misses',
    {
      health: health({ cards: cards({}) }),
      pci: ['0000:01:00.0 0x10de 0x2230 0x030000 nvidia', '0000:41:00.0 0x10de 0x2230 0x030000 vfio-pci'],
    },
    'cards',
    /^✓ .*0000:41:00\.0 kept for a virtual machine \(vfio-pci\): how to give it back stands in docs\/problems\/driver\.vfio-bound\.md$/,
  ],
  [
    'an older driver refuses columns',
    { health: health({ cards: 'columns index,name,persistence_mode\n0, A6000, Enabled\n1, A6000, Enabled\n' }) },
    'persistence mode',
    /^✓/,
  ],
  [
    'a container with its GPUs',
    { health: health({ machine: machine({ container: 'lxc' }) }) },
    'container',
    /^✓ .*\(lxc\), and it has its GPUs$/,
  ],
  [
    'a machine without NVSwitch and without its manager',
    { health: health({ services: services('inactive') }) },
    'fabric manager',
    undefined,
  ],
  [
    'a limit of power',
    { health: health({ cards: cards({ 'clocks_event_reasons.active': '0x0000000000000004' }, {}) }) },
    'heat and throttling',
    /^✓/,
  ],
  [
    'half the lanes',
    { health: health({ cards: cards({ 'pcie.link.width.current': '8' }, {}) }) },
    'PCIe',
    /^✓ PCIe: x8 of x16/,
  ],
  [
    'cards without ECC',
    {
      health: health({
        cards: cards(
          ...[0, 1].map(() => ({
            'ecc.errors.uncorrected.volatile.total': '[N/A]',
            'remapped_rows.pending': '[N/A]',
            'remapped_rows.failure': '[N/A]',
          })),
        ),
      }),
    },
    'memory of the cards (ECC, rows)',
    /^✓ .*count no errors/,
  ],
  [
    'an Xid of last week',
    { kernel: ['2026-04-24T11:59:00,000000+00:00 NVRM: Xid (PCI:0000:41:00): 79, GPU has fallen off the bus.'] },
    'card faults (Xid)',
    /^✓/,
  ],
  ['driver that serves what is installed', { packages: ['torch-2.11.0+cu130'] }, 'CUDA', /^✓/],
  [
    'a unit that restarts always',
    { unit: UNIT.replace('on-failure', 'always').replace('SuccessExitStatus=', 'SuccessExitStatus=KILL') },
    'units',
    /^✓/,
  ],
]

test.each(HARMLESS)('no fault: %s', async (_name, host, check, line) => {
  const told = await doctor('/gpu doctor box', { box: host })
  expect(linesOf(told).filter((one) => /^[✗!]/.test(one))).toEqual([])
  if (line === undefined) expect(lineOf(told, check)).toBeUndefined()
  else expect(lineOf(told, check)).toMatch(line)
  expect(told.tone).toBe('good')
})
