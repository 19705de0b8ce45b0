import type { Evidence, Finding, Rule } from '../../domain/finding.ts'
import type { Heard } from '../gpu/heard.ts'
import { heard, heardFromKernel, heardFromTeller, isInside, quotedLine, quotes } from '../gpu/heard.ts'
import { isWsl, noAnswer } from '../gpu/no-answer.ts'
import { isHeldByVfio, isRefusedByKernel } from './driver-held.ts'

/** The tool finds no driver: it is not loaded, or not yet. Where another driver has the card, or it does not start, other rules know more. */
export const driverAbsent: Rule = {
  codes: ['driver.not-loaded', 'driver.still-loading'],
  check(evidence) {
    const said = absence(evidence)
    if (said === null || isInside(evidence) || isWsl(evidence)) return []
    if (isHeldByVfio(evidence) || isRefusedByKernel(evidence)) return []
    const booting = bootedJustNow(evidence)
    return [booting === null ? notLoaded(evidence, said) : stillLoading(said, booting)]
  },
}

/** By the tool, by the kernel, or since nobody has the card on the bus. */
function absence(evidence: Evidence): Heard | null {
  const answer = noAnswer(evidence)
  if (answer !== null) return ['no-driver', 'no-library'].includes(answer.why) ? answer : null
  if ((evidence.gpus?.cards.length ?? 0) > 0) return null
  return heard(evidence, SIGNED) ?? heardFromKernel(evidence, OWNED) ?? driverless(evidence) ?? unlisted(evidence)
}

/** Loading, in seconds since the boot, takes no longer; where many cards start, some minutes. */
const LOADING = 300

function bootedJustNow(evidence: Evidence): Heard | null {
  const up = heardFromTeller(evidence, /^(?:[\w.]{1,60}\.)?(?:host_)?(?:uptime|up)(?:_s|_sec\w*|_seconds)?: /i)
  const seconds = up === null ? null : secondsIn(up.line)
  if (up !== null && seconds !== null && seconds < LOADING) return up
  return heardFromTeller(evidence, BUILDING)
}

const BUILDING =
  /\bdkms\b.*\b(?:building|running|in progress|autoinstall|activating)|\b(?:nvidia-persistenced|nvidia-driver-daemonset|systemd-modules-load|dkms)\S*\b.*\b(?:activating|starting|initiali[sz]ing)\b|\bdriver\b.*\b(?:is loading|still loading|being (?:built|installed|loaded))/i

/** `uptime_s: 42`, `up 1 min`, `uptime: 35 seconds` */
function secondsIn(line: string): number | null {
  const [, amount, unit = 's'] =
    /: (?:up )?(\d{1,9}(?:\.\d+)?) ?(s|sec|seconds?|m|min|minutes?)?\b(?!:| ?(?:h|hours?|d|days?)\b)/i.exec(line) ?? []
  if (amount === undefined) return null
  return Number(amount) * (unit.toLowerCase().startsWith('m') ? 60 : 1)
}

function stillLoading(said: Heard, since: Heard): Finding {
  return {
    code: 'driver.still-loading',
    verdict: 'not-ready',
    cause: 'The host has only just started, and its GPU driver is not ready yet.',
    because: quotes(said, since),
    remedy: [
      'Wait a minute or two and ask again; with many cards, or where DKMS builds the module for a new kernel, it takes some minutes.',
      'If it is the same after five minutes: dmesg -T | grep -i nvrm, dkms status.',
      'Let the unit of the server wait for it: After=nvidia-persistenced.service, and ExecStartPre=/usr/bin/nvidia-smi -L.',
    ],
    confidence: 'likely',
    unless: 'it is still so after five minutes: then the module is missing or does not start.',
    missing: ['the same call in two minutes'],
  }
}

/** The kernel refuses a module that nobody it trusts has signed. */
const SIGNED =
  /Key was rejected by service|Required key not available|Loading of (?:unsigned )?module.*(?:rejected|restricted)|Lockdown: .*unsigned module/i
/** Another driver came first. */
const OWNED =
  /(?:already bound to|conflicting (?:kernel module|driver)|such as:? ?.*)(?:.*\b(?:nouveau|nvidiafb|rivafb)\b)|probe routine was not called|NVRM: None of the NVIDIA devices were (?:initialized|probed)|No NVIDIA (?:graphics adapter|devices?) probed/i
const NO_MODULE =
  /Module (?:nvidia|amdgpu)\S* not found in directory|Exec format error|version magic|disagrees about version of symbol|Unknown symbol in module/i

function driverless({ pci = [] }: Evidence): Heard | null {
  const card = pci.find(({ vendor, driver }) => ['0x10de', '0x1002'].includes(vendor) && isNone(driver))
  if (card === undefined || pci.some(({ driver }) => driver === 'nvidia' || driver === 'amdgpu')) return null
  const has = card.driver === null ? 'no driver has it' : `“${card.driver}” has it`
  return { line: '', quote: `card ${card.slot}: ${has}`, at: 1 }
}

