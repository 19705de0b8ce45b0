import type { Evidence, Finding, Rule } from '../../domain/finding.ts'
import type { Heard } from '../gpu/heard.ts'
import { heard, heardFromKernel, heardFromTeller, isInside, quotedLine, quotes, worksOnHost } from '../gpu/heard.ts'
import { noAnswer } from '../gpu/no-answer.ts'
import { RELOAD_DRIVER } from '../remedies.ts'
import { compareVersions } from '../version.ts'
import { newerCuda } from './newer-cuda.ts'

/** Kernel module and library of the driver are of two versions; or the driver is older than what is to run on it. */
export const driverVersion: Rule = {
  codes: ['driver.lib-mismatch', 'driver.too-old'],
  check(evidence) {
    const finding = mismatch(evidence) ?? tooOld(evidence)
    return finding === null ? [] : [finding]
  },
}

function mismatch(evidence: Evidence): Finding | null {
  const answer = noAnswer(evidence)
  const kernel = heardFromKernel(evidence, API)
  if (answer?.why !== 'mismatch' && (kernel === null || (evidence.gpus?.cards.length ?? 0) > 0)) return null
  const versions = versionsIn(evidence)
  const isOfTools = /between nvidia-smi and NVML/i.test(answer?.line ?? '')
  const inside = isInside(evidence) || worksOnHost(evidence) !== null
  return {
    code: 'driver.lib-mismatch',
    verdict: 'misconfigured',
    cause: inside ? insideCause(versions) : hostCause(versions),
    because: quotes(
      answer?.why === 'mismatch' ? answer : null,
      heard(evidence, LIBRARY),
      kernel,
      module(evidence),
      worksOnHost(evidence),
    ),
    remedy: isOfTools ? [ONE_RELEASE, ...HOST] : inside ? insideRemedy(evidence, versions.module) : HOST,
    confidence: 'certain',
    ...(inside
      ? {}
      : {
          unless: 'it was asked in a container: then install the version of the host there, and leave the host alone.',
        }),
    ...(versions.module === null
      ? { missing: ['cat /proc/driver/nvidia/version, which names the version of the module'] }
      : {}),
    explains: ['driver.not-loaded', 'driver.init-failed', 'container.cgroup-lost', 'log.need-more'],
  }
}

const API = /NVRM: API mismatch|the client has the version/i
const LIBRARY = /NVML library version: \d/i

interface Versions {
  readonly library: string | null
  readonly module: string | null
}

function versionsIn(evidence: Evidence): Versions {
  const client = /client has the version (\d[\d.]{2,20}\d)/.exec(
    heardFromKernel(evidence, /client has the version/)?.line ?? '',
  )?.[1]
  const kernel = /kernel module has the version (\d[\d.]{2,20}\d)/.exec(
    heardFromKernel(evidence, /kernel module has the version/)?.line ?? '',
  )?.[1]
  const library = /NVML library version: (\d[\d.]{1,20}\d)/i.exec(heard(evidence, LIBRARY)?.line ?? '')?.[1]
  const loaded = VERSION.exec(module(evidence)?.line ?? '')?.[1]
  return { library: library ?? client ?? null, module: loaded ?? kernel ?? evidence.installed?.driver ?? null }
}

const VERSION = /\b(\d{3}\.\d{1,3}(?:\.\d{1,3})?)\b/

function module(evidence: Evidence): Heard | null {
  const loaded = evidence.machine?.driver ?? null
  if (loaded !== null) return { line: loaded, quote: quotedLine('/sys/module/nvidia/version', loaded), at: 1 }
  return heardFromTeller(
    evidence,
    /(?:proc_version|kernel module|module_version|^(?:[\w.]{1,60}\.)?host\w*: |driver(?:_version)?: ).*\b\d{3}\.\d{1,3}/i,
  )
}

function hostCause({ library, module: loaded }: Versions): string {
  if (library === null || loaded === null)
    return 'The library of the GPU driver and the module that the kernel has loaded are of different versions, as after an upgrade without a reboot.'
  const newer = (compareVersions(library, loaded) ?? 0) > 0
  return `The library of the GPU driver is ${library}, the module that the kernel has loaded ${loaded}: ${newer ? 'the driver was upgraded under it' : 'they do not belong together'}.`
}

