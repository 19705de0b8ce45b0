import type { Evidence } from '../domain/finding.ts'
import type { Signature } from '../domain/signature.ts'
import { signsOf } from './log/signs.ts'

/** Flags of a server by their long name in kebab-case, without dashes: `mem-fraction-static` → `0.85`. A switch is `true`. */
export type Flags = ReadonlyMap<string, string>

/**
 * With what a server was started: by the arguments of its process, else by its own log, else as somebody told us. Where
 * one of them says more than another, the first that names a flag counts. `None` and `False` are not set.
 */
export function flagsOf(evidence: Evidence): Flags {
  const told = (evidence.told ?? []).filter((line) => TOLD.test(line)).map((line) => line.replace(TOLD, ''))
  const found = [
    ...told.toReversed().map((line) => flagsIn(wordsOf(line))),
    ...signsOf(evidence, 'flags-command').map(({ fields }) => flagsIn(wordsOf(fields['words'] ?? ''))),
    ...signsOf(evidence, 'flags-vllm').map(({ fields }) => entriesOf(fields['args'] ?? '', DICT_ENTRY)),
    ...signsOf(evidence, 'flags-vllm-engine').map(({ fields }) => entriesOf(fields['args'] ?? '', CALL_ENTRY)),
    ...signsOf(evidence, 'stage-server-args').map(({ fields }) => entriesOf(fields['args'] ?? '', CALL_ENTRY)),
    flagsIn(evidence.argv ?? []),
  ]
  return new Map(found.flat())
}

/** The number that a flag has; null where it is not set or is no number. */
export function numberFlag(flags: Flags, ...names: readonly string[]): number | null {
  for (const name of names) {
    const value = flags.get(name)
    if (value !== undefined && /^-?\d{1,12}(?:\.\d{1,9})?$/.test(value)) return Number(value)
  }
  return null
}

/** How many GPUs share the weights; 1 where nobody says. */
export function tensorParallel(flags: Flags): number {
  return numberFlag(flags, 'tp-size') ?? 1
}

type Entries = readonly (readonly [string, string])[]

const TOLD =
  /^(?:[\w.-]{1,60}\.)?(?:flags?|args?|argv|arguments|cmd|command|cmdline|command_line|launch|exec_?start): /i

/** Other names of the same flag, of all engines. */
const ALIASES: Readonly<Record<string, string>> = {
  tp: 'tp-size',
  'tensor-parallel-size': 'tp-size',
  'tensor-parallel': 'tp-size',
  pp: 'pp-size',
  'pipeline-parallel-size': 'pp-size',
  dp: 'dp-size',
  'data-parallel-size': 'dp-size',
  model: 'model-path',
  m: 'model-path',
  c: 'ctx-size',
  ngl: 'n-gpu-layers',
  'gpu-layers': 'n-gpu-layers',
  fa: 'flash-attn',
  ctk: 'cache-type-k',
  ctv: 'cache-type-v',
  np: 'parallel',
  'speculative-algo': 'speculative-algorithm',
  'mamba-radix-cache-strategy': 'mamba-scheduler-strategy',
}

function named(name: string, value: string): readonly (readonly [string, string])[] {
  const kebab = name.replaceAll('_', '-').toLowerCase()
  if (value === 'None' || value === 'False' || value === 'null') return []
  return [[ALIASES[kebab] ?? kebab, value === 'True' ? 'true' : value]]
}

/** Words as a shell would cut them; quotes are taken off. */
function wordsOf(line: string): readonly string[] {
  return Array.from(line.slice(0, LONGEST).matchAll(WORD), ([word]) => word.replace(/^(['"])(.*)\1$/, '$2'))
}

const LONGEST = 8192
const WORD = /"[^"]*"|'[^']*'|[^\s"']+/g
const FLAG = /^-{1,2}([A-Za-z][\w-]{0,60})(?:=(.*))?$/

function flagsIn(words: readonly string[]): Entries {
  return words.flatMap((word, index) => {
    const [, name, inline] = FLAG.exec(word) ?? []
    if (name === undefined) return []
    if (inline !== undefined) return named(name, inline)
    const next = words[index + 1]
    return named(name, next === undefined || FLAG.test(next) ? 'true' : next)
  })
}

const VALUE = String.raw`'[^']*'|"[^"]*"|\[[^\]]*\]|\{[^}]*\}|[^\s,(){}]+`
/** `tp_size=2, kv_cache_dtype='auto'` */
const CALL_ENTRY = new RegExp(String.raw`\b([a-z][a-z0-9_]{0,60})=(${VALUE})`, 'g')
/** `'max_model_len': 8192` */
const DICT_ENTRY = new RegExp(`'([a-z][a-z0-9_]{0,60})': (${VALUE})`, 'g')

function entriesOf(text: string, entry: RegExp): Entries {
  return Array.from(text.matchAll(entry)).flatMap(([, name = '', value = '']) =>
    named(name, value.replace(/^(['"])(.*)\1$/, '$2')),
  )
}

/** Lines in which a server, or whoever started it, names its flags; SGLang's own is a milestone already. */
export const flagSignatures: readonly Signature[] = [
  {
    name: 'flags-vllm',
    anchors: ['non-default args: {'],
    pattern: /non-default args: \{(?<args>.*)/,
    example: "INFO 05-01 10:00:00 [utils.py:233] non-default args: {'max_model_len': 8192, 'tensor_parallel_size': 2}",
    nearMiss: 'non-default args are not printed',
  },
  {
    name: 'flags-vllm-engine',
    anchors: ['with config: model='],
    pattern: /with config: (?<args>model=.*)/,
    example:
      "Initializing an LLM engine (v0.6.3) with config: model='/models/q', tensor_parallel_size=2, dtype=torch.half",
    nearMiss: 'with config: modelled on the old one',
  },
  {
    name: 'flags-command',
    anchors: ['sglang.launch_server', 'sglang serve', 'vllm serve', 'vllm.entrypoints', 'llama-server'],
    pattern:
      /(?:sglang\.launch_server|sglang serve|vllm serve|vllm\.entrypoints[\w.]*|llama-server) (?<words>.*--?[a-z].*)/,
    example: '$ python -m sglang.launch_server --model-path /models/qwen --tp 2 --mem-fraction-static 0.85',
    nearMiss: 'python -m sglang.launch_server is deprecated',
  },
]
