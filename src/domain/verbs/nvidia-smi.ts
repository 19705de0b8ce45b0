import type { Failure } from '../failure.ts'
import type { GateSection } from '../gate.ts'
import { toolFailure } from './tool-failure.ts'

/** Why nvidia-smi gave no readings. It says so on stdout, and its status alone does not tell (testbed.md 7). */
export function nvidiaSmiFailure(section: GateSection): Failure {
  const step = STEPS.find(({ says }) => says.test(section.text.slice(0, 4096)))
  const failure = toolFailure('nvidia-smi', section, step?.next)
  return failure.kind === 'tool-missing' ? { ...failure, next: MISSING } : failure
}

const MISSING = "install the NVIDIA driver's tools there, or see whether only the container has them"

const STEPS: readonly { readonly says: RegExp; readonly next: string }[] = [
  {
    says: /version mismatch|Mismatch in versions/i,
    next: 'reboot the host after a driver update; in a container install the version of the host. Servers that run go on running: leave them alone until then',
  },
  {
    says: /couldn't communicate with the NVIDIA driver/i,
    next: 'see whether the driver is loaded and no other driver has the card (verbs pci and dmesg-gpu)',
  },
  {
    says: /couldn't find libnvidia-ml/i,
    next: 'install the library of the driver (libnvidia-ml) there, in a container the version of the host',
  },
  {
    says: /GPU is lost|requires reset/i,
    next: 'reboot the host; if it comes back, look at power, cabling and the Xid lines (verb dmesg-gpu)',
  },
  {
    says: /No devices were found/i,
    next: 'see in the kernel log why the driver found no card (verb dmesg-gpu), or which driver has it (verb pci)',
  },
  { says: /is not a valid field to query/i, next: 'update the NVIDIA driver: this one does not know that field' },
  {
    says: /Failed to initialize NVML: Unknown Error/i,
    next: 'in a container: start it anew, it lost its devices; on the host see the kernel log (verb dmesg-gpu)',
  },
]
