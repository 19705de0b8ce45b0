import type { Evidence, Rule } from '../../domain/finding.ts'
import type { Signature } from '../../domain/signature.ts'
import type { LineFault, Said } from '../log/line-faults.ts'
import { lineRule } from '../log/line-faults.ts'
import { signsOf } from '../log/signs.ts'
import { quotedTold } from '../told.ts'
import { withoutDriver } from './without-driver.ts'
import { gpuLayers, ollamaGpu } from './wrong-build-signs.ts'

/** llama.cpp brought a backend for the card, and the card does not answer it: the server starts all the same, on the CPU. */
const backend: LineFault = {
  signatures: [
    {
      name: 'ggml-no-device',
      anchors: ['failed to initialize CUDA: ', 'failed to initialize ROCm: ', 'failed to initialize MUSA: '],
      pattern: /ggml_\w{2,8}_init: failed to initialize (?:CUDA|ROCm|MUSA): (?<why>.{1,120})/,
      example: 'ggml_cuda_init: failed to initialize CUDA: no CUDA-capable device is detected',
      nearMiss: 'ggml_cuda_init: found 1 CUDA devices:',
    },
  ],
  holds: 'always',
  codes: ['driver.not-loaded', 'driver.not-in-container', 'driver.too-old', 'driver.init-failed'],
  say: ({ fields }, evidence) => (usesGpu(evidence) ? null : unanswered(fields['why'] ?? '', evidence)),
}

/** Another backend may have taken the layers. */
function usesGpu(evidence: Evidence): boolean {
  return signsOf(evidence, gpuLayers.name, ollamaGpu.name).length > 0
}

function unanswered(why: string, evidence: Evidence): Said | null {
  if (/out of memory/i.test(why)) return null
  const none = withoutDriver(evidence)
  if (/-capable device|no device/i.test(why)) return onCpu(none)
  if (/driver version is insufficient/i.test(why))
    return onCpu({
      ...none,
      code: 'driver.too-old',
      cause: 'The GPU driver is older than the CUDA of this build wants, or there is none at all.',
      remedy: [
        'nvidia-smi names the newest CUDA that the driver serves: upgrade the driver, or take a build of an older CUDA (the image server-cuda of an older release, or build it on this machine).',
        ...none.remedy,
      ],
      unless: 'nvidia-smi fails or the container was started without the GPUs: then the driver is missing, not old.',
    })
  return onCpu({
    ...none,
    code: 'driver.init-failed',
    cause: `The driver does not get the card to work (${why.trim()}).`,
    remedy: [
      'nvidia-modprobe -u -c=0 (or modprobe nvidia_uvm); after a sleep: rmmod nvidia_uvm && modprobe nvidia_uvm. Then start again.',
      'dmesg -T | grep -iE "nvrm|xid|amdgpu" names a card that does not start.',
    ],
    unless: 'the container was started without the GPUs.',
  })
}

function onCpu(said: Said): Said {
  return {
    ...said,
    cause: `${said.cause} The model runs on the CPU.`,
    explains: [...(said.explains ?? []), 'state.up-unverified'],
  }
}

const ollamaCpu: Signature = {
  name: 'ollama-cpu',
  anchors: ['no compatible GPUs were discovered', 'msg="inference compute" id='],
  pattern:
    /msg="no compatible GPUs were discovered"|msg="inference compute" id=\S{1,60} (?:\S{1,40} ){0,3}?library=cpu\b/,
  example: 'time=t level=INFO source=gpu.go:377 msg="no compatible GPUs were discovered"',
  nearMiss: 'time=t level=INFO source=types.go:131 msg="inference compute" id=GPU-1 library=cuda variant=v12',
}

/** Ollama on a machine without a card says the same; who tells of one expects it to be used. */
const ollama: LineFault = {
  signatures: [ollamaCpu],
  holds: 'always',
  codes: ['driver.not-loaded', 'driver.not-in-container'],
  say(_, evidence) {
    const card = cardTold(evidence)
    if (card === null || usesGpu(evidence) || signsOf(evidence, 'arch-no-code', 'ollama-card-old').length > 0)
      return null
    const none = withoutDriver(evidence)
    return onCpu({
      ...none,
      remedy: [
        ...none.remedy,
        'Then restart Ollama: it looks for cards only when it starts (journalctl -u ollama -b).',
      ],
      unless:
        'the card is older than Ollama serves (NVIDIA below compute capability 5.0, an AMD card that ROCm does not list), or CUDA_VISIBLE_DEVICES hides it.',
      also: [card, ...(none.also ?? [])],
    })
  },
}

/** A card of a generation that Ollama has left behind. */
const tooOld: LineFault = {
  signatures: [
    {
      name: 'ollama-card-old',
      anchors: ['CUDA GPU is too old. Compute Capability'],
      pattern: /CUDA GPU is too old\. Compute Capability detected: (?<arch>\d{1,2}\.\d)/,
      example: 'time=t level=INFO source=gpu.go:319 msg="[0] CUDA GPU is too old. Compute Capability detected: 3.5"',
      nearMiss: 'time=t level=INFO msg="CUDA GPU with Compute Capability 8.6"',
    },
  ],
  holds: 'always',
  codes: ['build.arch'],
  say: ({ fields }, evidence) =>
    usesGpu(evidence)
      ? null
      : {
          code: 'build.arch',
          verdict: 'misconfigured',
          cause: `Ollama has no code for this card (compute capability ${fields['arch'] ?? 'too low'}): it is older than Ollama serves. The model runs on the CPU.`,
          remedy: [
            'Serve with llama.cpp that is built on this machine: cmake -B build -DGGML_CUDA=ON -DCMAKE_CUDA_ARCHITECTURES=native, with the last CUDA toolkit that knows the card; or with Vulkan (-DGGML_VULKAN=ON).',
            'Or take a newer card; CUDA_VISIBLE_DEVICES names it where both are there.',
          ],
          confidence: 'certain',
          explains: ['log.need-more'],
        },
}

function cardTold(evidence: Evidence): string | null {
  const [card] = evidence.gpus?.cards ?? []
  if (card !== undefined) return `told: the GPU tool lists ${card.name ?? 'a card'}`
  const line = evidence.told?.find((each) => (MACHINE.test(each) && namesCard(each)) || BEGINS_WITH_CARD.test(each))
  return line === undefined ? null : quotedTold(line)
}

/** Notebooks and boards bear letters and numbers as cards do (T480, B650): only a name that is a card's alone counts. */
function namesCard(line: string): boolean {
  const at = line.search(CARD)
  return at >= 0 && !/\b(?:no|none|not|without|lacks)\b/i.test(line.slice(0, at))
}

/** A name that speaks of the machine. */
const MACHINE = /^(?:[\w.]{1,60}[._])?(?:gpus?|cards?|nvidia_smi|rocm_smi|hardware|machine|device)\w{0,20}: /
const CARD =
  /\b(?:RTX|GTX|GeForce|Quadro|Tesla|NVIDIA(?!-SMI| (?:driver|container))|Radeon|RX ?\d{4}|Instinct|MI\d{2,3}X?|Arc (?:Pro )?[AB]\d{2,3})\b/
/** `gpus: 2x A100 80GB` */
const BEGINS_WITH_CARD =
  /^(?:[\w.]{1,60}[._])?(?:gpus?|cards?): (?:\d{1,2} ?[x×] ?)?(?:[AHV]100|[HB]200|L40S?|L4|T4|A10G?)\b/
/** A server of llama.cpp or Ollama that starts without the card that is there. */
export const cpuInstead: Rule = lineRule([backend, ollama, tooOld])
