import type { Evidence, Finding, Rule } from '../../domain/finding.ts'
import type { Heard } from '../gpu/heard.ts'
import { heardFromTeller, heardFromTool, isInside, quotes, worksOnHost } from '../gpu/heard.ts'
import { isWsl, noAnswer } from '../gpu/no-answer.ts'
import { RELOAD_DRIVER } from '../remedies.ts'
import { isRefusedByKernel } from './driver-held.ts'

/** A container without the GPUs of its host: never given, lost while it ran, or a runtime that cannot give them. */
export const driverInContainer: Rule = {
  codes: [
    'driver.not-in-container',
    'container.cgroup-lost',
    'container.toolkit',
    'driver.not-loaded',
    'driver.lib-mismatch',
  ],
  check(evidence) {
    if (isWsl(evidence)) return []
    const finding = runtime(evidence) ?? lost(evidence) ?? neverGiven(evidence)
    return finding === null ? [] : [finding]
  },
}

const RUNTIME =
  /could not select device driver|nvidia-container-cli(?:\.real)?: (?!version)|nvidia-container-runtime|unknown or invalid runtime name: nvidia|unknown runtime specified nvidia|unresolvable CDI devices|failed to (?:inject|discover).*CDI|libnvidia-container|CDI device injection failed|Incompatible (?:platform|strategy) detected|error running hook.*nvidia|(?:could|can) ?not.*NVIDIA Container Toolkit/i

function runtime(evidence: Evidence): Finding | null {
  const said = heardFromTool(evidence, RUNTIME)
  if (said === null || /unsatisfied condition|requirement error/i.test(said.line)) return null
  if (/driver not loaded|couldn.t communicate with the NVIDIA driver/i.test(said.line))
    return hostDriver(said, 'driver.not-loaded')
  if (/driver\/library version mismatch/i.test(said.line)) return hostDriver(said, 'driver.lib-mismatch')
  return {
    code: 'container.toolkit',
    verdict: 'misconfigured',
    cause: `The container runtime cannot give GPUs: ${whyOf(said)}.`,
    because: quotes(said),
    remedy: [
      'Install the NVIDIA Container Toolkit on the host (sudo apt-get install -y nvidia-container-toolkit), then sudo nvidia-ctk runtime configure --runtime=docker && sudo systemctl restart docker (a restart of Docker stops its containers, unless live-restore is on).',
      'Prove it: docker run --rm --gpus all ubuntu nvidia-smi -L. Docker as a snap does not find the toolkit: install the one of the distribution.',
      'For CDI: sudo nvidia-ctk cdi generate --output=/etc/cdi/nvidia.yaml. In an unprivileged LXC guest: no-cgroups = true in /etc/nvidia-container-runtime/config.toml.',
    ],
    confidence: 'certain',
    explains: ['driver.not-in-container', 'driver.not-loaded', 'tool.missing', 'log.need-more'],
  }
}

const WHY: readonly (readonly [RegExp, string])[] = [
  [
    /could not select device driver|runtime name|unknown runtime|Incompatible/i,
    'the NVIDIA Container Toolkit is not installed, or not made known to Docker',
  ],
  [/CDI/i, 'it has no list of devices (CDI) that names them'],
  [/unknown device|invalid device/i, 'a GPU of that number or name does not exist'],
  [/cgroup|device (?:rules|filter)|bpf/i, 'it may not change the device rules of the control group'],
  [/file exists|file creation failed/i, 'the image brings libraries of the driver of its own, which are in the way'],
  [/libnvidia-ml|load library failed/i, 'it does not find the library of the driver on the host'],
]

function whyOf({ line }: Heard): string {
  return WHY.find(([pattern]) => pattern.test(line))?.[1] ?? 'the NVIDIA Container Toolkit stopped with an error'
}

function hostDriver(said: Heard, code: 'driver.not-loaded' | 'driver.lib-mismatch'): Finding {
  const isMismatch = code === 'driver.lib-mismatch'
  return {
    code,
    verdict: 'misconfigured',
    cause: isMismatch
      ? 'On the host of the container the library of the GPU driver and the loaded module are of different versions.'
      : 'On the host of the container the GPU driver is not loaded.',
    because: quotes(said),
    remedy: isMismatch
      ? [`On the host, at a quiet hour: ${RELOAD_DRIVER}`]
      : [
          'On the host: sudo modprobe nvidia; dkms status after a new kernel. nvidia-smi must list the cards there first.',
        ],
    confidence: 'certain',
    explains: ['container.toolkit', 'driver.not-in-container', 'log.need-more'],
  }
}

/** What writes the device rules of running containers anew. */
const REWRITTEN =
  /daemon-reload|systemctl (?:reload|daemon|enable|set-property)|docker update|container update|apt(?:-get)? (?:upgrade|install)|unattended|cgroup/i
