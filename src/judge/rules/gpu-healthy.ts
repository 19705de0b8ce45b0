import type { Code } from '../../domain/code.ts'
import type { Evidence, Finding, Rule } from '../../domain/finding.ts'
import type { Gpu, GpuProcess } from '../../domain/gpu.ts'
import { count, counted } from '../../domain/report.ts'
import { gapReason, isPlaceholder } from '../../domain/verbs/gpu-row.ts'
import { quoted } from '../answer.ts'
import { isBenign } from '../gpu/benign.ts'
import { cardName } from '../gpu/card.ts'
import { isInside } from '../gpu/heard.ts'
import { recheckOf } from '../gpu/recheck.ts'
import { isHeader } from '../gpu/rows.ts'
import { xidsOf } from '../gpu/xid.ts'

/** The cards are well, and why what looks odd is so. Only where nothing but a GPU tool was asked. */
export const gpuHealthy: Rule = {
  codes: [
    'ok.unified-memory',
    'ok.transient',
    'ok.literal-data',
    'ok.format',
    'ok.field-na',
    'ok.pid-namespace',
    'ok.static-pool',
    'ok.stderr-noise',
    'ok.warning',
    'ok.info',
    'ok.ran',
  ],
  check(evidence) {
    const { smoke, log, gpus } = evidence
    if (smoke !== undefined || log !== undefined || gpus === undefined) return []
    const again = recheckOf(evidence)
    if (again?.isFine === true && hasFailed(evidence))
      return [
        fine('ok.transient', 'One reading failed, and the next one came: a single failure says nothing of the card.', [
          again.quote,
        ]),
      ]
    if (!isAnswer(evidence)) return []
    const remark = REMARKS.map((see) => see(evidence)).find((one) => one !== null)
    return [remark ?? ran(evidence)]
  },
}

function fine(code: Code, cause: string, because: readonly string[]): Finding {
  return { code, verdict: 'healthy', cause, because, remedy: [], confidence: 'certain' }
}

function hasFailed({ gpus }: Evidence): boolean {
  return gpus?.timedOut === true || (gpus?.cards ?? []).some(({ gaps }) => gaps.some(({ why }) => why === 'failed'))
}

/** It answered, and neither it nor the kernel says anything that nobody can explain. */
function isAnswer(evidence: Evidence): boolean {
  const { gpus, kernel = [], pci = [], gpuProcesses } = evidence
  if (gpus === undefined || gpus.timedOut || xidsOf(evidence).length > 0) return false
  const complaints = [...gpus.notes, ...kernel].filter((line) => !isBenign(line))
  const found = gpus.cards.length + kernel.length + pci.length > 0 || gpuProcesses !== undefined
  if (isSearch(evidence) && gpus.rc === 1 && gpus.notes.length === 0) return kernel.length === 0
  if (gpus.rc !== null && gpus.rc !== 0) return false
  return complaints.length === 0 && (found || gpus.notes.length > 0 || isSearch(evidence))
}

/** A search for trouble in the kernel's log that finds none ends with 1, and that is good news. */
function isSearch({ told = [] }: Evidence): boolean {
  return told.some((line) =>
    /^command: .*(?:\bdmesg\b|\bjournalctl\b|kern\.log|syslog).*\bgrep\b|^command: .*\bgrep\b.*(?:kern\.log|syslog|\/messages)\b/.test(
      line,
    ),
  )
}

type Remark = (evidence: Evidence) => Finding | null

/** The first that fits is the one that looks oddest to people. */
const REMARKS: readonly Remark[] = [chattered, unified, literal, format, namespace, notReported, staticPool, warning]

function chattered({ gpus }: Evidence): Finding | null {
  const line = gpus?.chatter?.[0]
  if (line === undefined) return null
  return fine(
    'ok.stderr-noise',
    'The tool answered; what stands beside its answer is of the login, not of the cards.',
    [quoted(line, 200)],
  )
}

const UNIFIED =
  /\bGB10\b|DGX Spark|\bThor\b|\bOrin\b|\bTegra\b|Xavier|\bMI300A\b|Strix|Radeon 8\d{3}S|Ryzen AI|Radeon (?:Graphics|\d{3}M)\b|nvgpu/i

