import type { Rule } from '../../domain/finding.ts'
import { quotedSign, signsOf } from '../log/signs.ts'
import { driverStart } from './driver-start.ts'
import { driverVersion } from './driver-version.ts'
import { gpuXid } from './gpu-xid.ts'

/** They know the kernel's lines. */
const KNOWING: readonly Rule[] = [gpuXid, driverStart, driverVersion]

/** Lines of the kernel about GPUs that stand in a log, as in a whole journal: they mean what they mean in dmesg. */
export const kernelInLog: Rule = {
  codes: [...new Set(KNOWING.flatMap(({ codes }) => codes))],
  signatures: [
    {
      name: 'kernel-gpu',
      anchors: ['NVRM: ', ' Xid (PCI:'],
      pattern: /\bXid \((?:PCI:)?[0-9a-fA-F:.]{4,20}|\bNVRM: (?!loading |Persistence)\S/,
      example: "kernel: NVRM: Xid (PCI:0000:41:00): 79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus.",
      nearMiss: 'NVRM: loading NVIDIA UNIX x86_64 Kernel Module  580.95.05',
    },
  ],
  check(evidence) {
    const { target, kernel: known = [] } = evidence
    const signs = signsOf(evidence, 'kernel-gpu').filter(({ line }) => !known.includes(line))
    if (signs.length === 0) return []
    const kernel = signs.map(({ line }) => line)
    return KNOWING.flatMap((rule) => rule.check({ target, kernel })).map((finding) => {
      const sign = finding.at === undefined ? undefined : signs[finding.at - 1]
      return sign === undefined ? finding : { ...finding, because: [quotedSign(sign)], at: sign.at }
    })
  },
}
