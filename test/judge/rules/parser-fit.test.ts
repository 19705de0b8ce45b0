import { expect } from 'vitest'
import type { Evidence } from '../../../src/domain/finding.ts'
import { parserFit } from '../../../src/judge/rules/parser-fit.ts'
import { ruleTable } from '../rule-table.ts'
import { engineOf, evidenceOf } from '../samples.ts'

const on = (engine: Parameters<typeof engineOf>[0], argv: readonly string[] = []): Evidence => ({
  ...evidenceOf({}),
  engine: engineOf(engine),
  argv: ['python', '-m', 'sglang.launch_server', ...argv],
})

ruleTable(parserFit, {
  speaks: {
    'the parser of another family': [
      on({ reasoningParser: 'deepseek-r1' }),
      {
        code: 'parser.reasoning-wrong',
        confidence: 'possible',
        remedy: ['Start the server with --reasoning-parser qwen3.'],
      },
    ],
    'of vLLM': [on({ kind: 'vllm', reasoningParser: 'deepseek_r1' }), { code: 'parser.reasoning-wrong' }],
    'by a flag': [
      on({ reasoningParser: null }, ['--reasoning-parser', 'glm45']),
      {
        because: [
          expect.stringContaining('--reasoning-parser glm45'),
          'known to fit: qwen3',
          expect.stringContaining('source: '),
        ],
      },
    ],
    'a tool parser of another family': [
      on({}, ['--tool-call-parser', 'llama3']),
      { code: 'parser.tool-mismatch', verdict: 'misconfigured' },
    ],
    'an older tool parser of the same maker': [
      on({ loaded: 'deepseek-ai/DeepSeek-V3.2', reasoningParser: null }, ['--tool-call-parser', 'deepseekv3']),
      { remedy: ['Start the server with --tool-call-parser deepseekv32 (SGLang 0.5.6 or newer).'] },
    ],
  },
  silent: {
    'the one that fits': on({}),
    'in another spelling': on({ loaded: 'openai/gpt-oss-20b', reasoningParser: 'gpt_oss' }),
    'found by itself': on({ reasoningParser: 'auto' }, ['--tool-call-parser', 'auto']),
    'another that reads the same marks': on({}, ['--tool-call-parser', 'hermes']),
    'the thinking Qwen3 of July 2025, by its card': on({
      loaded: 'Qwen3-235B-A22B-Thinking-2507',
      reasoningParser: 'deepseek-r1',
    }),
    'none at all': on({ reasoningParser: null }),
    'a model that nobody knows': on({ loaded: 'our-tune', reasoningParser: 'deepseek-r1' }),
    'a family whose parser nobody knows': on({ loaded: 'gemma-3-27b-it', reasoningParser: 'qwen3' }),
    'an engine that needs none': on({ kind: 'llama-cpp', reasoningParser: 'deepseek' }),
    'no engine': evidenceOf({}),
    'no smoke': { target: { name: 'q', url: 'http://x', host: null }, engine: engineOf({ reasoningParser: 'glm45' }) },
  },
})
