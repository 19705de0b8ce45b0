import type { Reader } from './reader.ts'

/** Lines of the kernel: all that a command printed which reads its log, else those that are its own by their looks. */
export const readKernel: Reader = (lines, command) => {
  const readsLog = KERNEL_LOG.test(command) && !/\bsmi\b/.test(command)
  const isKernel = (line: string): boolean => (readsLog && !TOOL.test(line)) || KERNEL.test(line)
  const kernel = lines.filter(isKernel)
  return kernel.length === 0 ? { rest: lines } : { kernel, rest: lines.filter((line) => !isKernel(line)) }
}

const KERNEL_LOG =
  /\bdmesg\b|\bjournalctl\b.*(?: -k\b| --dmesg\b|_TRANSPORT=kernel)|\/(?:kern\.log|syslog|messages)\b|\/dev\/kmsg/

/** What the command itself complains of. */
const TOOL = /^(?:dmesg|journalctl|grep|sudo|tail|cat|\w*sh): /

const KERNEL =
  /\bNVRM: |\bXid \(|\bSXid \(|\bnvidia-(?:modeset|nvlink|nvswitch|uvm)[\d:]|\bnvidia: (?:module|loading|probe)|\bamdgpu(?: [0-9a-f:.]{7,16})?: |\[drm(?::\w+)?\]|\bpcieport \S{7,16}: |\bAER: |^\[ {0,6}\d+\.\d+\] /