function insideCause({ library, module: loaded }: Versions): string {
  const own = library === null ? 'of another version' : `of version ${library}`
  const host = loaded === null ? '' : ` (${loaded})`
  return `The container has libraries of the GPU driver ${own}; they must be of the version of the host's module${host}, which all its containers share.`
}

const ONE_RELEASE =
  'Install the tool and the library of one release (nvidia-utils and libnvidia-compute of the same VERSION; apt list --installed | grep nvidia shows two).'

const HOST: readonly string[] = [
  `Choose a quiet hour, and ${RELOAD_DRIVER}`,
  'Until that hour restart nothing that uses the GPUs: servers that run go on with the old library, and would not come up again.',
  'So that it does not come again: sudo apt-mark hold the packages of the driver, or keep them out of unattended-upgrades.',
]

function insideRemedy(evidence: Evidence, host: string | null): readonly string[] {
  const version = host ?? 'VERSION'
  const find =
    host === null ? ['The version of the host: cat /proc/driver/nvidia/version, the same in the container.'] : []
  const isDocker = (evidence.told ?? []).some((line) => /\b(?:docker|podman|nerdctl|kubectl|crictl)\b/i.test(line))
  const install = `Install exactly ${version} in the container, without its kernel module: sh NVIDIA-Linux-x86_64-${version}.run --no-kernel-modules (older installers: --no-kernel-module), or the packages libnvidia-compute and nvidia-utils of that version.`
  const recreate =
    'Recreate the container, so that the toolkit mounts the libraries of the host anew (docker compose up -d --force-recreate); take copies of libcuda and libnvidia-ml out of the image.'
  return [...find, ...(isDocker ? [recreate, install] : [install]), 'The host needs no change.']
}

const UNSATISFIED =
  /unsatisfied condition: (?:cuda|driver|brand)|driver on your system is too old|CUDA driver version is insufficient|please update your driver to a newer version/i

function tooOld(evidence: Evidence): Finding | null {
  const said = heard(evidence, UNSATISFIED)
  const wanted = said === null ? (wantedCuda(evidence) ?? newerCuda(evidence)) : null
  if (said === null && wanted === null) return null
  const wish = /condition: ([^,]{3,60})/.exec(said?.line ?? '')?.[1]
  return {
    code: 'driver.too-old',
    verdict: 'misconfigured',
    cause: `The GPU driver is older than the software wants${wish === undefined ? (wanted?.words ?? '') : ` (${wish})`}.`,
    because: said === null ? (wanted?.because ?? []) : quotes(said),
    remedy: [
      'Upgrade the driver of the host, then reboot: CUDA 12.8 wants 570 or newer, CUDA 13 wants 580.',
      'Or stay on the driver and take an image or a build of an older CUDA (an engine image with -cu126 or -cu129). The upper right of nvidia-smi names the newest CUDA that the driver serves.',
    ],
    confidence: said === null ? 'likely' : 'certain',
    ...(said === null
      ? { unless: 'the compatibility package of CUDA (cuda-compat) is in use on a data-centre card.' }
      : {}),
    explains: ['container.toolkit', 'log.need-more'],
  }
}

/** The CUDA that somebody wants against the newest that the driver serves, as its table says. */
function wantedCuda(evidence: Evidence): { readonly words: string; readonly because: readonly string[] } | null {
  const serves = evidence.gpus?.cards[0]?.others?.['CUDA Version']
  const wish = heardFromTeller(
    evidence,
    /(?:needs?|wants?|requires?|image|wheel|engine|torch|built)\w*: .*(?:CUDA ?\d{2}\.\d|\bcu1[1-9]\d\b)/i,
  )
  const [, major, minor, short] = /CUDA ?(\d{2})\.(\d)|\bcu(1[1-9]\d)\b/i.exec(wish?.line ?? '') ?? []
  const wants = short === undefined ? `${major}.${minor}` : `${short.slice(0, 2)}.${short.slice(2)}`
  if (serves === undefined || wish === null || (compareVersions(wants, serves) ?? 0) <= 0) return null
  return {
    words: `: CUDA ${wants} is wanted, ${serves} is the newest that it serves`,
    because: [wish.quote, `nvidia-smi: “CUDA Version: ${serves}”`],
  }
}