const RAN_BEFORE =
  /\b(?:worked|ran|was fine|ok) (?:before|until|at start|for)|after (?:some|a few|several) (?:hours|days)|sudden|no longer|stopped working/i

function lost(evidence: Evidence): Finding | null {
  const answer = noAnswer(evidence)
  const event = heardFromTeller(evidence, REWRITTEN) ?? heardFromTeller(evidence, RAN_BEFORE)
  if (answer === null || isRefusedByKernel(evidence)) return null
  const isSure = isInside(evidence) || (evidence.gpus?.place !== 'host' && event !== null && answer.why === 'refused')
  if (!isSure || !isLoss(answer.why, event !== null) || isNew(evidence, event)) return null
  return {
    code: 'container.cgroup-lost',
    verdict: 'misconfigured',
    cause:
      'The container lost its GPUs while it ran: the device rules of its control group were written anew, as systemctl daemon-reload does, and its devices are refused since.',
    because: quotes(answer, event, worksOnHost(evidence)),
    remedy: [
      'Restart the container (docker restart NAME): it gets its devices again.',
      'Lasting: "exec-opts": ["native.cgroupdriver=cgroupfs"] in /etc/docker/daemon.json; or the links of its devices, sudo nvidia-ctk system create-dev-char-symlinks --create-all at every boot; or name the devices (--device /dev/nvidia0 --device /dev/nvidiactl --device /dev/nvidia-uvm).',
      'In an LXC guest: lxc.cgroup2.devices.allow for the major numbers of ls -l /dev/nvidia*, then restart the guest.',
    ],
    confidence: event === null && worksOnHost(evidence) === null ? 'likely' : 'certain',
    unless: 'nvidia-smi fails on the host as well: then read dmesg -T | grep -iE "nvrm|xid" there.',
    explains: ['driver.not-in-container', 'driver.init-failed', 'log.need-more'],
  }
}

/** LXC keeps the rules of its guests itself: who is refused there without an event was never given the devices. */
function isNew(evidence: Evidence, event: Heard | null): boolean {
  if (heardFromTeller(evidence, NEVER) !== null) return true
  return (
    event === null &&
    (evidence.told ?? []).some((line) => /\b(?:pct exec|lxc-attach|lxc exec|incus exec|lxc)\b/i.test(line))
  )
}

const NEVER =
  /(?:no|missing|without|not passed|cannot access)\b.{0,20}\/dev\/nvidia|\/dev\/nvidia\S* (?:is |are )?(?:missing|absent|not there)|never worked|(?:new|fresh) container|lxc\.cgroup2?\.devices\.allow (?:is )?missing/i

function isLoss(why: string, hasEvent: boolean): boolean {
  return why === 'refused' || (hasEvent && (why === 'no-devices' || why === 'no-driver'))
}

const NO_TOOL =
  /executable file not found|nvidia-smi\S*: (?:command )?not found|Failed to exec "?nvidia-smi|nvidia-smi\S*: No such file|stat .*nvidia-smi: no such file|command not found: nvidia-smi/i

function neverGiven(evidence: Evidence): Finding | null {
  const answer = noAnswer(evidence)
  const noTool = heardFromTool(evidence, NO_TOOL)
  const isAbsent = answer !== null && ['no-driver', 'no-library', 'no-devices', 'refused'].includes(answer.why)
  if (!isInside(evidence) || (noTool === null && !isAbsent && evidence.gpus?.rc !== 127)) return null
  if (isRefusedByKernel(evidence)) return null
  const host = worksOnHost(evidence)
  return {
    code: 'driver.not-in-container',
    verdict: 'misconfigured',
    cause: 'The container has not been given the GPU driver: its devices, its library or its tool are not in it.',
    because: [...quotes(answer, noTool, host), ...(noTool === null && answer === null ? ['exit status 127'] : [])],
    remedy: [
      'Docker: start it with --gpus all (compose: deploy.resources.reservations.devices with driver nvidia and capabilities [gpu]), and NVIDIA_DRIVER_CAPABILITIES=compute,utility, or the tool is not mounted.',
      'LXC: give it the devices (Proxmox: dev0: /dev/nvidia0, dev1: /dev/nvidiactl, dev2: /dev/nvidia-uvm in /etc/pve/lxc/ID.conf) and install the driver in it in the version of the host, with --no-kernel-modules.',
      'Kubernetes: limits nvidia.com/gpu: 1 and the runtime class nvidia. AMD: --device /dev/kfd --device /dev/dri --group-add video.',
    ],
    confidence: host === null ? 'likely' : 'certain',
    ...(host === null
      ? {
          unless: 'nvidia-smi fails on the host as well: then it is the driver there.',
          missing: ['nvidia-smi on the host'],
        }
      : {}),
    explains: ['driver.not-loaded', 'driver.init-failed', 'tool.missing', 'log.need-more'],
  }
}
