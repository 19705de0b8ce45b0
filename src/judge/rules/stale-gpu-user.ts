import type { Evidence, Finding, Rule } from '../../domain/finding.ts'
import type { Sign } from '../../domain/signature.ts'
import type { Foreign } from '../foreign-memory.ts'
import { foreignIn, unevenIn } from '../foreign-memory.ts'
import { momentOf } from '../log/moment.ts'
import { standing } from '../log/outlived.ts'
import { quotedSign, signsOf } from '../log/signs.ts'
import { inGb, numberIn, smallestCard } from '../memory.ts'
import { endOf, GPU_HOLDERS, lookAt } from '../remedies.ts'
import { quotedTold, toldLine } from '../told.ts'
import { isMixed } from './mixed-gpus.ts'

/** A process that nobody needs any more, or one of somebody else, holds memory of a GPU that a start wants. */
export const staleGpuUser: Rule = {
  codes: ['proc.stale-gpu-user'],
  signatures: [
    {
      name: 'unbalanced',
      anchors: ['memory capacity is unbalanced'],
      pattern: /memory capacity is unbalanced/,
      example:
        'RuntimeError: The memory capacity is unbalanced. Some GPUs may be occupied by other processes. min_per_gpu_memory=5.2, local_gpu_memory=46.8',
      nearMiss: 'The memory capacity of both GPUs is balanced',
    },
    {
      name: 'profiling-disturbed',
      anchors: ['Error in memory profiling'],
      pattern: /Error in memory profiling\. .{0,40}nitial free memory/,
      example:
        'AssertionError: Error in memory profiling. Initial free memory 20.1 GiB, current free memory 22.9 GiB. This happens when other processes sharing the same container release GPU memory while vLLM is profiling during initialization.',
      nearMiss: 'Memory profiling takes 4.31 seconds',
    },
    {
      name: 'left-over-process',
      anchors: ['Found left-over process', 'remains running after unit stopped'],
      pattern:
        /Found left-over process (?<pid>\d{1,9}) \((?<name>[^)]{1,40})\)|[Pp]rocess (?<other>\d{1,9}) \((?<title>[^)]{1,40})\) remains running after unit stopped/,
      example:
        'demo.service: Found left-over process 4242 (sglang::schedul) in control group while starting unit. Ignoring.',
      nearMiss: 'Found left-over files in /tmp',
    },
  ],
  check(evidence) {
    const finding =
      uneven(evidence) ??
      orphaned(evidence) ??
      foreign(evidence) ??
      fullFromTheStart(evidence) ??
      disturbed(evidence) ??
      leftOver(evidence)
    return finding === null ? [] : [finding]
  },
}

const EXPLAINED = [
  'mem.static-too-large',
  'mem.static-too-small',
  'mem.cuda-graph',
  'mem.does-not-fit',
  'mem.fraction',
  'mem.kv-too-small',
] as const

function finding(
  words: Pick<Finding, 'cause' | 'because' | 'confidence' | 'at'> & Partial<Finding>,
  pid: string | null,
): Finding {
  return {
    code: 'proc.stale-gpu-user',
    verdict: 'misconfigured',
    remedy: [endOf(pid)],
    explains: EXPLAINED,
    ...words,
  }
}

function uneven(evidence: Evidence): Finding | null {
  const [sign] = standing(evidence, 'unbalanced')
  if (sign === undefined || isMixed(evidence)) return null
  const numbers = unevenIn(sign)
  const holder = holderTold(evidence)
  const amounts = numbers === null ? '' : `: one GPU has ${inGb(numbers.least)} free, another ${inGb(numbers.here)}`
  return finding(
    {
      cause: `A process that was left behind, or somebody else's, holds memory of one of the GPUs${amounts}.`,
      because: [quotedSign(sign), ...(holder === null ? [] : [quotedTold(holder.line)])],
      confidence: holder === null ? 'likely' : 'certain',
      unless:
        'the GPUs are of different sizes: then take those that are alike (CUDA_VISIBLE_DEVICES), or --pp-size in place of --tp-size.',
      ...(holder === null ? { missing: [GPU_HOLDERS] } : {}),
      at: sign.at,
    },
    holder?.pid ?? null,
  )
}

/** Memory was wanted that is not free, and somebody saw who holds it: a process whose parent or unit is gone. */
function orphaned(evidence: Evidence): Finding | null {
  const [sign] = standing(evidence, 'share-not-free', 'memory-too-small', 'memory-no-room', 'memory-out')
  const holder = holderTold(evidence)
  const orphan = holder === null ? null : (toldLine(evidence, ORPHAN) ?? (isUnitDown(evidence) ? holder.line : null))
  if (sign === undefined || holder === null || orphan === null) return null
  return finding(
    {
      cause: `${holder.pid === null ? 'A process' : `Process ${holder.pid}`} that an earlier start left behind holds memory of the GPU, so the share that this start wants is not free.`,
      because: [quotedSign(sign), ...new Set([quotedTold(holder.line), quotedTold(orphan)])],
      confidence: 'likely',
      unless: 'it is a server of somebody else: its owner, age and parent tell.',
      at: sign.at,
    },
    holder.pid,
  )
}

