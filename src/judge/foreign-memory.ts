import type { Evidence } from '../domain/finding.ts'
import type { Sign } from '../domain/signature.ts'
import { signsOf } from './log/signs.ts'
import { gib, numberIn } from './memory.ts'

/** Memory of a GPU that is not the engine's own, as torch tells it where it runs out. */
export interface Foreign {
  readonly pid: string | null
  /** GiB */
  readonly held: number
  /** GiB of the card */
  readonly total: number
  /** false where the line does not show that it is another process: it may be the engine itself, by its number on the host */
  readonly isOther: boolean
}

/**
 * What others hold by a line of torch: "Process 4242 has 44.01 GiB memory in use", or, of older releases, what is neither
 * free nor reserved by PyTorch. In a container torch knows its own number there, and the driver that of the host: it names
 * itself like a stranger. Null where that is so, and where others hold less than a tenth of the card or than what was asked for.
 */
export function foreignIn({ line }: Sign): Foreign | null {
  const [, amount, unit] = /total capac?i?ty of (\d{1,4}\.?\d*) ([KMG]i?B)/.exec(line) ?? OLD_TOTAL.exec(line) ?? []
  const total = gib(amount, unit)
  if (total === null || total <= 0) return null
  const named = namedIn(line, total)
  const found = named.length === 0 ? unnamed(line, total) : largest(withoutOwn(named, line))
  const [, asked, of] = /Tried to allocate (\d{1,5}\.?\d*) ([KMG]i?B)/.exec(line) ?? []
  return found === null || found.held < Math.max(total * LEAST, gib(asked, of) ?? 0) ? null : found
}

const OLD_TOTAL = /(\d{1,4}\.?\d*) ([KMG]i?B) total capacity/
/** Contexts of CUDA, a desktop and the like hold some hundred MB of every card. */
const LEAST = 0.1

/** Some drivers give 17179869184.00 GiB where they know none. */
function namedIn(line: string, total: number): readonly Foreign[] {
  const named = line.matchAll(/Process (\d{1,10}) has (\d{1,4}\.?\d{0,3}) ([KMG]i?B) memory in use/g)
  return Array.from(named, ([, pid = null, size, of]) => ({
    pid,
    held: gib(size, of) ?? 0,
    total,
    isOther: true,
  })).filter(({ held }) => held <= total * 1.02)
}

function largest(all: readonly Foreign[]): Foreign | null {
  return all.toSorted((one, other) => other.held - one.held)[0] ?? null
}

/**
 * Where no process is called "this process" the engine is one of those that are named, if what is in use besides them is
 * less than PyTorch alone allocated: the smallest that can hold it. Without these figures each of them may be the engine.
 */
function withoutOwn(named: readonly Foreign[], line: string): readonly Foreign[] {
  if (/this process has/.test(line)) return named
  const ours = ownIn(line)
  const free = amountIn(line, FREE)
  if (ours === null || free === null) return named.map((one) => ({ ...one, isOther: false }))
  const total = named[0]?.total ?? 0
  const besides = total - free - named.reduce((sum, { held }) => sum + held, 0)
  if (besides >= ours * NEARLY) return named
  const own = named.filter(({ held }) => held >= ours * NEARLY).toSorted((one, other) => one.held - other.held)[0]
  return named.filter((one) => one !== own).map((one) => ({ ...one, isOther: own !== undefined }))
}

const FREE = /(\d{1,5}\.?\d*) ([KMG]i?B)(?: is)? free/
/** The figures are rounded, and taken one after the other. */
const NEARLY = 0.95

/** Whether PyTorch of the engine itself holds much of the card: then weights are on it already. */
export function holdsMuch({ line }: Sign): boolean {
  const [, amount, unit] = /total capacity of (\d{1,4}\.?\d*) ([KMG]i?B)/.exec(line) ?? []
  const [total, ours] = [gib(amount, unit), ownIn(line)]
  return total !== null && ours !== null && ours >= MUCH * total
}

const MUCH = 0.3

/** GiB that PyTorch of this process holds. */
function ownIn(line: string): number | null {
  const allocated = amountIn(line, /(\d{1,5}\.?\d*) ([KMG]i?B) is allocated by PyTorch/)
  const reserved = amountIn(line, /(\d{1,5}\.?\d*) ([KMG]i?B) is reserved by PyTorch but unallocated/)
  return allocated === null ? null : allocated + (reserved ?? 0)
}

function unnamed(line: string, total: number): Foreign | null {
  const free = amountIn(line, FREE)
  const ours =
    amountIn(line, /(\d{1,5}\.?\d*) ([KMG]i?B) (?:reserved in total by PyTorch|memory in use\.? Of the allocated)/) ??
    amountIn(line, /this process has (\d{1,5}\.?\d*) ([KMG]i?B) memory in use/)
  return free === null || ours === null ? null : { pid: null, held: total - free - ours, total, isOther: true }
}

function amountIn(line: string, pattern: RegExp): number | null {
  const [, amount, unit] = pattern.exec(line) ?? []
  return gib(amount, unit)
}

/** SGLang's "The memory capacity is unbalanced": what the fullest card and this one have free, in GiB; null where it does not say. */
export function unevenIn({ line }: Sign): { readonly least: number; readonly here: number } | null {
  const least = numberIn(/(?:pre_model_load_memory|min_\w{1,40}memory)=(\d{1,4}\.?\d{0,15})/.exec(line)?.[1])
  const here = numberIn(/local_\w{1,20}memory=(\d{1,4}\.?\d{0,15})/.exec(line)?.[1])
  return least === null || here === null ? null : { least, here }
}

/** Sizes of cards that are sold, in GiB. */
const CARDS: readonly number[] = [8, 10, 11, 12, 16, 20, 24, 32, 40, 48, 64, 80, 96, 141, 180, 192]

/** Whether so much free memory is what an idle card of some size has: all but the driver's and the context's part of it. */
export function isIdleCard(free: number): boolean {
  return CARDS.some((size) => free >= size * 0.95 && free <= size * 0.99)
}

/** Names of different kinds of GPUs that somebody told of or a tool listed; one name, or none, where they are alike. */
export function kindsOfCards(evidence: Evidence): readonly string[] {
  const listed = (evidence.gpus?.cards ?? []).flatMap(({ name }) => name ?? [])
  const said = (evidence.told ?? [])
    .filter((line) => /^(?:[\w.]{1,60}\.)?(?:gpus?|cards?|hardware|nvidia_?smi|devices?): /i.test(line))
    .flatMap((line) => Array.from(line.matchAll(MODEL), ([name]) => name.replace(/\s+/g, ' ')))
  const warned = signsOf(evidence, 'different-devices').flatMap(({ fields }) => fields['names']?.split(/,\s*/) ?? [])
  return [
    ...new Map(
      [...listed, ...said, ...warned].map((name) => [
        name.toLowerCase().replace(/\b(?:nvidia|geforce|tesla|quadro|rtx|gtx) ?/g, ''),
        name,
      ]),
    ).values(),
  ]
}

const MODEL =
  /\b(?:RTX|GTX|Quadro|Tesla|Radeon|Instinct)[ -]?(?:PRO )?[A-Z]{0,2}\d{1,4}[A-Z]?(?: (?:Ti|SUPER|Ada|XTX?|D)\b)*|\b(?:T4|L4|G[BH]200|[AHLBVP]\d{2,3}S?|MI\d{3}[AX]?)\b/gi
