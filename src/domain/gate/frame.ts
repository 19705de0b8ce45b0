import { excerpt } from '../excerpt.ts'
import type { GateReply, GateSection } from '../gate.ts'
import { GATE_MARK, GATE_PROTOCOL, LARGEST_SECTION } from '../gate.ts'

/** What has been read so far of what an account printed. */
export interface Frame {
  /** how each line of the gate's own begins */
  readonly mark: string
  readonly followed: string | null
  readonly noise: string[]
  noiseLength: number
  delivery: GateReply['delivery'] | null
  refused: string | null
  readonly sections: GateSection[]
  open: OpenSection | null
  rc: number | null
  broken: string | null
}

export function emptyFrame(op: string, followed: string | null): Frame {
  return {
    mark: `${GATE_MARK}${op} `,
    followed,
    noise: [],
    noiseLength: 0,
    delivery: null,
    refused: null,
    sections: [],
    open: null,
    rc: null,
    broken: null,
  }
}

/** Takes one more line. What it returns are lines of the followed section. Nothing counts after the end, or once it is broken. */
export function takeLine(frame: Frame, line: string): readonly string[] {
  if (frame.rc !== null || frame.broken !== null) return []
  if (!line.startsWith(frame.mark)) return takeText(frame, line)
  takeMark(frame, line.slice(frame.mark.length))
  return []
}

/** The section that is not closed yet. */
export function sectionSoFar({ open }: Frame): GateSection | null {
  return open === null ? null : sectionOf(open, null)
}

interface OpenSection {
  readonly name: string
  readonly lines: string[]
  length: number
  /** whether an empty line of a followed section waits */
  held: boolean
}

/** The gate cuts far below this, in characters. */
const ENDLESS = 2 * LARGEST_SECTION

/** So much of what login scripts print is kept, in characters. */
const MOST_NOISE = 64 * 1024

function takeText(frame: Frame, line: string): readonly string[] {
  const { open } = frame
  if (open === null) takeNoise(frame, line)
  else if (open.name === frame.followed) return passOn(open, line)
  else if (open.length + line.length > ENDLESS) frame.broken = `its section ${open.name} does not end`
  else keep(open, line)
  return []
}

function takeNoise(frame: Frame, line: string): void {
  if (frame.delivery !== null) return
  frame.refused ??= /^GATE - refused (.*)$/.exec(line)?.[1] ?? null
  frame.noiseLength += line.length + 1
  if (frame.noiseLength <= MOST_NOISE) frame.noise.push(line)
}

function keep(open: OpenSection, line: string): void {
  open.lines.push(line)
  open.length += line.length + 1
}

/** An empty line waits for the next one: before a mark it is the gate's, not the section's. */
function passOn(open: OpenSection, line: string): readonly string[] {
  const before = open.held ? [''] : []
  open.held = line === ''
  return open.held ? before : [...before, line]
}

function takeMark(frame: Frame, text: string): void {
  const [word = '', ...rest] = text.split(' ')
  const read = MARKS.get(word)
  if (read === undefined || !read(frame, rest)) frame.broken ??= `an unexpected line: ${excerpt(text, 60)}`
}

type ReadMark = (frame: Frame, words: readonly string[]) => boolean

/** Each mark of the frame, and whether it may stand where it stands. */
const MARKS: ReadonlyMap<string, ReadMark> = new Map<string, ReadMark>([
  ['begin', begin],
  ['section', openSection],
  ['close', closeSection],
  ['end', end],
])

function begin(frame: Frame, [protocol = '', delivery = '', ...more]: readonly string[]): boolean {
  if (frame.delivery !== null) return false
  if (protocol !== String(GATE_PROTOCOL)) {
    frame.broken = `it speaks protocol ${excerpt(protocol, 20)}, and this program ${GATE_PROTOCOL}`
    return true
  }
  if (more.length > 0 || (delivery !== 'installed' && delivery !== 'quick')) return false
  frame.delivery = delivery
  return true
}

function openSection(frame: Frame, [name = '', ...more]: readonly string[]): boolean {
  if (frame.delivery === null || frame.open !== null || more.length > 0) return false
  if (!/^[A-Za-z0-9_.-]{1,80}$/.test(name)) return false
  frame.open = { name, lines: [], length: 0, held: false }
  return true
}

function closeSection(frame: Frame, words: readonly string[]): boolean {
  const rc = status(words)
  if (frame.open === null || rc === null) return false
  frame.sections.push(sectionOf(frame.open, rc))
  frame.open = null
  return true
}

function end(frame: Frame, words: readonly string[]): boolean {
  if (frame.delivery === null || frame.open !== null) return false
  frame.rc = status(words)
  return frame.rc !== null
}

function status([text = '', ...more]: readonly string[]): number | null {
  return /^\d{1,3}$/.test(text) && more.length === 0 ? Number(text) : null
}

function sectionOf(open: OpenSection, rc: number | null): GateSection {
  const text = open.lines.join('\n')
  return { name: open.name, rc, text, truncated: Buffer.byteLength(text) > LARGEST_SECTION }
}
