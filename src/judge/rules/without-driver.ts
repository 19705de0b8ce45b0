import type { Evidence } from '../../domain/finding.ts'
import type { Said } from '../log/line-faults.ts'
import { isInContainer, toldLike } from '../log/line-faults.ts'

/** An engine that sees no driver, or no card; `isInside`: in a container for sure. */
export function withoutDriver(evidence: Evidence, isInside: boolean = isInContainer(evidence)): Said {
  return {
    code: isInside ? 'driver.not-in-container' : 'driver.not-loaded',
    verdict: 'misconfigured',
    cause: isInside
      ? 'The engine sees no GPU driver: its container was started without the GPUs, or the driver is not installed.'
      : 'The engine sees no GPU: the driver is not loaded, or the cards are hidden from it.',
    remedy: isInside ? [GIVE, ON_HOST, VISIBLE] : [ON_HOST, VISIBLE, GIVE],
    confidence: 'likely',
    unless:
      'CUDA_VISIBLE_DEVICES is empty or names cards that do not exist: env | grep VISIBLE in the environment of the engine.',
    explains: ['log.need-more', 'engine.assert', 'engine.kernel-crash', 'build.cpu-only'],
    also: toldLike(evidence, /docker|container|image|pod|visible/i),
  }
}

const GIVE =
  'Give the container the GPUs: docker run --gpus all … (compose: deploy.resources.reservations.devices with driver nvidia, capabilities [gpu]; Kubernetes: limits nvidia.com/gpu; AMD: --device /dev/kfd --device /dev/dri).'

/** Whether the driver works at all. */
export const ON_HOST =
  'On the host nvidia-smi must list the cards. If it does not: modprobe nvidia, and dkms status after a new kernel.'
const VISIBLE = 'unset CUDA_VISIBLE_DEVICES (or name cards that exist), and start again.'
