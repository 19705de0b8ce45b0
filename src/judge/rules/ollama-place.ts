import type { Evidence, Finding, Rule } from '../../domain/finding.ts'
import type { Sign } from '../../domain/signature.ts'
import { lastSign, quotedSign, signsOf } from '../log/signs.ts'
import { gpuLayers, ollamaGpu } from './wrong-build-signs.ts'

/** Where Ollama computes by its own words: on a card, on the processor, or on both; and a load that it gave up. */
export const ollamaPlace: Rule = {
  codes: ['state.up-unverified', 'mem.does-not-fit', 'state.loading', 'engine.hang'],
  signatures: [
    {
      name: 'ollama-split',
      anchors: ['% CPU/GPU'],
      pattern:
        /^(?<model>\S{1,120})\s+[0-9a-f]{12}\s+(?<size>[\d.]{1,8} [KMGT]B)\s+(?<cpu>\d{1,2})%\/(?<gpu>\d{1,2})% CPU\/GPU\b/,
      example: 'qwen3:32b     e1c9f234c6eb    28 GB    41%/59% CPU/GPU    4 minutes from now',
      nearMiss: 'qwen3:32b     e1c9f234c6eb    28 GB    100% GPU    4 minutes from now',
    },
    {
      name: 'ollama-all-cpu',
      anchors: ['100% CPU'],
      pattern: /^(?<model>\S{1,120})\s+[0-9a-f]{12}\s+(?<size>[\d.]{1,8} [KMGT]B)\s+100% CPU\b/,
      example: 'qwen3:8b      500a1f067a9f    6.5 GB    100% CPU    4 minutes from now',
      nearMiss: 'top: 100% CPU',
    },
    {
      name: 'ollama-all-gpu',
      anchors: ['100% GPU'],
      pattern: /^(?<model>\S{1,120})\s+[0-9a-f]{12}\s+(?<size>[\d.]{1,8} [KMGT]B)\s+100% GPU\b/,
      example: 'qwen3:8b      500a1f067a9f    6.5 GB    100% GPU     4 minutes from now',
      nearMiss: 'nvtop: 100% GPU',
    },
    {
      name: 'ollama-load-given-up',
      anchors: ['timed out waiting for llama runner to start'],
      pattern:
        /timed out waiting for llama runner to start(?:: (?<left>context canceled|context deadline exceeded)| - progress (?<progress>[\d.]{1,6}))?/,
      example:
        'time=t level=ERROR source=sched.go:489 msg="error loading llama server" error="timed out waiting for llama runner to start: context canceled"',
      nearMiss: 'time=t level=INFO msg="waiting for llama runner to start responding"',
    },
  ],
  check(evidence) {
    const split = lastRows(evidence).find(({ name }) => name === 'ollama-split')
    if (split !== undefined) return [shared(split)]
    const given = lastSign(evidence, 'ollama-load-given-up')
    const isUp = signsOf(evidence, 'stage-ready', 'stage-serving').some(({ at }) => at > (given?.at ?? 0))
    if (given !== null && !isUp) return [givenUp(given)]
    const [cpu] = signsOf(evidence, 'ollama-all-cpu', 'ollama-cpu')
    return cpu === undefined || evidence.smoke !== undefined || usesGpu(evidence) ? [] : [onCpu(cpu)]
  },
}

/** Of each model the row that `ollama ps` showed last: before it the model may have been loaded otherwise. */
function lastRows(evidence: Evidence): readonly Sign[] {
  const rows = signsOf(evidence, 'ollama-split', 'ollama-all-cpu', 'ollama-all-gpu')
  const modelOf = ({ fields }: Sign) => fields['model']
  return rows.filter((row) => rows.findLast((other) => modelOf(other) === modelOf(row)) === row)
}

/** Also where another model is on the card: Ollama found one then. */
function usesGpu(evidence: Evidence): boolean {
  return signsOf(evidence, gpuLayers.name, ollamaGpu.name, 'ollama-all-gpu', 'ollama-split').length > 0
}

