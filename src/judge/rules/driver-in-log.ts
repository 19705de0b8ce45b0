import type { Evidence, Rule } from '../../domain/finding.ts'
import type { Sign } from '../../domain/signature.ts'
import type { LineFault, Said } from '../log/line-faults.ts'
import { isInContainer, lineRule, toldLike } from '../log/line-faults.ts'
import { RELOAD_DRIVER } from '../remedies.ts'
import {
  cgroupSignatures,
  fabricSignatures,
  initSignatures,
  mismatchSignatures,
  noDriverSignatures,
  noRuntimeSignatures,
  oldDriverSignatures,
} from './driver-in-log-signs.ts'
import { ON_HOST, withoutDriver } from './without-driver.ts'

const BASE = {
  verdict: 'misconfigured',
  confidence: 'certain',
  explains: ['log.need-more', 'engine.assert', 'engine.kernel-crash', 'build.cpu-only'],
} as const

const told = (evidence: Evidence): readonly string[] => toldLike(evidence, /driver|image|cuda/i)

/** The CUDA of the engine wants a newer driver than the one that is loaded. */
const tooOld: LineFault = {
  signatures: oldDriverSignatures,
  holds: 'start',
  codes: ['driver.too-old'],
  say: ({ fields, line }, evidence) =>
    BY_BACKEND.test(line)
      ? null
      : {
          ...BASE,
          code: 'driver.too-old',
          cause: `The GPU driver is older than the CUDA of the engine wants${foundOf(fields['found'])}.`,
          remedy: [
            'Upgrade the driver of the host: CUDA 12.x wants 525 or newer, 12.8 as a rule 570, CUDA 13 wants 580; then reboot.',
            'Or stay on the driver and take an engine image or torch of an older CUDA (an image with -cu129 or -cu126, pip index cu126). The upper right of nvidia-smi names the newest CUDA that the driver serves.',
            'The compatibility libraries of CUDA (cuda-compat) help on data-centre cards only.',
          ],
          also: told(evidence),
        },
}

/** llama.cpp goes on without the card; another rule knows that. */
const BY_BACKEND = /ggml_\w{2,8}_init: /

function foundOf(found: string | undefined): string {
  return found === undefined ? '' : `: it found ${found}`
}

/** Kernel module and user-space library of the driver are of two versions. */
const mismatch: LineFault = {
  signatures: mismatchSignatures,
  holds: 'start',
  codes: ['driver.lib-mismatch'],
  say: (sign, evidence) => {
    if (isAside(sign)) return null
    const inside = sign.name === 'driver-combination' || isInContainer(evidence)
    return {
      ...BASE,
      code: 'driver.lib-mismatch',
      cause: inside
        ? "The library of the driver (libcuda) that the container uses is of another version than the driver that the host has loaded: the image's own copy comes before the host's."
        : 'The library of the GPU driver is of another version than the module that the kernel has loaded: as a rule it was updated and the machine not rebooted.',
      remedy: inside ? [OWN_COPY, SAME_VERSION, REBOOT] : [REBOOT, SAME_VERSION],
      ...(sign.name === 'driver-combination'
        ? {
            confidence: 'likely',
            unless: 'nvidia-smi on the host fails as well: then the driver was updated there and wants a reboot.',
          }
        : {}),
      also: told(evidence),
    }
  },
}

const OWN_COPY =
  "Let the host's library come first: LD_LIBRARY_PATH=/usr/local/nvidia/lib64:/usr/lib/x86_64-linux-gnu, without /usr/local/cuda/compat (rename that folder in the image), and start the container with --gpus all or --runtime nvidia."
const SAME_VERSION =
  "In an LXC guest, or wherever the library was installed by hand, install exactly the host's version without its kernel module (the .run file with --no-kernel-modules). cat /proc/driver/nvidia/version names it."
const REBOOT = `On a host: ${RELOAD_DRIVER}`

/** A machine with NVSwitch whose fabric manager does not run. */
const fabric: LineFault = {
  signatures: fabricSignatures,
  holds: 'start',
  codes: ['driver.fabricmanager'],
  say: (_, evidence) => ({
    ...BASE,
    code: 'driver.fabricmanager',
    cause:
      'The GPUs wait for the fabric manager: on machines with NVSwitch (SXM boards of 4, 8 or 16) CUDA starts only when it runs, in the very version of the driver.',
    remedy: [
      'systemctl enable --now nvidia-fabricmanager on the host; install it in exactly the version of the driver (apt-get install nvidia-fabricmanager-580 for 580, then hold both).',
      'nvidia-smi -q | grep -A2 Fabric must say State: Completed; journalctl -u nvidia-fabricmanager says why not.',
    ],
    confidence: 'likely',
    unless:
      'the machine has no NVSwitch: then it was asked right after the boot, or in a confidential-computing mode that is not ready (nvidia-smi conf-compute -grs).',
    also: toldLike(evidence, /gpu|sxm|nvswitch|driver/i),
  }),
}

