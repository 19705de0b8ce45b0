import type { Evidence } from '../../src/domain/finding.ts'
import { scanText } from '../../src/judge/log/scan.ts'
import { signatures } from '../../src/judge/rules/index.ts'

/** Evidence of a log that somebody showed, as one text or as its lines, with what was told besides. */
export function logged(text: string | readonly string[], told: readonly string[] = []): Evidence {
  const whole = typeof text === 'string' ? text : text.join('\n')
  return {
    target: { name: 'log', url: '', host: null },
    log: scanText(`${whole}\n`, signatures),
    ...(told.length === 0 ? {} : { told }),
  }
}

export const READY = '[2026-05-01 10:02:12] The server is fired up and ready to roll!'

/** Logs in which nothing is wrong, for every rule about logs. */
export const ORDINARY: Readonly<Record<string, Evidence>> = {
  'no log': { target: { name: 'log', url: '', host: null } },
  'an empty log': logged(''),
  'a good start': logged([
    "[2026-05-01 10:00:00] server_args=ServerArgs(model_path='/models/qwen', tp_size=2)",
    '[2026-05-01 10:00:01 TP0] Init torch distributed begin.',
    '[2026-05-01 10:00:02 TP0] Load weight begin. avail mem=46.90 GB',
    '[2026-05-01 10:00:42 TP0] Load weight end. type=Qwen3ForCausalLM, dtype=torch.bfloat16, avail mem=30.10 GB, mem usage=16.80 GB.',
    '[2026-05-01 10:02:10] INFO:     Application startup complete.',
    READY,
  ]),
  'a server at work': logged([
    READY,
    '[t TP0] Decode batch. #running-req: 1, #token: 300, token usage: 0.00, gen throughput (token/s): 40.1',
  ]),
}
