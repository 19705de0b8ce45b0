import type { Evidence, Finding, Rule } from '../../domain/finding.ts'
import type { Gpu } from '../../domain/gpu.ts'
import { stillHung } from '../gpu/amd-reset.ts'
import { cardId, cardName } from '../gpu/card.ts'
import type { Fact } from '../gpu/facts.ts'
import { factsOf } from '../gpu/facts.ts'
import type { Heard } from '../gpu/heard.ts'
import { heardFromKernel, heardFromTool, heardOfAmd, quotes } from '../gpu/heard.ts'
import { awake, BACK_ON_THE_BUS, IF_AGAIN, OF_A_SILENT_CARD, WITHOUT_IT } from '../gpu/remedies.ts'
import { isOfCard, xidsOf } from '../gpu/xid.ts'
import { resetOf } from '../remedies.ts'

/** A card that its own tool calls lost, silent or in need of a reset; or the kernel does, without an Xid. */
export const gpuState: Rule = {
  codes: ['gpu.off-bus', 'gpu.gsp-timeout', 'gpu.needs-reset'],
  check(evidence) {
    const known = xidsOf(evidence).filter(isOfCard)
    const has = (...classes: readonly string[]): boolean => known.some(({ what }) => classes.includes(what ?? ''))
    const found = [
      has('bus') ? null : offBus(evidence),
      has('firmware') ? null : firmware(evidence),
      has('card', 'link', 'recovery', 'bus', 'firmware') ? null : needsReset(evidence),
    ]
    return found.flatMap((one) => one ?? [])
  },
}

const GONE =
  /GPU is lost|fallen off the bus|Unable to determine the device handle for (?:gpu|GPU).{0,80}(?:Unknown Error|Not Found|GPU is lost)|Failed to query device index|NVML_ERROR_GPU_IS_LOST|NVMLError_GpuIsLost/i
/** of lspci: all bits set means that nobody answers */
const NO_ANSWER = /NVIDIA .{0,120}\(rev ff\)|Unknown header type 7f/i
const GONE_KERNEL = /fallen off the bus|GPU is lost|GPU lost from the bus/i
const GONE_AMD = /device lost|lost from (?:the )?bus/i

function offBus(evidence: Evidence): Finding | null {
  const cards = evidence.gpus?.cards.filter(({ lost }) => lost) ?? []
  const said =
    heardFromTool(evidence, GONE) ??
    heardFromTool(evidence, NO_ANSWER) ??
    heardFromKernel(evidence, GONE_KERNEL) ??
    heardOfAmd(evidence, GONE_AMD)
  if (said === null && cards.length === 0 && !isLostByStatus(evidence)) return null
  const [card] = cards
  const which = card === undefined ? slotIn(said) : cardName(card)
  const others = workingBeside(evidence, cards)
  return {
    code: 'gpu.off-bus',
    verdict: 'hardware-fault',
    cause: `${which} no longer answers on the PCI bus: the driver has lost it${others}.`,
    because: [...quotes(said), ...lostCells(card), ...(said === null && card === undefined ? ['exit status 15'] : [])],
    remedy: BACK_ON_THE_BUS,
    confidence: said === null || /is lost|fallen off/i.test(said.line) ? 'certain' : 'likely',
    unless: 'it is a guest whose hypervisor hides the card badly: then look at the pass-through there.',
    missing: ['the kernel log: dmesg -T | grep -iE "xid|nvrm|aer"'],
    explains: [...OF_A_SILENT_CARD, 'gpu.needs-reset', 'gpu.gsp-timeout'],
  }
}

/** nvidia-smi ends with what NVML returned: 15 is a lost card. */
function isLostByStatus({ gpus }: Evidence): boolean {
  return gpus?.tool === 'nvidia-smi' && gpus.rc === 15 && gpus.cards.length === 0
}

function lostCells(card: Gpu | undefined): readonly string[] {
  const cell = card?.gaps.find(({ why }) => why === 'lost') ?? null
  return card === undefined || cell === null ? [] : [`${cardName(card)}: “${cell.said}”`]
}

/** Its address and its number, as far as a line names them. */
function namedIn(said: Heard | null): { readonly slot: string | undefined; readonly number: string | undefined } {
  return {
    slot: /(?<![0-9a-f])([0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}(?:\.\d)?)\b/i.exec(said?.line ?? '')?.[1],
    number: /\bGPU ?(\d{1,2})(?=:? |$)/i.exec(said?.line ?? '')?.[1],
  }
}

/** What `nvidia-smi -i` takes. The number in a line of the kernel is the driver's own, an address is sure. */
function idIn(said: Heard | null): string | null {
  const { slot, number } = namedIn(said)
  if (slot !== undefined) return slot.includes('.') ? slot : `${slot}.0`
  return number ?? null
}

function slotIn(said: Heard | null): string {
  const { slot, number } = namedIn(said)
  if (number !== undefined) return `GPU ${number}${slot === undefined ? '' : ` (${slot})`}`
  return slot === undefined ? 'A GPU' : `GPU ${slot}`
}

/** How many other cards are well. */
function workingBeside({ gpus }: Evidence, ill: readonly (Gpu | null)[]): string {
  const working = gpus?.cards.filter((card) => !ill.includes(card)).length ?? 0
  return working === 0 ? '' : `; ${working} more of this host can be used`
}

