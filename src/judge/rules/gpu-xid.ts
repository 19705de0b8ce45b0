import type { Code } from '../../domain/code.ts'
import type { Evidence, Finding, Rule } from '../../domain/finding.ts'
import type { Verdict } from '../../domain/verdict.ts'
import {
  awake,
  BACK_ON_THE_BUS,
  EXCHANGE_IT,
  IF_AGAIN,
  OF_A_SILENT_CARD,
  replaceRows,
  WITHOUT_IT,
} from '../gpu/remedies.ts'
import type { Xid, XidClass } from '../gpu/xid.ts'
import { isOfCard, xidsOf } from '../gpu/xid.ts'
import { resetOf } from '../remedies.ts'

/** What the driver wrote into the kernel's log of a card: whether it is the card, and what helps. */
export const gpuXid: Rule = {
  codes: [
    'gpu.off-bus',
    'gpu.gsp-timeout',
    'gpu.needs-reset',
    'gpu.remap-pending',
    'gpu.remap-failed',
    'driver.init-failed',
    'engine.kernel-crash',
    'log.need-more',
  ],
  check(evidence) {
    const xids = xidsOf(evidence)
    const ofCard = xids.filter(isOfCard)
    if (ofCard.length > 0) return ofCards(ofCard)
    const erred = xids.find(({ what }) => what === 'program')
    if (erred !== undefined) return [program(erred, xids)]
    const left = xids.find(({ what }) => what === 'aftermath') ?? xids.find(({ what }) => what === null)
    return left === undefined ? [] : [unclear(left, evidence)]
  },
}

/** One finding of each code: the first event of it leads, and what follows from an earlier one is not told. */
function ofCards(xids: readonly Xid[]): readonly Finding[] {
  const codes = new Set(xids.map(({ what }) => meaningOf(what)?.code))
  return [...codes].flatMap((code) => {
    const events = xids.filter(({ what }) => meaningOf(what)?.code === code)
    const [first] = events.toSorted((one, other) => rank(one) - rank(other) || one.at - other.at)
    const meaning = first === undefined ? null : meaningOf(first.what)
    if (first === undefined || meaning === null) return []
    return [ofCard(first, meaning, events)]
  })
}

/** What the driver advises is but the outcome of the event before it. */
function rank({ what }: Xid): number {
  return what === 'recovery' ? 1 : 0
}

const RESTART = 'Restart the engine that was hit now: the driver ended its work, and its other requests fail too.'

function ofCard(first: Xid, meaning: Meaning, events: readonly Xid[]): Finding {
  const others = events.filter(({ number }) => number !== first.number)
  const { code, verdict, explains } = meaning
  const remedy = meaning.remedy(addressOf(first))
  const isHit = events.some(({ what }) => what === 'contained')
  return {
    code,
    verdict,
    cause: `GPU ${first.slot}: ${first.means} (Xid ${first.number}).`,
    because: [first, ...others].slice(0, MOST).map(({ quote }) => quote),
    remedy: isHit ? [RESTART, ...remedy] : remedy,
    confidence: first.what === 'recovery' ? 'likely' : 'certain',
    explains,
    at: first.at,
  }
}

const MOST = 4

/** As `nvidia-smi -i` takes it: the kernel leaves the function out. */
function addressOf({ slot }: Xid): string {
  return slot.includes('.') ? slot : `${slot}.0`
}

interface Meaning {
  readonly code: Code
  readonly verdict: Verdict
  readonly remedy: (gpu: string) => readonly string[]
  readonly explains: readonly Code[]
}

function meaningOf(what: XidClass | null): Meaning | null {
  switch (what) {
    case 'bus':
      return OFF_BUS
    case 'firmware':
      return FIRMWARE
    case 'card':
    case 'link':
    case 'recovery':
      return NEEDS_RESET
    case 'contained':
    case 'remapped':
      return PENDING
    case 'exhausted':
      return EXHAUSTED
    case 'start':
    case 'power':
      return START
    case 'program':
    case 'aftermath':
    case null:
      return null
  }
}

