import { readJson } from '../../domain/json.ts'
import { inChat } from '../../engines/native.ts'
import { toldInstead } from '../../engines/native-facts.ts'
import { belowMeter } from './meter.ts'
import { recordOf } from './record.ts'

/**
 * What an input is by its looks. documents: the wire format, or what is meant as it · answer: the body of one answer,
 * maybe with its HTTP head · tool: what a GPU tool printed · log: any other text.
 */
export type Form = 'documents' | 'answer' | 'tool' | 'log'

/** Known by its beginning. A log that quotes an answer is none, so only how the text begins counts. */
export function formOf(opening: string): Form {
  const text = opening.trimStart()
  const below = belowMeter(text)
  if (below !== null && isAnswer(below)) return 'answer'
  // no text at all
  if (text.includes('\u0000')) return 'documents'
  if (text.startsWith('{')) return jsonForm(text)
  if (isAnswer(text)) return 'answer'
  if (TOOLS.some((looks) => looks.test(text))) return 'tool'
  return isBareJson(text) || holdsDocument(text) ? 'documents' : 'log'
}

function isAnswer(text: string): boolean {
  return ANSWERS.some((looks) => looks.test(text)) || (text.startsWith('{') && jsonForm(text) === 'answer')
}

const ANSWERS: readonly RegExp[] = [
  /^HTTP\/[\d.]{1,3} \d{3}\b/,
  /^(?:(?:event|id|retry)?:[^\n]{0,200}\n+){0,20}data:/,
  /^(?:<!doctype html|<html\b)/i,
  /^Ollama is running\s*$/,
]

const TOOLS: readonly RegExp[] = [
  /^(?:[^\n]{0,200}\n){0,4}[^\n]{0,10}(?:\| NVIDIA-SMI |=+ ?(?:NVSMI LOG|ROCm System Management|ROCM-SMI|AMD-?SMI))/i,
  /^(?:NVIDIA-SMI has failed|Failed to initialize NVML|No devices were found|Unable to determine the device handle)/,
  /^GPU \d{1,3}: [^\n]{1,100}\(UUID: /,
  /^(?:index|name|uuid|gpu_name|gpu_uuid|timestamp|pci\.bus_id|pid|memory\.\w+)(?: \[MiB\])?, ?[\w.]{2,40}(?: \[[\w%]+\])?(?:,|\r?\n)/,
  /^[^\n]{0,60}\b(?:nvidia-smi|rocm-smi|amd-smi)\b[^\n]{0,20}: (?:command )?not found/,
  /^\[\s*\{\s*"gpu"\s*:/,
]

function jsonForm(text: string): Form {
  const begin = text.slice(0, LOOKED_AT)
  if (DOCUMENT.test(text)) return 'documents'
  if (/^\{\s*"card\d{1,3}"\s*:/.test(begin)) return 'tool'
  if (LOG_FIELDS.test(begin)) return 'log'
  return ANSWER_FIELDS.test(begin) || isReply(text) ? 'answer' : 'documents'
}

/**
 * An answer of an engine's own API, or JSON by which a server tells of itself or says no: with fields of a reply, and
 * none of a document or of a line of a log.
 */
function isReply(text: string): boolean {
  const json = readJson(text)
  const fields = json.ok ? recordOf(json.value) : null
  if (fields === null) return false
  if (inChat(text) !== null || toldInstead(text) !== null) return true
  const names = Object.keys(fields)
  return names.some((name) => OF_REPLY.has(name)) && !names.some((name) => OF_RECORD.has(name))
}

const OF_REPLY: ReadonlySet<string> = new Set([
  'message',
  'msg',
  'errors',
  'code',
  'status',
  'healthy',
  'success',
  'title',
])
const OF_RECORD: ReadonlySet<string> = new Set([
  ...(['id', 'kind', 'input', 'log', 'command', 'stdout', 'stderr', 'event'] as const),
  ...(['ts', 'time', 'timestamp', '@timestamp', 'asctime', 'logger', 'name'] as const),
])

/** Names of fields stand late where a text before them is long. */
const LOOKED_AT = 16_000

/** `{"id": 1, "kind": "B"`: the fields before hold short texts or figures. */
const DOCUMENT =
  /^\{\s*(?:"[^"\\]{0,40}"\s*:\s*(?:"(?:[^"\\]|\\.){0,400}"|[\w.+-]{1,40})\s*,\s*){0,8}"(?:kind|input)"\s*:/
/** of a log as JSON lines, as Docker, journalctl and many programs write it */
const LOG_FIELDS = /"(?:level|levelname|severity|MESSAGE|__CURSOR)"\s*:|"stream"\s*:\s*"std(?:out|err)"/
const ANSWER_FIELDS =
  /"(?:choices|object|error|detail|meta_info|finish_reason|done|response|tokens_predicted|stop_type|generation_settings)"\s*:/

/** A list begins as no line of a log does; read as documents, it is told what is wrong with it. A bare word or number is a line. */
function isBareJson(text: string): boolean {
  const [first = ''] = text.split('\n', 1)
  return /^\[\s*(?:$|[[{"])/.test(first.trim()) || (first.startsWith('[') && readJson(first).ok)
}

/** A whole document below other lines, as a wrapper prints them. */
function holdsDocument(text: string): boolean {
  return text.split('\n', MOST_LINES).some((line) => WHOLE.test(line))
}

const MOST_LINES = 100
const WHOLE = /^\s*\{(?=.*"kind"\s*:\s*"[A-E]").*"input"\s*:\s*\{/