/** CUDA or the engine sees no driver, or no card. */
const none: LineFault = {
  signatures: noDriverSignatures,
  holds: 'start',
  codes: ['driver.not-in-container', 'driver.not-loaded'],
  say: (sign, evidence) => {
    if (isAside(sign) || BY_BACKEND.test(sign.line)) return null
    return withoutDriver(evidence, sign.name === 'driver-library-absent' || isInContainer(evidence))
  },
}

/** Ollama and others look for libraries of all makers; what they do not find is said in passing. */
function isAside({ line }: Sign): boolean {
  return /level=(?:DEBUG|INFO)|nvidia-container-cli/.test(line)
}

/** The driver is there and does not get a card to work. */
const init: LineFault = {
  signatures: initSignatures,
  holds: 'start',
  codes: ['driver.init-failed'],
  say: () => ({
    ...BASE,
    code: 'driver.init-failed',
    cause:
      'The driver is there and CUDA cannot start with it: the module nvidia_uvm is missing, a card is in a bad state, or the machine slept in between.',
    remedy: [
      'nvidia-modprobe -u -c=0 (or modprobe nvidia_uvm), in a guest also its /dev/nvidia-uvm; after a sleep: rmmod nvidia_uvm && modprobe nvidia_uvm.',
      'dmesg -T | grep -iE "nvrm|xid" names a card that does not start; then reboot.',
      'unset CUDA_VISIBLE_DEVICES, if it names cards that do not exist.',
    ],
    confidence: 'likely',
    unless: 'it was set in the environment after the program began.',
    missing: ['the kernel log: dmesg -T | grep -iE "nvrm|xid"'],
  }),
}

/** Docker, or the toolkit of NVIDIA under it, cannot give a container the GPUs. */
const runtime: LineFault = {
  signatures: noRuntimeSignatures,
  holds: 'start',
  codes: ['container.toolkit', 'driver.too-old', 'driver.lib-mismatch', 'driver.not-loaded'],
  say: ({ line }) => runtimeOf(line),
}

function runtimeOf(line: string): Said {
  if (/unsatisfied condition: (?:cuda|driver)/.test(line))
    return {
      ...BASE,
      code: 'driver.too-old',
      cause: 'The image asks for a newer GPU driver than the host has.',
      remedy: ['Upgrade the driver of the host, or take an image of an older CUDA.'],
    }
  if (/driver\/library version mismatch/i.test(line))
    return {
      ...BASE,
      code: 'driver.lib-mismatch',
      cause: 'The library of the GPU driver on the host is of another version than the module in its kernel.',
      remedy: [REBOOT],
    }
  if (/driver not loaded/i.test(line))
    return {
      ...BASE,
      code: 'driver.not-loaded',
      cause: 'The GPU driver is not loaded on the host of the container.',
      remedy: [ON_HOST],
    }
  return {
    ...BASE,
    code: 'container.toolkit',
    cause: `The container runtime cannot give GPUs: ${TOOLKIT_SAYS.find(([pattern]) => pattern.test(line))?.[1] ?? 'the NVIDIA Container Toolkit stopped with an error'}.`,
    remedy: [
      'Install the NVIDIA Container Toolkit on the host (apt-get install -y nvidia-container-toolkit), run nvidia-ctk runtime configure --runtime=docker and systemctl restart docker.',
      'Prove it: docker run --rm --gpus all ubuntu nvidia-smi. In an unprivileged LXC guest set no-cgroups = true in /etc/nvidia-container-runtime/config.toml.',
      'For CDI: nvidia-ctk cdi generate --output=/etc/cdi/nvidia.yaml.',
    ],
  }
}

const TOOLKIT_SAYS: readonly (readonly [RegExp, string])[] = [
  [
    /could not select device driver|runtime name/,
    'the NVIDIA Container Toolkit is not installed, or not made known to Docker',
  ],
  [/CDI/, 'it has no list of devices (CDI) with that name'],
  [/unknown device/, 'a GPU of that number or name does not exist'],
  [/cgroup|device (?:rules|filters)/, 'it may not change the device rules of the control group'],
  [/libnvidia-ml|load library failed/, 'it does not find the library of the driver on the host'],
]

/** NVML worked once in this container and is refused now. */
const cgroup: LineFault = {
  signatures: cgroupSignatures,
  holds: 'always',
  codes: ['container.cgroup-lost'],
  say: (_, evidence) => ({
    ...BASE,
    code: 'container.cgroup-lost',
    cause:
      'The container lost its GPUs: the rules of its control group were written anew (systemctl daemon-reload does that), and its devices are refused since.',
    remedy: [
      'Restart the container: docker restart NAME.',
      'Lasting: "exec-opts": ["native.cgroupdriver=cgroupfs"] in /etc/docker/daemon.json, or name the devices (--device /dev/nvidia0 --device /dev/nvidiactl --device /dev/nvidia-uvm).',
    ],
    confidence: 'likely',
    unless: 'nvidia-smi fails on the host as well: then read dmesg there.',
    also: toldLike(evidence, /daemon-reload|reload|host|event/i),
  }),
}

/** Faults of the GPU driver and of the container runtime, as the log of an engine shows them. */
export const driverInLog: Rule = lineRule([runtime, tooOld, mismatch, fabric, none, init, cgroup])
