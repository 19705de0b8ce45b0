import type { Evidence } from '../../src/domain/finding.ts'
import { scanText } from '../../src/judge/log/scan.ts'
import { signatures } from '../../src/judge/rules/index.ts'

/** Evidence of a log that somebody shows, and of what is told besides, one `name: value` a line. */
export function shown(lines: string | readonly string[], told: readonly string[] = []): Evidence {
  const text = typeof lines === 'string' ? lines : lines.join('\n')
  return {
    target: { name: 'log', url: '', host: null },
    log: scanText(text, signatures),
    ...(told.length === 0 ? {} : { told }),
  }
}

export const READY = '[t] The server is fired up and ready to roll!'

/** Logs in which nothing is wrong and nothing looks odd. */
export const PLAIN: Readonly<Record<string, Evidence>> = {
  'an ordinary start': shown([
    "[t] server_args=ServerArgs(model_path='/models/qwen', tp_size=2, log_level='error')",
    '[t TP0] Init torch distributed begin.',
    '[t TP0] Load weight begin. avail mem=47.10 GB',
    'Loading safetensors checkpoint shards: 100% Completed | 15/15 [00:21<00:00]',
    '[t TP0] Load weight end. type=Qwen3ForCausalLM, dtype=torch.bfloat16, avail mem=19.80 GB, mem usage=27.02 GB.',
    '[t TP0] KV Cache is allocated. #tokens: 270331, K size: 8.25 GB, V size: 8.25 GB',
    '[t TP0] Capture cuda graph begin. This can take up to several minutes. avail mem=9.20 GB',
    'Capturing batches (bs=1 avail_mem=8.11 GB): 100%|##########| 23/23 [00:09<00:00]',
    '[t] INFO:     Application startup complete.',
    READY,
  ]),
  'a server at work': shown([
    '[t TP0] Prefill batch. #new-seq: 1, #new-token: 12, #cached-token: 0, token usage: 0.00, #running-req: 0',
    '[t TP0] Decode batch, #running-req: 1, #token: 300, token usage: 0.00, gen throughput (token/s): 40.1',
    '[t] INFO:     127.0.0.1:45678 - "POST /v1/chat/completions HTTP/1.1" 200 OK',
  ]),
  'what a person asks, in a log of requests': shown(
    "INFO 10-02 [logger.py:42] Received request chatcmpl-1: prompt: 'ValueError: Not enough memory. What is that?', params: SamplingParams()",
  ),
  'a log of something else': shown([
    'sshd[811]: Accepted publickey for demo from 192.0.2.7 port 51230 ssh2',
    'kernel: usb 1-1: new high-speed USB device number 4 using xhci_hcd',
    'systemd[1]: Started Daily apt download activities.',
  ]),
  'no log': { target: { name: 'log', url: '', host: null } },
}