const SILENT =
  /\bGSP Timeout\b|[Tt]imeout (?:after \d+s of )?waiting for RPC (?:response )?from (?:GPU\d+ )?GSP|_kgspIsHeartbeatTimedOut|_kgspLogXid119|GSP task exception/

function firmware(evidence: Evidence): Finding | null {
  const said = heardFromKernel(evidence, SILENT) ?? heardFromTool(evidence, SILENT)
  if (said === null) return null
  return {
    code: 'gpu.gsp-timeout',
    verdict: 'hardware-fault',
    cause: `${slotIn(said)}: its processor (GSP) does not answer the driver any more, so every call to the card hangs or fails.`,
    because: quotes(said),
    remedy: awake(idIn(said)),
    confidence: 'certain',
    explains: [...OF_A_SILENT_CARD, 'gpu.needs-reset'],
    at: said.at,
  }
}

const RESET_KERNEL = /requiring os reboot to recover|uvm encountered global fatal error/i
const RESET_AMD = /uncorrectable (?:hardware )?errors? detected|Fatal error during GPU reset/i
const RESET_TOOL =
  /requires? (?:a )?(?:GPU )?reset|GPU Reset Required|Reset Required|NVML_ERROR_RESET_REQUIRED|In use by another client.{0,120}reset/i

function needsReset(evidence: Evidence): Finding | null {
  const cards = evidence.gpus?.cards ?? []
  const wedged = cards.filter((card) => card.needsReset || (!card.lost && isAllFailed(card)))
  const advice = adviceIn(evidence)
  const errors = factsOf(evidence, UNCORRECTED).find(({ value }) => /^[1-9]\d*$/.test(value)) ?? null
  const said =
    heardFromTool(evidence, RESET_TOOL) ??
    heardFromKernel(evidence, RESET_KERNEL) ??
    heardOfAmd(evidence, RESET_AMD) ??
    stillHung(evidence)
  if (wedged.length === 0 && advice === null && errors === null && said === null) return null
  const cells = wedged.flatMap(failedCells).slice(0, 3)
  const card = wedged[0] ?? advice?.card ?? errors?.card ?? null
  return {
    code: 'gpu.needs-reset',
    verdict: 'hardware-fault',
    cause: `${whichOf(card, said)} ${stateOf(advice, errors)}${workingBeside(evidence, [...wedged, advice?.card ?? null, errors?.card ?? null])}.`,
    because: [
      ...(advice === null ? [] : [advice.quote]),
      ...(errors === null ? [] : [errors.quote]),
      ...quotes(said),
      ...cells,
    ],
    remedy: [
      WITHOUT_IT,
      resetOf(card === null ? idIn(said) : cardId(card)),
      'Then read dmesg -T | grep -i xid and nvidia-smi -q -d ECC,ROW_REMAPPER for why.',
      IF_AGAIN,
    ],
    confidence:
      advice !== null || said !== null || wedged.some(({ needsReset: asked }) => asked) ? 'certain' : 'likely',
    missing: ['the kernel log: dmesg -T | grep -iE "xid|nvrm|amdgpu"'],
    explains: [...OF_A_SILENT_CARD, 'gpu.remap-pending'],
  }
}

/** What the driver itself asks for: a recovery action, or that a reset is required. */
function adviceIn(evidence: Evidence): Fact | null {
  const action = factsOf(evidence, /recovery[ _.-]?action$/i).find(({ value }) => ADVICE.test(value))
  const required = factsOf(evidence, /reset[ _]required$|drain[ _]and[ _]reset[ _]recommended$/i)
  return action ?? required.find(({ value }) => /^(?:yes|true)\b/i.test(value)) ?? null
}

const ADVICE = /^(?:GPU )?(?:reset|reboot|node reboot|drain)/i
/** since the last reset; what is counted over its life may be mended long ago */
const UNCORRECTED =
  /(?:ecc\.errors\.uncorrected\.volatile\.(?:total|dram|device_memory)|Volatile\.(?:DRAM Uncorrectable|Double Bit\.Total)|^Volatile Uncorr\. ECC)$/i

/** A card that reports hardly anything: one reading that fails is but one reading. */
function isAllFailed({ gaps, others = {}, ...readings }: Gpu): boolean {
  const failed = gaps.filter(({ why }) => why === 'failed').length
  const fields = [
    readings.temperature,
    readings.powerW,
    readings.utilization,
    readings.memoryUsedMiB,
    readings.fan,
    readings.pstate,
  ]
  const read = fields.filter((value) => value !== null).length + Object.keys(others).length
  return failed >= FEWEST && failed > read
}

const FEWEST = 3

function failedCells(card: Gpu): readonly string[] {
  const cell = card.gaps.find(({ why }) => why === 'needs-reset' || why === 'failed')
  return cell === undefined ? [] : [`${cardName(card)}: “${cell.said}” in place of ${cell.field}`]
}

function whichOf(card: Gpu | null, said: Heard | null): string {
  return card === null ? slotIn(said) : cardName(card)
}

function stateOf(advice: Fact | null, errors: Fact | null): string {
  if (advice !== null)
    return `is in a state that it does not leave by itself; its driver asks for ${ADVICE.test(advice.value) ? advice.value.toLowerCase() : 'a reset'}`
  if (errors !== null) return `counts ${errors.value} uncorrectable errors of its memory since the last reset`
  return 'is in a state that only a reset ends'
}