function unified({ gpus }: Evidence): Finding | null {
  const card = gpus?.cards.find(
    ({ name, gaps }) => UNIFIED.test(name ?? '') && gaps.some(({ field }) => field.startsWith('memory')),
  )
  if (card === undefined) return null
  const words = `${cardName(card)} shares the memory of the host: it has none of its own whose size could be told. /proc/meminfo tells it.`
  return fine('ok.unified-memory', words, gapsOf([card]))
}

/** A process may be called like a complaint, or hold commas. */
function literal({ gpuProcesses = [] }: Evidence): Finding | null {
  const odd = gpuProcesses.find(({ name }) => name !== null && /,|\[.*\]|\berror\b|ERR!|\blost\b|\bfail/i.test(name))
  if (odd === undefined) return null
  return fine(
    'ok.literal-data',
    `The name of process ${odd.pid} is meant as it stands; it is no message of the tool.`,
    [`pid ${odd.pid}: ${quoted(odd.name ?? '', 160)}`],
  )
}

function format({ gpus }: Evidence): Finding | null {
  const header = gpus?.notes.find(isHeader)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal's own
  const coloured = gpus?.notes.some((line) => /\u001b\[/.test(line)) === true
  if (header === undefined && !coloured) return null
  if (header === undefined)
    return fine('ok.format', 'The tool underlines and colours its text, also without a terminal.', [
      'escape sequences in the output',
    ])
  return fine('ok.format', 'The output has a header and units; they were taken off, the figures are the same.', [
    quoted(header, 160),
  ])
}

function notReported({ gpus, gpuProcesses = [] }: Evidence): Finding | null {
  const cards = (gpus?.cards ?? []).filter(
    ({ gaps, others = {} }) => gaps.length > 0 || Object.values(others).some(isAbsent),
  )
  if (cards.length > 0)
    return fine('ok.field-na', `Not every card reports everything: ${reasonsOf(cards)}.`, gapsOf(cards))
  const hidden = gpuProcesses.filter(({ name, memoryMiB }) => name === null || memoryMiB === null)
  const [first] = hidden
  if (first === undefined) return null
  const words = `${counted(hidden.length, 'process')} without a name or a figure: another namespace or a missing right hides them, which is no fault.`
  return fine(
    'ok.field-na',
    words.replace('processs', 'processes'),
    hidden.slice(0, 3).map(({ pid }) => `pid ${pid}`),
  )
}

function isAbsent(cell: string): boolean {
  return isPlaceholder(cell) && cell !== '' && gapReason(cell) !== 'failed'
}

const REASONS: readonly (readonly [(card: Gpu) => boolean, string])[] = [
  [
    ({ name }) => /^(?:GRID|NVIDIA [A-Z]\w*-\d+[A-Z]?$)|vGPU|\d+[CQBA]$/.test(name ?? ''),
    'a guest with a part of a card (vGPU) does not see its temperature, power and fan',
  ],
  [
    ({ others = {} }) => Object.entries(others).some(([name, value]) => /mig/i.test(name) && value === 'Enabled'),
    'with MIG on, the use of a card is told by its instances',
  ],
  [({ gaps }) => gaps.some(({ field }) => field === 'fan'), 'a card that the server cools has no fan of its own'],
]

function reasonsOf(cards: readonly Gpu[]): string {
  const reasons = REASONS.filter(([is]) => cards.some(is)).map(([, words]) => words)
  return reasons.length === 0 ? 'what it does not have stands there as not available' : reasons.join('; ')
}

function gapsOf(cards: readonly Gpu[]): readonly string[] {
  return cards.slice(0, 4).map((card) => {
    const gap = card.gaps[0]
    const [name, value] = Object.entries(card.others ?? {}).find(([, cell]) => isAbsent(cell)) ?? []
    return gap === undefined
      ? `${cardName(card)}: “${value}” for ${name}`
      : `${cardName(card)}: “${gap.said}” for ${gap.field}`
  })
}

function namespace(evidence: Evidence): Finding | null {
  const { gpuProcesses, gpus } = evidence
  if (!isInside(evidence)) return null
  const used = (gpus?.cards ?? []).filter(({ memoryUsedMiB }) => (memoryUsedMiB ?? 0) > BUSY_MIB)
  if (gpuProcesses === undefined && used.length === 0) return null
  const listed = gpuProcesses ?? []
  const words =
    listed.length === 0
      ? 'In a container the tool cannot name the processes: the driver knows only the numbers of the host. An empty list there is normal.'
      : 'In a container the numbers of the processes are those of the host, so ps does not know them there; they are the ones that hold the memory all the same.'
  return fine('ok.pid-namespace', words, [
    `${count(listed.length)} listed in the container`,
    ...listed.slice(0, 3).map(said),
    ...used.slice(0, 3).map(stateOf),
  ])
}

const BUSY_MIB = 1024

function said({ pid, name, memoryMiB }: GpuProcess): string {
  return [
    `pid ${pid}`,
    ...(name === null ? [] : [quoted(name)]),
    ...(memoryMiB === null ? [] : [`${memoryMiB} MiB`]),
  ].join(', ')
}

/** From this share on, memory in use without work is a pool that an engine reserved. */
const POOL = 0.5
const IDLE = 5

function staticPool({ gpus }: Evidence): Finding | null {
  const pooled = (gpus?.cards ?? []).filter(
    ({ memoryUsedMiB: used, memoryTotalMiB: total, utilization }) =>
      used !== null && total !== null && utilization !== null && used >= POOL * total && utilization <= IDLE,
  )
  const [card] = pooled
  if (card === undefined) return null
  const share = Math.round((100 * (card.memoryUsedMiB ?? 0)) / (card.memoryTotalMiB ?? 1))
  return fine(
    'ok.static-pool',
    `${cardName(card)} holds ${share} % of its memory without work: a model server reserves weights and KV cache when it starts, and keeps them.`,
    pooled
      .slice(0, 4)
      .map((one) => `${cardName(one)}: ${one.memoryUsedMiB} of ${one.memoryTotalMiB} MiB, use ${one.utilization} %`),
  )
}

function warning({ gpus }: Evidence): Finding | null {
  const line = gpus?.notes.find((note) => /^(?:\W{0,3}(?:warning|note)\b)|deprecated|low-power state/i.test(note))
  return line === undefined
    ? null
    : fine('ok.warning', 'The tool warns of nothing that concerns the work of the cards.', [quoted(line, 200)])
}

function ran({ gpus, kernel = [], gpuProcesses }: Evidence): Finding {
  const cards = gpus?.cards ?? []
  if (cards.length > 0)
    return fine(
      'ok.ran',
      `${counted(cards.length, 'GPU')} answered; nothing is wrong with what was read.`,
      cards.slice(0, 4).map(stateOf),
    )
  if (kernel.length > 0)
    return fine(
      'ok.info',
      'The lines of the kernel only inform.',
      kernel.slice(-2).map((line) => quoted(line, 160)),
    )
  const none = gpuProcesses?.length === 0 ? 'no process holds memory of a GPU' : 'it answered, and complains of nothing'
  return fine('ok.ran', `${gpus?.tool ?? 'The tool'}: ${none}.`, [
    gpus?.rc == null ? 'no complaint' : `exit status ${gpus.rc}`,
  ])
}

function stateOf(card: Gpu): string {
  const { memoryUsedMiB: used, memoryTotalMiB: total, utilization, temperature } = card
  const parts = [
    ...(used === null || total === null ? [] : [`${used} of ${total} MiB`]),
    ...(utilization === null ? [] : [`use ${utilization} %`]),
    ...(temperature === null ? [] : [`${temperature} °C`]),
  ]
  const [name, value] = Object.entries(card.others ?? {})[0] ?? []
  if (parts.length > 0) return `${cardName(card)}: ${parts.join(', ')}`
  return name === undefined ? cardName(card) : `${cardName(card)}: ${name} ${value}`
}
