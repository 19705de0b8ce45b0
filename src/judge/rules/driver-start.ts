import { excerpt } from '../../domain/excerpt.ts'
import type { Finding, Rule } from '../../domain/finding.ts'
import type { Heard } from '../gpu/heard.ts'
import { heardFromKernel, heardFromTool, isInside, quotes } from '../gpu/heard.ts'
import { isWsl, noAnswer } from '../gpu/no-answer.ts'
import { isHeldByVfio, NOT_STARTED } from './driver-held.ts'

/** The driver is loaded and does not get a card to work: pass-through, the flavour of the module, power, a release that does not know it. */
export const driverStart: Rule = {
  codes: ['driver.init-failed', 'driver.too-old'],
  check(evidence) {
    const kernel = heardFromKernel(evidence, NOT_STARTED) ?? heardFromTool(evidence, NOT_STARTED)
    const answer = noAnswer(evidence)
    const listed = (evidence.gpus?.cards.length ?? 0) > 0
    if (kernel !== null && !isOld(kernel)) return [failed(answer, kernel, listed)]
    if (kernel !== null) return [tooOld(answer, kernel)]
    if (isInside(evidence) || isWsl(evidence) || isHeldByVfio(evidence)) return []
    if (answer?.why !== 'no-devices' && answer?.why !== 'refused') return []
    return [failed(answer, null, listed)]
  },
}

/** A release before the card. A card that is too old for a release says "Legacy". */
function isOld({ line }: Heard): boolean {
  return /not supported by the NVIDIA .{1,40}driver release/i.test(line) && !/Legacy/i.test(line)
}

function tooOld(answer: Heard | null, kernel: Heard): Finding {
  return {
    code: 'driver.too-old',
    verdict: 'misconfigured',
    cause: 'This release of the driver does not know the card: it is older than the card.',
    because: quotes(answer, kernel),
    remedy: [
      'Install a newer driver (a card of the Blackwell generation wants 570 or newer and the open kernel module), then reboot.',
      'If the card is an old one, the reverse holds: dmesg names the legacy release that still knows it.',
    ],
    confidence: 'certain',
    explains: ['driver.not-loaded', 'driver.init-failed', 'gpu.count-mismatch'],
  }
}

function failed(answer: Heard | null, kernel: Heard | null, listed: boolean): Finding {
  return {
    code: 'driver.init-failed',
    verdict: 'misconfigured',
    cause: `The driver is loaded and ${listed ? 'one of the cards does not start' : 'no card starts under it'}${kernel === null ? '' : `: ${whyOf(kernel)}`}.`,
    because: quotes(answer, kernel),
    remedy: kernel === null ? [READ, ...GENERAL] : [...remedyOf(kernel), READ],
    confidence: kernel === null ? 'likely' : 'certain',
    ...(kernel === null
      ? {
          unless:
            'the card is not on the bus any more, or another driver has it (lspci -nnk -d 10de: tells); in a container, it was not given its devices, or lost them: then restart it.',
        }
      : {}),
    missing: kernel === null ? ['dmesg -T | grep -iE "nvrm|xid"', 'lspci -nnk -d 10de:'] : [],
    explains: ['driver.not-loaded', 'gpu.count-mismatch', 'log.need-more'],
    ...(kernel === null ? {} : { at: kernel.at }),
  }
}

const READ =
  'dmesg -T | grep -iE "nvrm|xid|amdgpu": the first line of the start names what failed, with a code in brackets (RmInitAdapter failed! (0x…)).'

const GENERAL: readonly string[] = [
  'In a guest with pass-through: stop the guest, power the host off and on (a warm start does not reset every card), and give the card as PCIe device with all its functions.',
  'Check the flavour of the kernel module (modinfo nvidia | grep license: "Dual MIT/GPL" is the open one): newer cards want the open one, those before Turing the closed one.',
  'Check the power cables of the card, and "Above 4G decoding" in the firmware of the board.',
]

const CAUSES: readonly (readonly [RegExp, string, readonly string[]])[] = [
  [
    /requires use of the NVIDIA open kernel modules/i,
    'it wants the open flavour of the kernel module',
    [
      'Install the open flavour: sudo apt-get install nvidia-driver-VERSION-server-open (the .run file: --kernel-module-type=open), then reboot.',
    ],
  ],
  [
    /not supported by open nvidia\.ko/i,
    'it wants the closed flavour of the kernel module, since it has no GSP',
    [
      'Install the closed flavour: the driver package without "-open" (the .run file: --kernel-module-type=proprietary), then reboot.',
    ],
  ],
  [
    /Legacy/i,
    'this release of the driver no longer knows it, only an older one does',
    ['Install the legacy release that the line names, and hold it.'],
  ],
  [
    /BAR\d is 0M|assigned to your NVIDIA device/i,
    'the firmware of the board gave it no address space',
    [
      'Turn on "Above 4G decoding" (and Resizable BAR) in the firmware of the board; in a guest use OVMF and a q35 machine. Kernel parameter pci=realloc helps on some boards.',
    ],
  ],
  [
    /power/i,
    'it lacks power',
    ['With the host off, plug in all power cables of the card anew; look whether the supply has enough for it.'],
  ],
  [
    /GSP/i,
    'the firmware of its processor (GSP) could not be started',
    [
      'Reinstall the driver with its firmware files (/lib/firmware/nvidia/VERSION/gsp_*.bin must be of its version), then power the host off and on.',
    ],
  ],
  [
    /amdgpu/i,
    'amdgpu stopped at its start',
    [
      'Install the firmware (linux-firmware) and the amdgpu of one release, then power the host off and on; in a guest pass the card through with a reset that it knows (vendor-reset).',
    ],
  ],
]

function whyOf({ line }: Heard): string {
  const known = CAUSES.find(([pattern]) => pattern.test(line))?.[1]
  return (
    known ??
    `its start fails with ${excerpt(/\(0x[^)]{1,40}\)/.exec(line)?.[0] ?? 'an error of the resource manager', 60)}`
  )
}

function remedyOf({ line }: Heard): readonly string[] {
  return CAUSES.find(([pattern]) => pattern.test(line))?.[2] ?? GENERAL
}