const ORPHAN =
  /\bparent\b.{0,20}\b(?:gone|dead|exited|missing|died)|\bppid\W{0,3}1\b|(?<!\b(?:no|not) (?:an? )?)\b(?:orphan(?:ed)?|left[- ]?over|left behind|stale)\b|(?:\bunit|\.service)\b.{0,30}\b(?:inactive|dead|stopped)\b/i

/** A unit that failed may be the very start that the log is of. */
function isUnitDown({ unit }: Evidence): boolean {
  return unit?.activeState === 'inactive'
}

/** What somebody saw in nvidia-smi: a pid that holds memory. */
function holderTold({ told }: Evidence): { readonly line: string; readonly pid: string | null } | null {
  const line = (told ?? []).find((each) => HOLDER.test(each))
  if (line === undefined) return null
  return {
    line,
    pid: /\bpid\W{0,3}(\d{1,9})/i.exec(line)?.[1] ?? /(\d{2,9}), [^,]{2,60}, \d{2,6}/.exec(line)?.[1] ?? null,
  }
}

const HOLDER =
  /\bpid\W{0,3}\d{1,9}\b.{0,80}(?:Mi?B|Gi?B|\()|(?:Mi?B|Gi?B).{0,80}\bpid\W{0,3}\d{1,9}\b|\d{2,9}, [^,]{2,60}, \d{3,6}(?: Mi?B)?\b/i

function foreign(evidence: Evidence): Finding | null {
  for (const sign of standing(evidence, 'memory-out')) {
    const other = foreignIn(sign)
    if (other !== null && !other.isOther) return maybeItself(sign, other)
    if (other !== null) {
      const who =
        other.pid === null ? 'Something other than this engine' : `Process ${other.pid}, which is not this one,`
      return finding(
        {
          cause: `${who} holds ${inGb(other.held)} of the card's ${inGb(other.total)}; so little was left that the engine ran out of memory.`,
          because: [quotedSign(sign)],
          confidence: 'likely',
          unless: 'it is another rank or the draft of the same server: ps shows its parent.',
          at: sign.at,
        },
        other.pid,
      )
    }
  }
  return null
}

/** The line names one process and does not say what PyTorch itself allocated: nobody is ended on that. */
function maybeItself(sign: Sign, { pid, held, total }: Foreign): Finding {
  return finding(
    {
      cause: `A process that may be the engine itself or another one holds ${inGb(held)} of the card's ${inGb(total)}: the line does not tell, and in a container an engine does not know its own number on the host.`,
      because: [quotedSign(sign)],
      confidence: 'possible',
      remedy: [
        `End nothing on this line. See first who it is, on the host by ${lookAt(pid ?? 'PID')}, and whether the card is empty once this engine is stopped: ${GPU_HOLDERS}.`,
      ],
      missing: ['the whole line: "Of the allocated memory … is allocated by PyTorch"', GPU_HOLDERS],
      at: sign.at,
    },
    pid,
  )
}

/** Of a card that is empty, all but the driver's part is free before the weights. */
const LEAST_FREE = 0.8

function fullFromTheStart(evidence: Evidence): Finding | null {
  const [out] = standing(evidence, 'memory-out', 'memory-too-small', 'memory-no-room')
  const begin = signsOf(evidence, 'memory-weights-begin')[0]
  const [card, free] = [smallestCard(evidence), numberIn(begin?.fields['free'])]
  if (out !== undefined && momentOf(evidence, out) === 'before') return early(out)
  if (out === undefined || begin === undefined || card === null || free === null || free >= LEAST_FREE * card)
    return null
  return finding(
    {
      cause: `Before the first weight only ${inGb(free)} of a card of ${inGb(card)} were free: another process holds the rest.`,
      because: [quotedSign(begin), quotedSign(out)],
      confidence: 'likely',
      missing: [GPU_HOLDERS],
      at: begin.at,
    },
    holderTold(evidence)?.pid ?? null,
  )
}

function early(out: Sign): Finding {
  return finding(
    {
      cause: 'The card was full before the first weight was loaded: another process holds its memory.',
      because: [quotedSign(out)],
      confidence: 'likely',
      missing: [GPU_HOLDERS],
      at: out.at,
    },
    null,
  )
}

function disturbed(evidence: Evidence): Finding | null {
  const [sign] = standing(evidence, 'profiling-disturbed')
  return sign === undefined
    ? null
    : finding(
        {
          cause:
            'Another process gave memory of the GPU back while vLLM measured it: a server that was just stopped had not ended yet.',
          because: [quotedSign(sign)],
          confidence: 'likely',
          remedy: [
            `Wait until the old process has ended and its memory is free (${GPU_HOLDERS}), then start again.`,
            'Where several servers share the card, start them one after the other.',
          ],
          at: sign.at,
        },
        null,
      )
}

/** systemd names a child that survived; of any other unit's shell it says the same, so an engine's title is asked for. */
function leftOver(evidence: Evidence): Finding | null {
  const sign = standing(evidence, 'left-over-process').find(({ fields }) =>
    /sglang|vllm|VLLM|llama|ollama|python/.test(`${fields['name'] ?? ''}${fields['title'] ?? ''}`),
  )
  if (sign !== undefined) {
    const pid = sign.fields['pid'] ?? sign.fields['other'] ?? null
    return finding(
      {
        cause: 'A process of an earlier start lives on in the unit; it holds GPU memory, and maybe the port.',
        because: [quotedSign(sign)],
        confidence: 'likely',
        at: sign.at,
      },
      pid,
    )
  }
  return null
}
