import type { Evidence, Finding, Rule } from '../../domain/finding.ts'
import type { Gpu } from '../../domain/gpu.ts'
import { gapReason, isPlaceholder } from '../../domain/verbs/gpu-row.ts'
import { cardId, cardName } from '../gpu/card.ts'
import type { Heard } from '../gpu/heard.ts'
import { heardFromKernel, heardFromTeller, heardFromTool, quotes } from '../gpu/heard.ts'
import { recheckOf } from '../gpu/recheck.ts'

/** The tool that reads the cards: one reading fails, it does not answer, or it cannot do what was asked. */
export const telemetry: Rule = {
  codes: ['telemetry.field-error', 'telemetry.timeout', 'telemetry.unsupported'],
  check(evidence) {
    if (recheckOf(evidence)?.isFine === true) return []
    const finding = timeout(evidence) ?? fieldError(evidence) ?? unsupported(evidence)
    return finding === null ? [] : [finding]
  },
}

const BLOCKED = /task (?:nvidia-smi|rocm-smi|nv\w*|kworker\S*nv\S*)\S* blocked for more than \d+ seconds/

function timeout(evidence: Evidence): Finding | null {
  const { gpus } = evidence
  if (gpus?.timedOut !== true) return null
  const blocked = heardFromKernel(evidence, BLOCKED)
  const isHeld = gpus.unasked === 'held'
  const after = heardFromTeller(evidence, /(?:time_?out|timed_out|after|limit|waited|elapsed)\w*: .{0,20}\d/i)
  return {
    code: 'telemetry.timeout',
    verdict: 'degraded',
    cause: `${isHeld ? `An earlier call of ${gpus.tool} does not end` : `${gpus.tool} did not answer within its time`}: it waits for the driver, so nothing is known of the cards; that is not yet a fault of theirs.`,
    because: [isHeld ? NOT_STARTED : (after?.quote ?? 'it was ended at its time limit'), ...quotes(blocked)],
    remedy: [
      'dmesg -T | grep -iE "xid|nvrm|blocked for more": an Xid 79 or 119 there names a card that hangs.',
      'ps -o pid,stat,etime,cmd -C nvidia-smi: state D waits in the kernel, and no signal ends it; start no more of them. What the server answers tells more for now.',
      'Where it is only slow: sudo systemctl enable --now nvidia-persistenced keeps the driver ready, else it starts every card anew for each call.',
    ],
    confidence: 'certain',
    missing: ['the kernel log: dmesg -T | grep -iE "xid|nvrm"', 'the same call once more, with a limit of 60 s'],
  }
}

const NOT_STARTED = 'it was not started this time: an earlier call of it still runs there, longer than any may'

interface Failed {
  readonly card: Gpu
  readonly field: string
  readonly said: string
}

function fieldError(evidence: Evidence): Finding | null {
  const failed = (evidence.gpus?.cards ?? []).flatMap(failedIn)
  const [first] = failed
  if (first === undefined) return ownRecords(evidence)
  return {
    code: 'telemetry.field-error',
    verdict: 'degraded',
    cause: `${cardName(first.card)}: the reading of ${wordsOf(first.field)} failed${failed.length === 1 ? '' : `, and ${failed.length - 1} more`}; its other readings came.`,
    because: failed
      .slice(0, 4)
      .map(({ card, field, said }) => `${cardName(card)}: “${said}” in place of ${wordsOf(field)}`),
    remedy: [
      'Read it a second time some seconds later: a single failure passes by itself. Show it as not available meanwhile.',
      `If it stays or spreads to other readings: nvidia-smi -q -i ${cardId(first.card) ?? 'GPU'} (recovery action, errors), dmesg -T | grep -i xid; then upgrade the driver.`,
    ],
    confidence: 'certain',
    missing: ['a second reading'],
  }
}

