import type { Evidence, Finding, Rule } from '../../domain/finding.ts'
import { heardFromTool, isInside, quotes } from '../gpu/heard.ts'

/** The GPU tool itself: not there, not allowed, or of another version than the question. */
export const gpuTool: Rule = {
  codes: ['tool.missing', 'tool.version', 'host.permission'],
  check(evidence) {
    const { gpus } = evidence
    if (gpus === undefined || gpus.cards.length > 0) return []
    const finding = version(evidence) ?? missing(evidence) ?? permission(evidence)
    return finding === null ? [] : [finding]
  },
}

const FOREIGN_WORDS =
  /is not a valid field to query|Invalid combination of input arguments|Option .{1,40} is not recognized|unrecognized (?:arguments?|option|subcommand)|invalid (?:int |float )?value|invalid choice|argument -\S+.{0,40}: (?:expected|invalid|not allowed)|the following arguments are required|(?:unknown|illegal|invalid|no such) (?:option|flag|command|argument|subcommand)|is not a (?:valid|known|recognized) (?:option|command|argument)|AMDSMI_STATUS_INVAL\b|Invalid (?:parameter|command)/i
const OTHER_LIBRARY =
  /undefined symbol: (?:rsmi|amdsmi|nvml|dcgm)\w*|(?:AttributeError|ImportError).{0,120}(?:rsmi|amdsmi|nvml|pynvml)|Function Not Found/i

function version(evidence: Evidence): Finding | null {
  const said = heardFromTool(evidence, FOREIGN_WORDS)
  const library = said === null ? heardFromTool(evidence, OTHER_LIBRARY) : null
  if (said === null && library === null) return null
  const tool = evidence.gpus?.tool ?? 'the tool'
  return {
    code: 'tool.version',
    verdict: library === null ? 'client-error' : 'misconfigured',
    cause:
      library === null
        ? `${tool} on this host does not know a word of the question: options and fields differ from one release to another. It says nothing of the cards.`
        : `${tool} and its library are of different releases.`,
    because: quotes(said, library),
    remedy: askedOtherwise(tool, library !== null),
    confidence: 'certain',
  }
}

function askedOtherwise(tool: string, isLibrary: boolean): readonly string[] {
  if (isLibrary)
    return [
      `Install ${tool} and its library from one release (which -a ${tool}; LD_LIBRARY_PATH may name an older one).`,
    ]
  if (/rocm/.test(tool))
    return [
      'Ask without that option (-d takes single numbers: -d 0 1), or ask amd-smi, which has taken the place of rocm-smi: amd-smi metric, amd-smi static.',
    ]
  if (/amd/.test(tool))
    return ['amd-smi --help and amd-smi metric --help list what this release knows; amd-smi version names it.']
  return [
    `${tool} --help-query-gpu lists the fields of this driver; leave the unknown one away, or upgrade the driver.`,
  ]
}

const ABSENT =
  /(?:smi|rocminfo|dcgmi)\S*: (?:command )?not found|command not found: \S*(?:smi|rocminfo|dcgmi)|Command '\S*(?:smi|rocminfo|dcgmi)' not found|executable file not found|not recognized .{1,3}an internal|(?:smi|rocminfo|dcgmi)\S*: No such file or directory|No module named '?(?:amdsmi|pynvml|rsmi)|(?:smi|rocminfo)'?: No such file/i

/** Of nvidia-smi in a container another rule knows more. */
function missing(evidence: Evidence): Finding | null {
  const said = heardFromTool(evidence, ABSENT)
  if ((said === null && evidence.gpus?.rc !== 127) || isInside(evidence)) return null
  const tool = evidence.gpus?.tool ?? 'the tool'
  return {
    code: 'tool.missing',
    verdict: 'misconfigured',
    cause: `${tool} is not installed there, or not where the account looks; whether the driver runs is not known by it.`,
    because: said === null ? ['exit status 127'] : quotes(said),
    remedy: [
      installed(tool),
      'cat /proc/driver/nvidia/version (AMD: ls /sys/module/amdgpu) shows whether the driver is loaded all the same.',
    ],
    confidence: 'certain',
    missing: ['lspci -nnk -d 10de:'],
  }
}

function installed(tool: string): string {
  if (/nvidia-smi/.test(tool))
    return "Install the driver's tools in the version of the driver (Debian: nvidia-smi, Ubuntu: nvidia-utils-VERSION-server), or the whole driver where there is none; look too whether only the container has them."
  if (/rocm|amd/.test(tool))
    return 'Install it (Debian and Ubuntu: rocm-smi; of AMD: amd-smi-lib), or put /opt/rocm/bin on the PATH.'
  return `Install ${tool} there, or correct the PATH of the account.`
}

const DENIED =
  /Insufficient Permissions|Permission denied|Operation not permitted|not (?:a )?member of .{0,20}(?:render|video)|AMDSMI_STATUS_NO_PERM|RSMI_STATUS_PERMISSION|Unable to open \/dev\/kfd|must be (?:run as )?root|requires root/i

function permission(evidence: Evidence): Finding | null {
  const said = heardFromTool(evidence, DENIED)
  if (said === null) return null
  const isAmd = /rocm|amd/.test(evidence.gpus?.tool ?? '') || /kfd|render/.test(said.line)
  const [what, remedy] = /docker|podman|\.sock\b/i.test(said.line) ? OF_DOCKER : isAmd ? OF_AMD : OF_NVIDIA
  return {
    code: 'host.permission',
    verdict: 'misconfigured',
    cause: `The account may not ${what}; with more rights the tool would answer.`,
    because: quotes(said),
    remedy: [remedy],
    confidence: 'certain',
  }
}

type Denied = readonly [what: string, remedy: string]

const OF_DOCKER: Denied = [
  'talk to Docker',
  'Put the account into the group docker (sudo usermod -aG docker ACCOUNT) and log in anew, or allow this one command by sudo.',
]
const OF_AMD: Denied = [
  'open the devices of the GPU',
  'Put the account into the groups render and video (sudo usermod -aG render,video ACCOUNT) and log in anew.',
]
const OF_NVIDIA: Denied = [
  'open or change the devices of the GPU',
  'ls -l /dev/nvidia* must give everybody read and write (666), as NVreg_DeviceFileMode=0666 does; to change a setting of the card (power limit, reset), use sudo.',
]
