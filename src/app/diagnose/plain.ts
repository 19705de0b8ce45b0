import { linesOf } from '../../domain/remote/text.ts'
import type { RemoteRun } from '../../domain/remote.ts'
import { count } from '../../domain/report.ts'
import { keyOwner } from '../../domain/ssh/changed-key.ts'
import { logScanner } from '../../judge/log/scan.ts'
import { tellingLines } from '../../judge/remote/evidence.ts'
import { parsedOf } from '../../judge/remote/output.ts'
import { readRemote } from '../../judge/remote.ts'
import { signatures } from '../../judge/rules/index.ts'
import { answerDocument, bareAnswer } from './answer-document.ts'
import type { Judged, Read } from './document.ts'
import type { Form } from './form.ts'
import { judgedLog } from './log-document.ts'
import { belowMeter } from './meter.ts'
import type { Opening } from './opening.ts'
import { toolDocument } from './tool-document.ts'

/** An input that is no wire format is one document as a whole. */
export async function readPlain(form: Exclude<Form, 'documents'>, opening: Opening): Promise<Read> {
  switch (form) {
    case 'answer':
      return wholeText(opening, 'A', (text) => answerIn(belowMeter(text) ?? text))
    case 'tool':
      return wholeText(opening, 'C', (stdout) => toolDocument({ command: toolIn(stdout), stdout }))
    case 'log':
      return sshWords(opening) ?? documentOf('B', await logOf(opening.input))
  }
}

function toolIn(text: string): string {
  return /\b(?:rocm|amd)-smi\b/i.exec(text.slice(0, LOOKED_AT))?.[0].toLowerCase() ?? 'nvidia-smi'
}

const LOOKED_AT = 4000

/** A log may be of any size: no more of it is held than its signs. */
async function logOf(input: AsyncIterable<Uint8Array>): Promise<Judged> {
  const scanner = logScanner(signatures)
  for await (const piece of input) scanner.feed(piece)
  return judgedLog(scanner.end(), {})
}

/** The few lines that ssh leaves when it comes nowhere; null where the text is something else. */
function sshWords({ text, isWhole }: Opening): Read | null {
  if (!isWhole || tellingLines(text).length > FEW_LINES) return null
  const run: RemoteRun = { command: null, end: { how: 'untold' }, stdout: '', stderr: text }
  const finding = readRemote(run, keyOwner(linesOf(text)) ?? 'the host')
  if (!finding.code.startsWith('ssh.') || finding.confidence !== 'certain') return null
  return documentOf('D', { ok: true, finding, parsed: parsedOf(run) })
}

const FEW_LINES = 10

function answerIn(text: string): Judged {
  return headedAnswer(text) ?? bareAnswer(text)
}

/** What `curl -i` prints: the head, an empty line, the body; null where it begins otherwise. */
function headedAnswer(text: string): Judged | null {
  const parts = headedParts(text)
  if (parts === null) return null
  const { status, head, body } = parts
  const headers = head.split(/\r?\n/).map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()] as const
  })
  return answerDocument({ response: { status, headers: Object.fromEntries(headers), body } })
}

interface Headed {
  readonly status: number
  /** its lines, without the one of the status */
  readonly head: string
  readonly body: string
}

/** A head of status 1xx comes before the real one. */
function headedParts(text: string): Headed | null {
  let rest = text.trimStart()
  for (let heads = 0; heads <= MOST_INTERIM; heads += 1) {
    const [first, status] = /^HTTP\/[\d.]{1,8} (\d{3})[^\n]{0,1000}\n/.exec(rest) ?? []
    if (first === undefined) return null
    const parts = atEmptyLine(rest.slice(first.length))
    const next = parts.body.trimStart()
    if (!status?.startsWith('1') || !next.startsWith('HTTP/')) return { status: Number(status), ...parts }
    rest = next
  }
  return null
}

const MOST_INTERIM = 20

/** The lines down to the first empty one, and what stands below; without one all whole lines are the head. */
function atEmptyLine(text: string): Pick<Headed, 'head' | 'body'> {
  const begin = `\n${text.slice(0, LONGEST_HEAD)}`
  const ends = EMPTY_LINES.map((line) => ({ at: begin.indexOf(line), line })).filter(({ at }) => at !== -1)
  const [end] = ends.toSorted((one, other) => one.at - other.at)
  // the line end put before is no part of the text
  const [to, from] =
    end === undefined ? [begin.lastIndexOf('\n'), begin.lastIndexOf('\n')] : [end.at, end.at + end.line.length - 1]
  return { head: text.slice(0, to), body: text.slice(from) }
}

const EMPTY_LINES = ['\n\n', '\n\r\n']
/** in characters */
const LONGEST_HEAD = 64 * 1024

async function wholeText(opening: Opening, kind: 'A' | 'C', judge: (text: string) => Judged): Promise<Read> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const piece of opening.input) {
    bytes += piece.length
    if (bytes <= LONGEST) parts.push(piece)
  }
  if (bytes > LONGEST) {
    const problem = `longer than ${LONGEST / MIB} MiB, not read: what begins like ${LIKE[kind]} has ${count(bytes)} bytes; cut the long text in it to its two ends`
    return { ok: false, problem }
  }
  return documentOf(kind, judge(new TextDecoder().decode(Buffer.concat(parts))))
}

const LIKE = { A: 'an answer', C: 'the output of a GPU tool' }

const MIB = 1024 * 1024
/** of an answer, in bytes */
const LONGEST = 16 * MIB

function documentOf(kind: string, judged: Judged): Read {
  if (!judged.ok) return judged
  const { finding, parsed } = judged
  return { ok: true, document: { id: null, kind, isPlain: true, finding, parsed } }
}
