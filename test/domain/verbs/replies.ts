import type { GateReply, GateSection } from '../../../src/domain/gate.ts'

/** A whole reply of the gate with these sections; a section is its text, or `[rc, text]`. */
export function reply(sections: Readonly<Record<string, string | readonly [rc: number, text: string]>>): GateReply {
  return {
    rc: 0,
    delivery: 'quick',
    noise: '',
    sections: Object.entries(sections).map(([name, given]) =>
      typeof given === 'string' ? section(name, 0, given) : section(name, given[0], given[1]),
    ),
  }
}

/** The same cut by the gate at its limit. */
export function cut(name: string, text: string): GateReply {
  return { ...reply({}), sections: [{ ...section(name, 0, text), truncated: true }] }
}

function section(name: string, rc: number, text: string): GateSection {
  return { name, rc, text, truncated: false }
}

/** One process as the gate prints it. */
export function processLine(pid: number, ppid: number, argv: readonly string[], owner = 'llm'): string {
  const cgroup = base64('/system.slice/sglang.service')
  const comm = base64((argv[0] ?? '').slice(-15))
  return [pid, ppid, 123456 + pid, owner, 'S', 2048, cgroup, comm, base64(argv.map((word) => `${word}\0`).join(''))]
    .map((word) => (word === '' ? '-' : word))
    .join(' ')
}

export function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

export const INVOCATION = '0af56b1c2d3e4f5061728394a5b6c7d8'
export const CURSOR =
  's=7d2c1f0a9b8e4c3d8f6a5b4c3d2e1f00;i=4b2f;b=9c8d7e6f5a4b3c2d1e0f9a8b7c6d5e4f;m=1d2e3f4a5;t=61c2f3a4b5d6e;x=fedcba9876543210'
export const PACKED =
  '7d2c1f0a9b8e4c3d8f6a5b4c3d2e1f00.4b2f.9c8d7e6f5a4b3c2d1e0f9a8b7c6d5e4f.1d2e3f4a5.61c2f3a4b5d6e.fedcba9876543210'

/** An entry as journalctl -o json prints it. */
export function entry(message: unknown, more: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({
    MESSAGE: message,
    PRIORITY: '6',
    _PID: '4242',
    _SYSTEMD_INVOCATION_ID: INVOCATION,
    __CURSOR: CURSOR,
    __REALTIME_TIMESTAMP: '1767225600123456',
    __MONOTONIC_TIMESTAMP: '78',
    _BOOT_ID: '9c8d7e6f5a4b3c2d1e0f9a8b7c6d5e4f',
    ...more,
  })
}

export const SHOW = `Id=sglang.service
LoadState=loaded
ActiveState=active
SubState=running
Result=success
Type=simple
Restart=on-failure
MainPID=4242
ExecMainCode=0
ExecMainStatus=0
NRestarts=2
InvocationID=${INVOCATION}
ControlGroup=/system.slice/sglang.service
ActiveEnterTimestampMonotonic=5000123456
InactiveExitTimestampMonotonic=5000000000
StateChangeTimestampMonotonic=5000123456
UnitFileState=enabled
FragmentPath=/etc/systemd/system/sglang.service
DropInPaths=/etc/systemd/system/sglang.service.d/10-a.conf /etc/systemd/system/sglang.service.d/50-pilotflame.conf
User=llm
MemoryCurrent=8589934592
TimeoutStartUSec=1min 30s
TimeoutStopUSec=infinity
StartLimitBurst=5
`

export const GPU_ROWS = `0, GPU-8f6b1c2d-0000-1111-2222-333344445555, 00000000:01:00.0, NVIDIA RTX A6000, 535.261.03, 49140, 43210, 0, 41, 22.18, 300.00, 30, P8
1, GPU-9a7c2d3e-0000-1111-2222-333344445555, 00000000:41:00.0, NVIDIA RTX A6000, 535.261.03, 49140, 43188, 97, 71, 288.01, 300.00, 64, P2
`