/** `lsmod | grep nvidia` that finds nothing. */
function unlisted({ gpus, told = [] }: Evidence): Heard | null {
  const asked = told.some((line) =>
    /^command: (?:sudo )?(?:lsmod|cat \/proc\/modules) ?\| ?grep (?:-\w+ )?["']?(?:nvidia|amdgpu)/.test(line),
  )
  if (!asked || gpus === undefined || gpus.rc !== 1 || gpus.notes.length > 0) return null
  return { line: '', quote: 'no such module is listed: exit status 1', at: 1 }
}

function isNone(driver: string | null): boolean {
  return driver === null || driver === 'nouveau' || driver === 'nvidiafb'
}

function notLoaded(evidence: Evidence, said: Heard): Finding {
  const { why, remedy, told } = reason(evidence)
  const upgraded = heardFromTeller(evidence, /kernel.*(?:upgrad|updat|new)|(?:upgrad|updat)\w*.*kernel|apt.*upgrade/i)
  return {
    code: 'driver.not-loaded',
    verdict: 'misconfigured',
    cause: `The GPU driver is not loaded: ${why}.`,
    because: [...new Set(quotes(said, told, upgraded))],
    remedy: remedy.map((step) =>
      isAmd(evidence)
        ? step
            .replaceAll('modprobe nvidia', 'modprobe amdgpu')
            .replaceAll('ubuntu-drivers install --gpgpu', 'amdgpu-install --usecase=rocm')
        : step,
    ),
    confidence: told === null ? 'likely' : 'certain',
    ...(told === null
      ? { unless: 'another driver has the card (vfio-pci for a virtual machine): lspci -nnk -d 10de: tells.' }
      : {}),
    missing: ['lspci -nnk -d 10de:', 'dmesg -T | grep -iE "nvrm|nvidia"'],
    explains: ['log.need-more', 'build.cpu-only'],
  }
}

interface Reason {
  readonly why: string
  readonly remedy: readonly string[]
  readonly told: Heard | null
}

function isAmd({ gpus }: Evidence): boolean {
  return /rocm|amd/.test(gpus?.tool ?? '')
}

const LOAD = 'sudo modprobe nvidia; its answer and dmesg -T | tail name what hinders it.'

function reason(evidence: Evidence): Reason {
  const signed = heard(evidence, SIGNED)
  if (signed !== null)
    return { why: 'Secure Boot refuses its module, which nobody it trusts has signed', remedy: ENROL, told: signed }
  const module = heard(evidence, NO_MODULE)
  if (module !== null)
    return {
      why: 'there is no module of it for the kernel that runs, as after an upgrade of the kernel',
      remedy: BUILD,
      told: module,
    }
  const owned = heardFromKernel(evidence, OWNED) ?? nouveau(evidence)
  if (owned !== null)
    return { why: 'another driver has taken the card before it (nouveau, as a rule)', remedy: BLACKLIST, told: owned }
  if (noAnswer(evidence)?.why === 'no-library')
    return {
      why: 'its library (libnvidia-ml) is not installed, so the driver is not there either, or only in part',
      remedy: [INSTALL, LOAD],
      told: null,
    }
  return { why: 'the tool finds nobody to talk to', remedy: [LOAD, ...BUILD.slice(0, 1), INSTALL], told: null }
}

function nouveau({ pci = [] }: Evidence): Heard | null {
  const card = pci.find(({ driver }) => driver === 'nouveau' || driver === 'nvidiafb')
  return card?.driver == null ? null : { line: '', quote: quotedLine(`card ${card.slot}, driver`, card.driver), at: 1 }
}

const INSTALL =
  'If it is not installed at all: install the driver of the distribution (Ubuntu: sudo ubuntu-drivers install --gpgpu), then reboot.'

const ENROL: readonly string[] = [
  'Sign the module and enrol its key: sudo mokutil --import /var/lib/shim-signed/mok/MOK.der, reboot, choose "Enroll MOK" on the console.',
  'Or install the signed modules of the distribution (Ubuntu: linux-modules-nvidia-VERSION-server-generic), or turn Secure Boot off in the firmware.',
]

const BUILD: readonly string[] = [
  'dkms status shows whether the module was built for this kernel (uname -r): sudo apt-get install linux-headers-$(uname -r) && sudo dkms autoinstall, then sudo modprobe nvidia.',
  'Or boot the kernel before, and let the kernel and the driver be upgraded together from then on.',
]

const BLACKLIST: readonly string[] = [
  'Keep the other driver off: printf "blacklist nouveau\\noptions nouveau modeset=0\\n" | sudo tee /etc/modprobe.d/blacklist-nouveau.conf, sudo update-initramfs -u, reboot.',
  'Then lspci -nnk -d 10de: must say "Kernel driver in use: nvidia".',
]
