import type { Evidence, Finding, Rule } from '../../domain/finding.ts'
import type { Sign } from '../../domain/signature.ts'
import { quoted } from '../answer.ts'
import { standing } from '../log/outlived.ts'
import { quotedSign, signsOf } from '../log/signs.ts'
import { quotedTold } from '../told.ts'

/**
 * The kernel killed a process for memory of the host. Sure by the kernel's or systemd's own word; a child that ended with
 * -9 is a hint. `status=9/KILL` alone is none: SGLang ends itself so after any exception, and after a clean stop.
 */
export const hostOom: Rule = {
  codes: ['host.oom'],
  signatures: [
    {
      name: 'oom-kill',
      anchors: [
        'Killed process ',
        'oom-kill',
        'oom_kill',
        'OOM killer',
        'invoked oom-killer',
        'systemd-oomd',
        'OOMKilled',
        'Out of memory: Kill',
      ],
      pattern:
        /(?:[Oo]ut of memory|oom_kill\w*|cgroup out of memory): ?Kill(?:ed)? process (?<pid>\d{1,9})(?: \((?<name>[^)]{1,40})\))?|oom-kill:constraint=|invoked oom-killer|killed by the OOM killer|[Rr]esult:? '?oom-kill|systemd-oomd\S{0,12}:? Killed |"?OOMKilled"?(?:[=:] ?true|$|[",)])|Reason: +OOMKilled/,
      example: 'kernel: Out of memory: Killed process 3121 (sglang::schedul) total-vm:204800000kB, anon-rss:61000000kB',
      nearMiss: 'demo.service: Main process exited, code=killed, status=9/KILL',
    },
    {
      name: 'child-killed',
      anchors: [
        'exit code: -9',
        'exit code -9',
        'Exit code: -9',
        'exitcode: -9',
        'exitcode=-9',
        'exitcode  : -9',
        'signal: killed',
        'Killed',
        'SIGKILL) received',
      ],
      pattern:
        /[Ee]xit ?code {0,2}[:=]? ?-9\b|terminated: signal: killed|^(?:\S{1,60}: line \d{1,6}:\s{1,8}\d{1,9} )?Killed(?:\s{2,40}\S.{0,200})?\s{0,8}$|Signal 9 \(SIGKILL\) received/,
      example: 'RuntimeError: Rank 1 scheduler died during initialization (exit code: -9).',
      nearMiss: 'Subprocess scheduler_0 (pid=77) crashed with exit code -6',
    },
    {
      name: 'host-allocation',
      anchors: [
        "DefaultCPUAllocator: can't allocate memory",
        'DefaultCPUAllocator: not enough memory',
        'std::bad_alloc',
        'Not enough host memory available',
        'Cannot allocate memory',
        'MemoryError',
      ],
      pattern:
        /DefaultCPUAllocator: (?:can't allocate|not enough) memory|std::bad_alloc|Not enough host memory available|(?:\[Errno 12\]|OSError|mmap|fork|torch_).{0,80}Cannot allocate memory|^(?:\S{0,40} )?MemoryError\b/,
      example: 'ValueError: Not enough host memory available. Requesting 120.00 GB but only have 41.20 GB free.',
      nearMiss: 'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.',
    },
    {
      name: 'an-exception',
      anchors: ['Traceback (most recent call last)', 'hit an exception'],
      pattern: /Traceback \(most recent call last\)|hit an exception/,
      example: '[t TP0] Scheduler hit an exception: Traceback (most recent call last):',
      nearMiss: 'a traceback follows below',
    },
  ],
  check(evidence) {
    const words = byWord(evidence)
    const killed = standing(evidence, 'child-killed').find(({ at }) => !isTornDown(evidence, at))
    const [short] = standing(evidence, 'host-allocation')
    if (words.length > 0) return [byKernel(words, killed)]
    if (short !== undefined) return [allocation(short)]
    return killed === undefined ? [] : [byStatus(evidence, killed)]
  },
}

/** SGLang ends all of its processes by SIGKILL after a child told it of an exception; what the shell says of that is no more. */
function isTornDown(evidence: Evidence, at: number): boolean {
  const before = signsOf(evidence, 'wrapper-sigquit', 'wrapper-kill-tree', 'stage-server-args').findLast(
    (sign) => sign.at < at,
  )
  return before !== undefined && before.name !== 'stage-server-args'
}

interface Word {
  readonly quote: string
  readonly victim: string | null
  readonly at?: number
}

