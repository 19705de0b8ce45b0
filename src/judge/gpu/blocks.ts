import type { Gpu } from '../../domain/gpu.ts'
import type { Named } from './names.ts'
import { cardOfNamed, INSIDE } from './names.ts'
import type { Reader } from './reader.ts'

/** Names and values, one a line, in sections by indentation: nvidia-smi -q and -x, amd-smi, rocm-smi --show…. */
export const readBlocks: Reader = (lines) => {
  const unwrapped = lines.map(unwrap)
  const isAmd = unwrapped.some((line) => AMD.test(line))
  const cards: Block[] = [{ head: '', named: [] }]
  const sections: { depth: number; name: string }[] = []
  const rest: string[] = []
  for (const line of unwrapped) {
    const head = headIn(line)
    const pair = head === null ? pairIn(line, isAmd) : null
    if (head !== null) cards.push({ head, named: [] })
    else if (pair !== null) addTo(blockOf(cards, pair.gpu), [pathOf(sections, pair), pair.value])
    else if (isSection(line, isAmd)) openSection(sections, line)
    else if (!RULE.test(line)) rest.push(line)
  }
  const read = cards.filter(({ named }) => named.length > 0)
  const ofCards = read.some(({ head }) => head !== '') ? read.filter(({ head }) => head !== '') : read
  return ofCards.length === 0 ? { rest: lines } : { cards: ofCards.map(cardIn), rest }
}

interface Block {
  /** what names the card: a PCI address, or a number */
  readonly head: string
  readonly named: Named[]
}

const RULE = /^\s*=+(?: ?[A-Za-z ]{1,60} ?=+)?\s*$/

const AMD = /^GPU: {1,2}\d{1,4}\s*$/

/** A line of XML as the line of text that says the same. */
function unwrap(line: string): string {
  const [, indent = '', name, value] = /^(\s*)<(\w{1,60})>([^<>]{0,300})<\/\w{1,60}>\s*$/.exec(line) ?? []
  if (name !== undefined && value !== undefined) return `${indent}${name} : ${value}`
  const [, gpu] = /^\s*<gpu id="([^"]{1,40})">/.exec(line) ?? []
  if (gpu !== undefined) return `GPU ${gpu}`
  const [, deeper = '', section] = /^(\s*)<(\w{1,60})>\s*$/.exec(line) ?? []
  return section === undefined ? line : `${deeper}${section}`
}

function headIn(line: string): string | null {
  const [, slot, number] = /^GPU(?: ([0-9A-F]{4,8}:[0-9A-F]{2}:[0-9A-F]{2}\.\d)|: {1,2}(\d{1,4}))\s*$/i.exec(line) ?? []
  return slot ?? number ?? null
}

interface Pair {
  readonly depth: number
  readonly name: string
  readonly value: string
  /** of rocm-smi, which names the card in each line */
  readonly gpu?: string
}

/** nvidia-smi puts a space before the colon, which a sentence never has; amd-smi writes its names in capitals. */
function pairIn(line: string, isAmd: boolean): Pair | null {
  const [, gpu, ofRocm, said] = /^GPU\[(\d{1,4})\]\s{0,4}: ([^:]{1,80}): ?(.{0,300})$/.exec(line) ?? []
  if (gpu !== undefined && ofRocm !== undefined)
    return { depth: 0, name: ofRocm.trim(), value: said?.trim() ?? '', gpu }
  const pattern = isAmd ? /^(\s+)([A-Z][A-Z0-9_%]{0,60}): (.{0,300})$/ : /^(\s*)(\S[^:]{0,80}?)\s+: (.{0,300})$/
  const [, indent = '', name, value] = pattern.exec(line) ?? []
  return name === undefined || value === undefined ? null : { depth: indent.length, name, value: value.trim() }
}

function isSection(line: string, isAmd: boolean): boolean {
  return isAmd ? /^\s+[A-Z][A-Z0-9_%]{0,60}:\s*$/.test(line) : /^\s{2,}[A-Za-z][\w /%()-]{0,60}$/.test(line)
}

function openSection(sections: { depth: number; name: string }[], line: string): void {
  const depth = line.length - line.trimStart().length
  while ((sections.at(-1)?.depth ?? -1) >= depth) sections.pop()
  sections.push({ depth, name: line.trim().replace(/:$/, '') })
}

/** Sections that do not stand deeper than the line are over. */
function pathOf(sections: { depth: number; name: string }[], { depth, name }: Pair): string {
  while ((sections.at(-1)?.depth ?? -1) >= depth) sections.pop()
  return [...sections.map((section) => section.name), name].join(INSIDE)
}

function blockOf(cards: Block[], gpu: string | undefined): Block | undefined {
  if (gpu === undefined) return cards.at(-1)
  const known = cards.find(({ head }) => head === gpu)
  if (known !== undefined) return known
  cards.push({ head: gpu, named: [] })
  return cards.at(-1)
}

function addTo(block: Block | undefined, named: Named): void {
  block?.named.push(named)
}

function cardIn({ head, named }: Block): Gpu {
  const card = cardOfNamed(named)
  if (/^\d+$/.test(head)) return { ...card, index: Number(head) }
  return head === '' ? card : { ...card, slot: head }
}