function shared(sign: Sign): Finding {
  const { model = 'the model', size = '', cpu = '', gpu = '' } = sign.fields
  return {
    code: 'mem.does-not-fit',
    verdict: 'degraded',
    cause: `${model} (${size}) does not fit the memory that is free on the GPU: Ollama computes ${cpu} % of it on the processor, ${gpu} % on the GPU, which is many times slower.`,
    because: [quotedSign(sign)],
    remedy: [
      'Ask for less memory: a smaller context (OLLAMA_CONTEXT_LENGTH=4096, or num_ctx of the request), OLLAMA_NUM_PARALLEL=1, OLLAMA_FLASH_ATTENTION=1 with OLLAMA_KV_CACHE_TYPE=q8_0; set them by systemctl edit ollama, then restart it.',
      'Free the card: ollama ps and nvidia-smi show what else is on it; ollama stop NAME puts another model out.',
      'Or take a smaller model, or a smaller quantisation of this one.',
    ],
    confidence: 'certain',
    unless: 'num_gpu was set for this model: then it says how many layers go to the GPU, whatever is free.',
    explains: ['log.need-more'],
    at: sign.at,
  }
}

/** The client that waited went away; or nothing of the model was read for as long as Ollama waits. */
function givenUp(sign: Sign): Finding {
  const { left, progress } = sign.fields
  const base = { because: [quotedSign(sign)], confidence: 'likely', at: sign.at } as const
  if (left !== undefined)
    return {
      ...base,
      code: 'state.loading',
      verdict: 'not-ready',
      cause: 'The client ended its request while Ollama still loaded the model, so the load was given up with it.',
      remedy: [
        'Load it beforehand and keep it: ollama run --keepalive 24h NAME "" (or OLLAMA_KEEP_ALIVE=-1), and wait until ollama ps lists it.',
        'Give the client, and a proxy between, a longer time-out than the load takes.',
        'See why it takes so long: a model larger than the free memory, a slow disk or network share (iostat -x 5 in the meantime).',
      ],
      unless: 'the load hangs: then ollama run gets no further either, and journalctl -u ollama names the last step.',
      explains: ['log.need-more', 'state.up-unverified'],
    }
  return {
    ...base,
    code: 'engine.hang',
    verdict: 'broken',
    cause: `Ollama gave the load of the model up: nothing of it went on for as long as it waits (5 minutes, or OLLAMA_LOAD_TIMEOUT)${progress === undefined ? '' : `; ${Math.round(100 * Number(progress))} % was read`}.`,
    remedy: [
      'See what it waits for: a slow disk or network share (iostat -x 5), memory that is swapped (free -h, vmstat 5), a GPU that does not answer (nvidia-smi, dmesg -T | grep -i xid).',
      'Where it is only slow: OLLAMA_LOAD_TIMEOUT=15m by systemctl edit ollama, then restart it.',
      'Where it stays at the same step: a smaller context or model; OLLAMA_DEBUG=1 shows the step.',
    ],
    unless: 'the disk is only slow: then a longer OLLAMA_LOAD_TIMEOUT gets through.',
    explains: ['log.need-more', 'state.up-unverified'],
  }
}

/** Without a word about a card nobody knows whether one is there; who tells of one gets another rule. */
function onCpu(sign: Sign): Finding {
  return {
    code: 'state.up-unverified',
    verdict: 'inconclusive',
    cause:
      'Ollama found no GPU that it can use: it computes on the processor, many times slower. Whether the machine has a card, these lines do not say.',
    because: [quotedSign(sign)],
    remedy: [
      'See whether there is a card: lspci | grep -iE "vga|3d|display"; then nvidia-smi (AMD: rocm-smi), in a container inside it.',
      'Where there is one: install its driver, in a container start with --gpus all (AMD: --device /dev/kfd --device /dev/dri), see that CUDA_VISIBLE_DEVICES does not hide it; then restart Ollama, which looks for cards only when it starts.',
      'Where there is none: it works as it can. Take a small model (ollama ps shows "100% CPU").',
    ],
    confidence: 'possible',
    missing: ['whether a GPU is there: lspci, nvidia-smi', 'an answer of the model'],
  }
}
