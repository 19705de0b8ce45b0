import { expect } from 'vitest'
import { specMamba } from '../../../src/judge/rules/spec-mamba.ts'
import { logOf, READY } from '../fault-log.ts'
import { ruleTable } from '../rule-table.ts'
import { engineOf } from '../samples.ts'

const says = (words: string) => expect.stringContaining(words)
const first = (words: string) => expect.arrayContaining([says(words)])

const NEEDED =
  'ValueError: Speculative decoding for Qwen3_5MoeForConditionalGeneration is not compatible with radix cache when using --mamba-scheduler-strategy no_buffer.To use radix cache with speculative decoding, please use --mamba-scheduler-strategy extra_buffer and set SGLANG_ENABLE_SPEC_V2=1.'

ruleTable(specMamba, {
  speaks: {
    'without a version': [
      logOf('sglang', [NEEDED]),
      {
        cause: says('Qwen3_5MoeForConditionalGeneration'),
        remedy: first(
          '--mamba-scheduler-strategy extra_buffer. Set SGLANG_ENABLE_SPEC_V2=1 beside it up to 0.5.10.post1',
        ),
        missing: [says('version')],
      },
    ],
    '0.5.10': [
      logOf('sglang', [NEEDED], { told: ['engine_version: 0.5.10.post1'] }),
      { remedy: first('Set the variable SGLANG_ENABLE_SPEC_V2=1 beside it: SGLang 0.5.10.post1') },
    ],
    '0.5.11': [
      logOf('sglang', [NEEDED], { engine: engineOf({ version: '0.5.11' }) }),
      { remedy: first('needs no SGLANG_ENABLE_SPEC_V2') },
    ],
    '0.5.14': [
      logOf('sglang', [NEEDED], { engine: engineOf({ version: '0.5.14' }) }),
      { remedy: first('--mamba-radix-cache-strategy extra_buffer. SGLang 0.5.14 knows SGLANG_ENABLE_SPEC_V2 no more') },
    ],
    'the flag that the message names': [
      logOf('sglang', [NEEDED.replaceAll('scheduler', 'radix-cache')]),
      { remedy: first('--mamba-radix-cache-strategy extra_buffer') },
    ],
    'the strategy, and no radix cache': [
      logOf('sglang', ['AssertionError: mamba extra_buffer is not compatible with --disable-radix-cache']),
      { remedy: first('Leave out --disable-radix-cache') },
    ],
  },
  silent: {
    '0.5.9, which only warns': logOf('sglang', [
      'Disabling radix cache since speculative decoding for Qwen3NextForCausalLM is not supported with radix cache when using --mamba-scheduler-strategy no_buffer.',
    ]),
    'the variable is gone': logOf('sglang', ['SGLANG_ENABLE_SPEC_V2 has been removed.']),
    'a start before': logOf('sglang', [NEEDED, READY]),
    speculation: logOf('sglang', ['[t] Decode batch, #running-req: 1, accept len: 2.63, accept rate: 0.54']),
    'the strategy is set': logOf('sglang', ["server_args=ServerArgs(mamba_scheduler_strategy='extra_buffer')"]),
    'a guide': logOf('sglang', ['see --mamba-scheduler-strategy']),
    'no log': logOf(null, []),
  },
})
