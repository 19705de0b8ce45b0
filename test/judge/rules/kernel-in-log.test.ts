import { kernelInLog } from '../../../src/judge/rules/kernel-in-log.ts'
import { logged, ORDINARY } from '../logged.ts'
import { ruleTable } from '../rule-table.ts'

const xid = (number: number, rest: string) =>
  `Dec 01 10:00:00 box kernel: NVRM: Xid (PCI:0000:41:00): ${number}, ${rest}`
const OFF = xid(79, "pid='<unknown>', name=<unknown>, GPU has fallen off the bus.")

ruleTable(kernelInLog, {
  speaks: {
    'a card off the bus, between lines of an engine': [
      logged(['[t TP0] Decode batch. #running-req: 1', OFF, 'CUDA error: unspecified launch failure']),
      { code: 'gpu.off-bus', verdict: 'hardware-fault', because: [`log line 2: “${OFF}”`], at: 2 },
    ],
    'memory that is used up': [
      logged(xid(64, "pid='<unknown>', name=<unknown>, Row Remapper Failure")),
      { code: 'gpu.remap-failed' },
    ],
    'a card that does not start': [
      logged('NVRM: GPU 0000:01:00.0: RmInitAdapter failed! (0x26:0x56:1474)'),
      { code: 'driver.init-failed', verdict: 'misconfigured' },
    ],
    'a program that erred': [
      logged(xid(31, 'pid=4242, name=sglang::schedul, MMU Fault')),
      { code: 'engine.kernel-crash' },
    ],
  },
  silent: {
    ...ORDINARY,
    'lines that are known from the kernel itself': { ...logged(OFF), kernel: [OFF] },
    'a driver that loads': logged('kernel: NVRM: loading NVIDIA UNIX x86_64 Kernel Module  580.95.05'),
  },
})
