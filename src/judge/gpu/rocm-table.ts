import type { Gpu } from '../../domain/gpu.ts'
import { isPlaceholder } from '../../domain/verbs/gpu-row.ts'
import type { Said } from './card.ts'
import { cardOf } from './card.ts'
import type { Reader } from './reader.ts'

/**
 * The tables of rocm-smi and of amd-smi monitor: one line a card under a line of headings. Columns come and go with the
 * release, so a reading is known by its unit and its place beside others.
 */
export const readRocmTable: Reader = (lines) => {
  const heading = lines.findIndex((line) => HEADING.test(line))
  if (heading < 0) return { rest: lines }
  const cards: Gpu[] = []
  const rest: string[] = lines.slice(0, heading).filter((line) => !RULE.test(line))
  for (const line of lines.slice(heading + 1)) {
    const card = cardIn(line)
    if (card !== null) cards.push(card)
    else if (!RULE.test(line)) rest.push(line)
  }
  return cards.length === 0 ? { rest: lines } : { cards, rest }
}

const HEADING = /^\s*(?:GPU|Device)\s.*\b(?:Temp|AvgPwr|Power|POWER|GPU_T|VRAM|SCLK|GFX_CLK)/
const RULE = /^\s*=+(?: ?[A-Za-z ]{1,60} ?=+)?\s*$|^\s*\(DID,|^\W*$/

function cardIn(line: string): Gpu | null {
  const [, index] = /^\s{0,4}(\d{1,4})\s+\S/.exec(line) ?? []
  if (index === undefined) return null
  const [, temperature] = /\s(\d{1,3}(?:\.\d)?) ?°?[cC](?:\s|$)/.exec(line) ?? []
  const [, powerW] = /\s(\d{1,4}(?:\.\d)?) ?W(?:\s|$)/.exec(line) ?? []
  const [, used, total, unit = ''] = /\s(\d{1,6}(?:\.\d)?)\/(\d{1,6}(?:\.\d)?) ?([MG]B)/.exec(line) ?? []
  const shares = line.match(/(?:\d{1,3}(?:\.\d{1,2})?|N\/A) ?%/g) ?? []
  const [, fan] = /\s(\d{1,3}(?:\.\d{1,2})?)%\s+(?:auto|manual|high|low|perf\w*|unknown)\b/.exec(line) ?? []
  const concise = fan !== undefined || /\b(?:auto|manual)\b/.test(line)
  const utilization = concise ? shares.at(-1) : shares[0]
  return cardOf(
    given({
      index,
      temperature,
      powerW,
      utilization: utilization?.replace(/ ?%$/, ''),
      fan,
      memoryUsedMiB: used === undefined ? undefined : `${used} ${unit}`,
      memoryTotalMiB: total === undefined ? undefined : `${total} ${unit}`,
    }),
  )
}

type Perhaps = Readonly<Partial<Record<keyof Said, string | undefined>>>

function given(perhaps: Perhaps): Said {
  return Object.fromEntries(
    Object.entries(perhaps).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

/** The table that amd-smi prints without options: two lines a card. */
export const readAmdTable: Reader = (lines) => {
  if (!lines.some((line) => /AMD-SMI \d/.test(line))) return { rest: lines }
  const cards: Gpu[] = []
  const rest: string[] = []
  let head: Said | null = null
  for (const line of lines) {
    const cells = line.split('|', 4).map((cell) => cell.trim())
    const [, slot, name] = /^([0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.\d) +(\S.{0,60})$/i.exec(cells[1] ?? '') ?? []
    const lower = head === null ? null : lowerOf(cells)
    if (slot !== undefined && name !== undefined) head = { slot, name, ...upperOf(cells[2] ?? '') }
    else if (lower !== null) {
      cards.push(cardOf({ ...head, ...lower }))
      head = null
    } else if (!/^\s*[+|]/.test(line)) rest.push(line)
  }
  return cards.length === 0 ? { rest: lines } : { cards, rest }
}

/** `| N/A        N/A   0           N/A |`: use of memory, temperature, errors, power of its limit */
function upperOf(cell: string): Said {
  const [, temperature] = /(\d{1,3}) ?°C/.exec(cell) ?? []
  const [, powerW] = /(\d{1,4})(?:\/\d{1,4})? ?W/.exec(cell) ?? []
  return given({ temperature, powerW })
}

function lowerOf([, first = '', second = '']: readonly string[]): Said | null {
  const [, index] = /^(\d{1,4}) +/.exec(first) ?? []
  const [use = '', fan = ''] = second.split(/ {2,}/).map((word) => word.trim())
  const [, used, total] = /(\d{1,7})\/(\d{1,7}) ?MB/.exec(second) ?? []
  if (index === undefined) return null
  const memory = given({ memoryUsedMiB: used, memoryTotalMiB: total })
  return { index, utilization: use, ...(isPlaceholder(fan) || /^\d/.test(fan) ? { fan } : {}), ...memory }
}
