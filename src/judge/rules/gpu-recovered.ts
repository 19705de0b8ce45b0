import type { Rule } from '../../domain/finding.ts'
import type { Recovery } from '../gpu/amd-reset.ts'
import { recovered } from '../gpu/amd-reset.ts'
import { heardOfAmd, quotes } from '../gpu/heard.ts'

/** A job hung on an AMD card, and the driver brought the card back: what ran the job is broken, the card is not. */
export const gpuRecovered: Rule = {
  codes: ['engine.kernel-crash'],
  check(evidence) {
    const recovery = recovered(evidence)
    if (recovery === null) return []
    const owner = heardOfAmd(evidence, PROCESS)
    const [, name = null, pid = null] = PROCESS.exec(owner?.line ?? '') ?? []
    // what hangs a desktop is no engine's
    if (name !== null && !ENGINE.test(name)) return []
    return [
      {
        code: 'engine.kernel-crash',
        verdict: 'broken',
        cause: `${name === null ? 'A job' : `A job of ${name} (process ${pid})`} hung on the GPU${often(recovery)}; the driver reset it and the card is back. The job is lost, the card is not.`,
        because: quotes(recovery.hung, owner, recovery.back),
        remedy: [
          'Restart the engine and run a smoke: what it had on the card may be gone, even where it still answers /health.',
          'If it comes back: smaller batches (llama.cpp -ub 256), another backend (ROCm in place of Vulkan, or the other way), a newer kernel and linux-firmware, one at a time.',
          'Where one long computation is all that it takes: a longer limit by the kernel parameter amdgpu.lockup_timeout=60000 (ms).',
        ],
        confidence: 'likely',
        unless:
          'it hangs under other programs too: then power supply, heat and memory of the card are the suspects (dmesg -T | grep -i amdgpu).',
        excludes: ['a card that needs a reset: it had one, which succeeded'],
        explains: ['log.need-more', 'engine.hang'],
        at: recovery.hung.at,
      },
    ]
  },
}

const PROCESS = /\b[Pp]rocess (?:information: process )?(?!information)(\S{1,40}) pid (\d{1,9})/
// by the names that engines give themselves: many a game has an engine, a server or workers too
const ENGINE =
  /\b(?:VLLM::|vllm|EngineCore|sglang|llama|ollama|python|pt_main_thread|ray::|torch|text-generation|koboldcpp|tabby|whisper|comfy|lms\b)/i

function often({ times }: Recovery): string {
  return times > 1 ? ` ${times} times` : ''
}
