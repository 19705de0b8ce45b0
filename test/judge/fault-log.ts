import type { Evidence } from '../../src/domain/finding.ts'
import type { LogWriter } from '../../src/domain/signature.ts'
import { scanText } from '../../src/judge/log/scan.ts'
import { signatures } from '../../src/judge/rules/index.ts'

/** Evidence of a log and of its writer, with whatever else is known besides. */
export function logOf(writer: LogWriter | null, lines: readonly string[], extra: Partial<Evidence> = {}): Evidence {
  return {
    target: { name: 'log', url: '', host: null },
    log: scanText(`${lines.join('\n')}\n`, signatures, writer),
    ...extra,
  }
}

export const READY = '[2026-05-02 09:14:40] The server is fired up and ready to roll!'
/** Weights that went well on a card of 48 GB. */
export const LOADED = [
  '[2026-05-02 09:12:01 TP0] Load weight begin. avail mem=46.90 GB',
  '[2026-05-02 09:12:41 TP0] Load weight end. type=Qwen3ForCausalLM, dtype=torch.bfloat16, avail mem=30.10 GB, mem usage=16.80 GB.',
]