/** The card keeps its serial number, its limits and its list of bad memory there; it works on without. */
function ownRecords(evidence: Evidence): Finding | null {
  const said = heardFromTool(evidence, /infoROM is corrupted/i)
  if (said === null) return null
  return {
    code: 'telemetry.field-error',
    verdict: 'degraded',
    cause:
      'The records that a card keeps of itself (its infoROM) cannot be read; it works on, and what it says of its memory cannot be trusted.',
    because: quotes(said),
    remedy: [
      'Reboot the host once; if the line stays, ask the vendor, who can write the records anew or exchange the card.',
      'Look at dmesg -T | grep -i xid and nvidia-smi -q -d ECC,ROW_REMAPPER of that card meanwhile.',
    ],
    confidence: 'certain',
  }
}

function failedIn(card: Gpu): readonly Failed[] {
  const gaps = card.gaps.filter(({ why }) => why === 'failed').map(({ field, said }) => ({ card, field, said }))
  const others = Object.entries(card.others ?? {}).flatMap(([field, said]) =>
    isPlaceholder(said) && gapReason(said) === 'failed' ? [{ card, field, said }] : [],
  )
  return [...gaps, ...others]
}

function wordsOf(field: string): string {
  return WORDS[field] ?? field
}

const WORDS: Readonly<Record<string, string>> = {
  fan: 'the fan',
  powerW: 'the power draw',
  powerLimitW: 'the power limit',
  temperature: 'the temperature',
  utilization: 'the utilisation',
  memoryUsedMiB: 'the memory in use',
  memoryTotalMiB: 'the size of the memory',
  pstate: 'the performance state',
}

const NOT_GIVEN =
  /No JSON data to report|(?:is |are )?not supported (?:on|for|in|by) (?:the |this |current |given |specified ){0,3}(?:system|device|gpu|vgpu|os|environment|hardware|scope|asic)|Not supported on the device\(s\)|AMDSMI_STATUS_NOT_(?:SUPPORTED|YET_IMPLEMENTED)|RSMI_STATUS_NOT_SUPPORTED|Feature not supported|Operation not supported|NVML_ERROR_NOT_SUPPORTED|NVMLError_NotSupported|not available (?:for|on) this/i
const NO_ENGINE =
  /Unable to connect to host engine|Host engine connection invalid|unable to establish a connection to the specified host/i

function unsupported(evidence: Evidence): Finding | null {
  if ((evidence.gpus?.cards.length ?? 0) > 0 || (evidence.gpuProcesses?.length ?? 0) > 0) return null
  const absent = heardFromTool(evidence, NO_ENGINE)
  if (absent !== null) return withoutEngine(absent)
  const said = heardFromTool(evidence, NOT_GIVEN)
  if (said === null) return null
  const isAmd = /rocm|amd/.test(evidence.gpus?.tool ?? '')
  return {
    code: 'telemetry.unsupported',
    verdict: 'degraded',
    cause: `${evidence.gpus?.tool ?? 'The tool'} does not give what was asked for, at least not in this form; the cards themselves are not judged by it.`,
    because: quotes(said),
    remedy: isAmd
      ? [
          'Ask amd-smi, which has taken the place of rocm-smi: amd-smi metric --json (errors of memory: amd-smi metric -e --json).',
          'Or leave --json away and read the text.',
        ]
      : [
          'Leave that option away; nvidia-smi --help-query-gpu lists what can be asked, nvidia-smi -q shows what this card reports.',
          'On a guest with a part of a card (vGPU, MIG), ask on its host.',
        ],
    confidence: 'certain',
  }
}

function withoutEngine(said: Heard): Finding {
  return {
    code: 'telemetry.unsupported',
    verdict: 'degraded',
    cause: 'DCGM cannot be asked: its host engine does not run. The cards are not judged by it.',
    because: quotes(said),
    remedy: [
      'sudo systemctl enable --now nvidia-dcgm (or run nv-hostengine), then ask again.',
      'Meanwhile nvidia-smi tells the state of the cards.',
    ],
    confidence: 'certain',
  }
}
