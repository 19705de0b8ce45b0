import type { Evidence, Rule } from '../../domain/finding.ts'
import { flagsOf, numberFlag } from '../flags.ts'
import { isIdleCard, kindsOfCards, unevenIn } from '../foreign-memory.ts'
import { standing } from '../log/outlived.ts'
import { quotedSign, signsOf } from '../log/signs.ts'
import { inGb } from '../memory.ts'

/** Tensor parallel over GPUs of different size or kind: the smallest decides, and some engines refuse. */
export const mixedGpus: Rule = {
  codes: ['config.mixed-gpus'],
  signatures: [
    {
      name: 'different-devices',
      anchors: ['Detected different devices in the system'],
      pattern: /Detected different devices in the system:\s+(?<names>[^.]{3,400})\./,
      example:
        'WARNING [cuda.py:394] Detected different devices in the system: NVIDIA GeForce RTX 4090, NVIDIA GeForce RTX 3060. Please make sure to set `CUDA_DEVICE_ORDER=PCI_BUS_ID` to avoid unexpected behavior.',
      nearMiss: 'Detected devices in the system: NVIDIA H100',
    },
  ],
  check(evidence) {
    if (!isMixed(evidence)) return []
    const names = sizesOf(evidence).size > 1 ? ['unbalanced', 'memory-out', 'memory-too-small'] : ['unbalanced']
    const [sign] = standing(evidence, ...names)
    const [warning] = standing(evidence, 'different-devices')
    const shown = sign ?? warning
    const shares = sharersOf(evidence)
    const isShared = sign?.name === 'unbalanced' || (shares ?? 1) > 1
    if (shown === undefined || !(isShared || (warning !== undefined && shares === null))) return []
    const kinds = kindsOfCards(evidence)
    const sizes = unevenIn(shown)
    const free = sizes === null ? '' : ` (${inGb(sizes.least)} and ${inGb(sizes.here)} free)`
    return [
      {
        code: 'config.mixed-gpus',
        verdict: 'misconfigured',
        cause: `Tensor parallel over GPUs that are not alike${free}: every card takes the same share, so the smallest decides.`,
        because: [
          ...(warning === undefined || warning === shown ? [] : [quotedSign(warning)]),
          quotedSign(shown),
          ...(kinds.length > 1 ? [`GPUs: ${kinds.slice(0, 8).join(', ')}`] : []),
        ],
        remedy: [
          'Take only cards that are alike: CUDA_DEVICE_ORDER=PCI_BUS_ID CUDA_VISIBLE_DEVICES=0,1 with the numbers that nvidia-smi -L gives them, and --tp-size to fit.',
          'Or split by layers in place of tensors: --pp-size 2 --tp-size 1 (vLLM --pipeline-parallel-size 2); llama.cpp takes unequal parts (--tensor-split 24,48).',
          'SGLang starts all the same with SGLANG_ENABLE_TP_MEMORY_INBALANCE_CHECK=0 (before: SGL_DISABLE_TP_MEMORY_INBALANCE_CHECK=1); then the smallest card limits the KV cache of all.',
        ],
        confidence: sign !== undefined && isShared ? 'likely' : 'possible',
        unless: 'one of them is only occupied by another process: nvidia-smi lists it.',
        explains: ['mem.static-too-large', 'mem.static-too-small', 'mem.does-not-fit', 'mem.cuda-graph'],
        at: shown.at,
      },
    ]
  },
}

/** How many cards share the weights; null where nobody says. */
function sharersOf(evidence: Evidence): number | null {
  return numberFlag(flagsOf(evidence), 'tp-size') ?? evidence.engine?.tensorParallel ?? null
}

/** By names and sizes of the cards, or by free amounts that are those of idle cards of different sizes. */
export function isMixed(evidence: Evidence): boolean {
  if (kindsOfCards(evidence).length > 1 || sizesOf(evidence).size > 1) return true
  return signsOf(evidence, 'unbalanced').some((sign) => {
    const free = unevenIn(sign)
    return free !== null && isIdleCard(free.least) && isIdleCard(free.here) && !tellsHolder(evidence)
  })
}

function tellsHolder({ told, gpuProcesses }: Evidence): boolean {
  return (gpuProcesses ?? []).length > 0 || (told ?? []).some((line) => /\bpid\b|process|used by/i.test(line))
}

/** GiB of the cards, rounded, as a tool or somebody says them. */
function sizesOf({ gpus, told }: Evidence): ReadonlySet<number> {
  const seen = (gpus?.cards ?? []).flatMap(({ memoryTotalMiB }) =>
    memoryTotalMiB === null ? [] : [Math.round(memoryTotalMiB / 1024)],
  )
  const said = (told ?? [])
    .filter(
      (line) =>
        /^(?:[\w.]{1,60}\.)?(?:gpus?|cards?|hardware): /i.test(line) &&
        !/\bfree\b|\bused\b|\btotal\b|\bram\b|\bof\b|\bmodel\b/i.test(line),
    )
    .flatMap((line) => Array.from(line.matchAll(/(\d{1,3})\s?Gi?B\b/gi), ([, size]) => Number(size)))
  return new Set([...seen, ...said])
}