/** The kernel's or systemd's own word, in the log, in the kernel's lines, or in what was told. */
function byWord(evidence: Evidence): readonly Word[] {
  const inLog = standing(evidence, 'oom-kill').map((sign) => ({
    quote: quotedSign(sign),
    victim: victimIn(sign.line),
    at: sign.at,
  }))
  const beside = [
    ...(evidence.kernel ?? []).map((line) => ({ line, from: 'kernel' })),
    ...(evidence.told ?? []).map((line) => ({ line, from: 'told' })),
  ].filter(
    ({ line }, index, all) => KERNEL.test(line) && !all.slice(0, index).some((other) => line.includes(other.line)),
  )
  const kernel = beside.map(({ line, from }) => ({
    quote: from === 'told' ? quotedTold(line) : `kernel: ${quoted(line, 240)}`,
    victim: victimIn(line),
  }))
  const unit =
    evidence.unit?.result === 'oom-kill' ? [{ quote: `unit ${evidence.unit.id}: result oom-kill`, victim: null }] : []
  return [...inLog, ...kernel.filter(({ victim }) => victim === null || isEngine(victim)), ...unit].slice(0, 4)
}

const KERNEL =
  /[Oo]ut of memory: ?Killed process|Memory cgroup out of memory|oom-kill:constraint=|invoked oom-killer|killed by the OOM killer|\bOOMKilled\b(?!"?[=:] ?false)|\boom[_ ]?killed: true/

function victimIn(line: string): string | null {
  return /[Kk]ill(?:ed)? process \d{1,9} \(([^)]{1,40})\)/.exec(line)?.[1] ?? null
}

/** The kernel's lines are of the whole host: another program that it killed is no cause. */
function isEngine(name: string): boolean {
  return /sglang|vllm|llama|ollama|python|EngineCore|launch|ray::|tritonserver|text-gen/i.test(name)
}

const MORE = [
  'Give the host or the container more memory: systemctl edit UNIT with MemoryMax=infinity (or more than now), docker --memory, the limit of the pod; or add swap.',
  'Need less of it: one server at a time, SGLang --model-loader-extra-config \'{"num_threads": 1}\', no --cpu-offload-gb, a smaller --hicache-size; on a GPU that shares the memory of the host, a lower --mem-fraction-static.',
]

function byKernel(words: readonly Word[], killed: Sign | undefined): Finding {
  const victim = words.find((word) => word.victim !== null)?.victim ?? null
  return {
    code: 'host.oom',
    verdict: 'misconfigured',
    cause: `The host ran out of memory (RAM, or the limit of its group), and the kernel killed ${victim === null ? 'a process of the server' : victim}.`,
    because: [...words.map(({ quote }) => quote), ...(killed === undefined ? [] : [quotedSign(killed)])],
    remedy: MORE,
    confidence: 'certain',
    excludes: ['the memory of the GPU: the kernel kills for memory of the host only'],
    explains: ['engine.invariant', 'engine.kernel-crash', 'engine.assert', 'state.loading'],
    ...atOf(words.find(({ at }) => at !== undefined)?.at ?? killed?.at),
  }
}

function allocation(sign: Sign): Finding {
  return {
    code: 'host.oom',
    verdict: 'misconfigured',
    cause: 'The host has too little free memory (RAM): an allocation of the server failed.',
    because: [quotedSign(sign)],
    remedy: [
      ...(/hierarchical|KVStore|host memory available/.test(sign.line)
        ? ['Lower the cache on the host: --hicache-size 16 (GB), or --hicache-ratio 1; it keeps 10 GB of the RAM free.']
        : []),
      ...MORE,
    ],
    confidence: 'likely',
    unless: 'a limit of addresses or of locked memory is set (ulimit -v, ulimit -l).',
    missing: ['free -h, and the limit of the group: systemctl show UNIT -p MemoryMax'],
    at: sign.at,
  }
}

/** SGLang kills its own children after an exception: with one above, -9 tells nothing. */
function byStatus(evidence: Evidence, killed: Sign): Finding {
  const after = signsOf(evidence, 'an-exception', 'engine-assertion').some(
    ({ at, line }) => at < killed.at && at > killed.at - 400 && !/died|terminated/.test(line),
  )
  return {
    code: 'host.oom',
    verdict: 'misconfigured',
    cause:
      'A process of the server was killed from outside (SIGKILL); most often the kernel does that when the host runs out of memory (RAM).',
    because: [quotedSign(killed)],
    remedy: ['Look whether the kernel did it: dmesg -T | grep -iE "out of memory|oom". If it did:', ...MORE],
    confidence: after ? 'possible' : 'likely',
    unless: 'a person, a watchdog or a container runtime killed it: then the kernel log is silent.',
    missing: ['dmesg -T | grep -iE "out of memory|oom" of the same minute'],
    // a process that was killed loads no more
    explains: ['state.loading'],
    at: killed.at,
  }
}

function atOf(at: number | undefined): Pick<Finding, 'at'> {
  return at === undefined ? {} : { at }
}
