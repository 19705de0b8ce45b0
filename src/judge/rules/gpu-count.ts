import type { Evidence, Rule } from '../../domain/finding.ts'
import { counted } from '../../domain/report.ts'
import { isInside } from '../gpu/heard.ts'
import { quotedTold, toldLine } from '../told.ts'

/** Fewer cards than the box has: the tool ends with 0 and does not mention those that it does not see. */
export const gpuCount: Rule = {
  codes: ['gpu.count-mismatch'],
  check(evidence) {
    const seen = evidence.gpus?.cards.length ?? 0
    const should = expected(evidence) ?? largest(onTheBus(evidence), byNumber(evidence))
    if (should === null || should.count <= seen || (seen === 0 && !isSilent(evidence))) return []
    return [
      {
        code: 'gpu.count-mismatch',
        verdict: 'inconclusive',
        cause: `${counted(should.count, 'GPU')} should be there and ${seen} ${seen === 1 ? 'is' : 'are'} listed; the exit status does not show it.`,
        because: [...should.because, `${counted(seen, 'GPU')} listed: ${names(evidence)}`],
        remedy: [
          'lspci -nnk -d 10de: shows whether the card is on the bus and which driver has it (vfio-pci keeps it for a virtual machine).',
          'dmesg -T | grep -iE "nvrm|xid": a card that fell off the bus or did not start is named there; then reboot the host.',
          'In a container: its device entries, NVIDIA_VISIBLE_DEVICES and the cgroup rules name the cards that it gets.',
        ],
        confidence: should.isSure ? 'certain' : 'likely',
        missing: ['lspci -nnk -d 10de:', 'dmesg -T | grep -iE "nvrm|xid"'],
      },
    ]
  },
}

/** It listed nothing, complained of nothing and ended well. */
function isSilent({ gpus, told = [] }: Evidence): boolean {
  const asked = told.some((line) => /^command: .*\b(?:nvidia|rocm|amd)-smi\b.*(?: -L\b| list\b|--query-gpu)/.test(line))
  return asked && gpus?.rc === 0 && gpus.notes.length === 0
}

interface Should {
  readonly count: number
  readonly because: readonly string[]
  readonly isSure: boolean
}

const EXPECTED =
  /^(?:[\w.]{1,60}\.)?(?:expected(?:_?(?:gpus?|count|gpu_count|devices|cards))?|gpus?_(?:expected|configured)|configured_gpus?|should_have): (\d{1,3})\b/i

function expected(evidence: Evidence): Should | null {
  const line = toldLine(evidence, EXPECTED)
  const count = Number(EXPECTED.exec(line ?? '')?.[1])
  return line === null || Number.isNaN(count) ? null : { count, because: [quotedTold(line)], isSure: true }
}

function largest(one: Should | null, other: Should | null): Should | null {
  return (other?.count ?? 0) > (one?.count ?? 0) ? other : one
}

/** The cards of the bus that no guest has; a container gets only some of them. */
function onTheBus(evidence: Evidence): Should | null {
  const { pci = [], gpus } = evidence
  if (isInside(evidence) || gpus?.tool !== 'nvidia-smi') return null
  const { length } = pci.filter(({ vendor, driver }) => vendor === '0x10de' && driver !== 'vfio-pci')
  return length === 0
    ? null
    : { count: length, because: [`${counted(length, 'card')} of NVIDIA on the PCI bus`], isSure: false }
}

/** A number that is left out between others: 0, 1, 3. Whoever asks for some cards only leaves them out himself. */
function byNumber(evidence: Evidence): Should | null {
  const numbers = (evidence.gpus?.cards ?? []).flatMap(({ index }) => index ?? [])
  const isChosen = (evidence.told ?? []).some((line) =>
    /^command: .*(?: -i\b| --id\b| -d\b|\b(?:grep|head|tail|awk|sed)\b)/.test(line),
  )
  const [first] = numbers
  if (isChosen || first !== 0 || numbers.length < 2) return null
  return { count: Math.max(...numbers) + 1, because: [`numbers listed: ${numbers.join(', ')}`], isSure: false }
}

function names({ gpus }: Evidence): string {
  return (gpus?.cards ?? [])
    .slice(0, 4)
    .map(({ index, name }) => [index, name].filter((part) => part !== null).join(' '))
    .join(', ')
}