const OFF_BUS: Meaning = {
  code: 'gpu.off-bus',
  verdict: 'hardware-fault',
  remedy: () => BACK_ON_THE_BUS,
  explains: [...OF_A_SILENT_CARD, 'gpu.needs-reset', 'gpu.gsp-timeout'],
}

const FIRMWARE: Meaning = {
  code: 'gpu.gsp-timeout',
  verdict: 'hardware-fault',
  remedy: awake,
  explains: [...OF_A_SILENT_CARD, 'gpu.needs-reset'],
}

const NEEDS_RESET: Meaning = {
  code: 'gpu.needs-reset',
  verdict: 'hardware-fault',
  remedy: (gpu) => [WITHOUT_IT, resetOf(gpu), IF_AGAIN],
  explains: [...OF_A_SILENT_CARD, 'gpu.remap-pending'],
}

const PENDING: Meaning = {
  code: 'gpu.remap-pending',
  verdict: 'degraded',
  remedy: replaceRows,
  explains: ['engine.kernel-crash'],
}

const EXHAUSTED: Meaning = {
  code: 'gpu.remap-failed',
  verdict: 'hardware-fault',
  remedy: () => EXCHANGE_IT,
  explains: ['gpu.remap-pending', 'gpu.needs-reset', 'engine.kernel-crash'],
}

const START: Meaning = {
  code: 'driver.init-failed',
  verdict: 'misconfigured',
  remedy: () => [
    'Look at the power cables of the card and whether the supply has enough for it; with the host off, plug them in anew.',
    'Then reboot and read dmesg -T | grep -i nvrm: the line of the start names what failed.',
  ],
  explains: ['gpu.count-mismatch', 'telemetry.field-error'],
}

function program(first: Xid, xids: readonly Xid[]): Finding {
  const [, pid, name] = /\bpid='?(\d{1,9})'?, name='?([^',]{1,60})/.exec(first.line) ?? []
  const who = pid === undefined ? 'A program' : `Process ${pid} (${name})`
  const others = xids.filter(({ number }) => number !== first.number)
  return {
    code: 'engine.kernel-crash',
    verdict: 'broken',
    cause: `${who} erred on GPU ${first.slot}: ${first.means} (Xid ${first.number}); that is of the software, as a rule.`,
    because: [first, ...others].slice(0, MOST).map(({ quote }) => quote),
    remedy: [
      'Restart the engine: its work on that GPU was ended, and every other request in it fails too.',
      'Read its log of the same minute for the kernel that failed (illegal memory access, device-side assert). If it comes back: another version of the engine, another --attention-backend, no speculative decoding, one at a time.',
      'No reset and no exchange for this alone. Only if the same number comes back on one card with different programs: dcgmi diag -r 3.',
    ],
    confidence: 'likely',
    unless: 'it comes back on one card only, whatever runs there: then the card or its slot is to be examined.',
    missing: ["the engine's log of the same minute"],
    at: first.at,
  }
}

function unclear({ number, means, slot, quote, what, at }: Xid, { unit }: Evidence): Finding {
  const ended = what === 'aftermath' && unit !== undefined && unit.activeState !== 'active'
  return {
    code: 'log.need-more',
    verdict: 'inconclusive',
    cause: `Xid ${number} of GPU ${slot} (${means}) does not say by itself what is wrong${ended ? '; the unit was stopped, which alone brings it about' : ''}.`,
    because: [quote],
    remedy: [
      'Read the lines above it: dmesg -T | grep -iE "nvrm|xid". An earlier Xid, or the end of the process, is its cause.',
      "NVIDIA's catalogue names each number: docs.nvidia.com/deploy/xid-errors.",
    ],
    confidence: 'certain',
    missing: ['the kernel log before this line', "the engine's log of the same minute"],
    at,
  }
}
