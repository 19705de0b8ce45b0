import { describe, expect, it } from 'vitest'
import { diagnose } from '../../../src/judge/diagnose.ts'
import { gpuXid } from '../../../src/judge/rules/gpu-xid.ts'
import { rules } from '../../../src/judge/rules/index.ts'
import { ran, unitOf, xid } from '../ran.ts'
import { ruleTable } from '../rule-table.ts'

const dmesg = (...lines: readonly string[]) => ran('dmesg | grep -i xid', `${lines.join('\n')}\n`)
const says = (words: string) => expect.stringContaining(words)
const HARDWARE = { verdict: 'hardware-fault', confidence: 'certain' } as const

ruleTable(gpuXid, {
  speaks: {
    'off the bus': [
      dmesg(xid(79, 'GPU has fallen off the bus.')),
      {
        ...HARDWARE,
        code: 'gpu.off-bus',
        cause: says('GPU 0000:81:00'),
        remedy: expect.arrayContaining([says('reboot')]),
      },
    ],
    'a silent GSP': [dmesg(xid(119, 'Timeout waiting for RPC from GSP!')), { ...HARDWARE, code: 'gpu.gsp-timeout' }],
    'an error of the GSP, and what the driver advises after it': [
      dmesg(xid(120), xid(119)),
      { ...HARDWARE, code: 'gpu.gsp-timeout', because: [says('120'), says('119')] },
    ],
    'two bits': [
      dmesg(xid(48)),
      { ...HARDWARE, code: 'gpu.needs-reset', remedy: expect.arrayContaining([says('--gpu-reset -i 0000:81:00.0 ')]) },
    ],
    'not contained': [dmesg(xid(95)), { ...HARDWARE, code: 'gpu.needs-reset' }],
    'a link': [dmesg(xid(74)), { ...HARDWARE, code: 'gpu.needs-reset', cause: says('NVLink') }],
    'an advice alone': [
      dmesg(xid(154, 'GPU recovery action changed from 0x0 (None) to 0x1 (GPU Reset Required)')),
      { code: 'gpu.needs-reset', confidence: 'likely' },
    ],
    'rows that wait': [dmesg(xid(63)), { code: 'gpu.remap-pending', verdict: 'degraded' }],
    'contained: the engine is restarted first': [
      dmesg(xid(94), xid(63)),
      { code: 'gpu.remap-pending', verdict: 'degraded', remedy: expect.arrayContaining([says('Restart the engine')]) },
    ],
    'no rows left': [
      dmesg(xid(64)),
      { ...HARDWARE, code: 'gpu.remap-failed', remedy: expect.arrayContaining([says('exchanged')]) },
    ],
    'no power': [dmesg(xid(54)), { code: 'driver.init-failed', verdict: 'misconfigured' }],
    'a program': [
      dmesg(xid(31, 'pid=4242, name=sglang::schedul, Ch 00000008, MMU Fault')),
      { code: 'engine.kernel-crash', verdict: 'broken', cause: says('Process 4242 (sglang::schedul)') },
    ],
    'a program, and its clean-up': [
      dmesg(xid(13), xid(43), xid(45)),
      { code: 'engine.kernel-crash', cause: says('Xid 13') },
    ],
    'an old driver, without PCI before the address': [
      dmesg('NVRM: Xid (0000:03:00): 79, GPU has fallen off the bus.'),
      { code: 'gpu.off-bus', cause: says('0000:03:00') },
    ],
    'clean-up alone says nothing': [dmesg(xid(45)), { code: 'log.need-more', verdict: 'inconclusive' }],
    'clean-up of a unit that was stopped': [
      { ...dmesg(xid(45)), unit: unitOf('inactive') },
      { code: 'log.need-more', cause: says('was stopped') },
    ],
    'a number that nobody knows': [dmesg(xid(251)), { code: 'log.need-more', cause: says('Xid 251') }],
  },
  silent: {
    'the start of the driver': dmesg('NVRM: loading NVIDIA UNIX x86_64 Kernel Module  550.90.07'),
    'an advice that is over': dmesg(
      xid(154, 'GPU recovery action changed from 0x1 (GPU Reset Required) to 0x0 (None)'),
    ),
    'a search that finds nothing': ran('dmesg | grep -i xid', '', { rc: 1 }),
    'words about it': ran('cat notes', 'Xid 79 means that the GPU has fallen off the bus\n'),
    'another maker': dmesg('amdgpu 0000:03:00.0: amdgpu: ring gfx uses VM inv eng 0'),
    'no kernel': ran('nvidia-smi', ''),
    'a switch': dmesg('nvidia-nvswitch0: SXid (PCI:0000:c1:00.0): 12028, Non-fatal, Link 32'),
    'a number in another place': dmesg('NVRM: GPU at PCI:0000:81:00: GPU-79'),
    'an empty line': dmesg(''),
    'memory of the host': dmesg('Out of memory: Killed process 79 (python3)'),
    'the bus, corrected': dmesg('pcieport 0000:00:01.0: AER: Corrected error received: 0000:01:00.0'),
    'a module': dmesg('nvidia: module verification failed: signature and/or required key missing - tainting kernel'),
    'a persistence daemon': dmesg('NVRM: Persistence mode is deprecated and will be removed in a future release.'),
    'the driver’s version': ran(
      'cat /proc/driver/nvidia/version',
      'NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.95.05\n',
    ),
    UVM: dmesg('nvidia-uvm: Loaded the UVM driver, major device number 511.'),
    'a mode': dmesg('nvidia-modeset: Loading NVIDIA Kernel Mode Setting Driver'),
    drm: dmesg('[drm] [nvidia-drm] [GPU ID 0x00008100] Loading driver'),
    'one more start': dmesg('NVRM: GPU 0000:81:00.0: initialised'),
  },
})

describe('several events', () => {
  it.each([
    ['the bus before the GSP', [xid(79), xid(119)], 'gpu.off-bus'],
    ['the GSP before the advice', [xid(119), xid(154, 'to 0x1 (GPU Reset Required)')], 'gpu.gsp-timeout'],
    ['two bits before the row', [xid(48), xid(63)], 'gpu.needs-reset'],
    ['the failure before the row', [xid(63), xid(64)], 'gpu.remap-failed'],
    ['the card before the program that it hit', [xid(31), xid(79)], 'gpu.off-bus'],
  ])('%s', (_, lines, code) => {
    expect(diagnose(dmesg(...lines), rules).code).toBe(code)
  })
})
