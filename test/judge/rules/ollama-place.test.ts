import { expect } from 'vitest'
import { ollamaPlace } from '../../../src/judge/rules/ollama-place.ts'
import { logged, ORDINARY } from '../logged.ts'
import { ruleTable } from '../rule-table.ts'

const HEAD = 'NAME          ID              SIZE     PROCESSOR          UNTIL'
const NONE = 'time=t level=INFO source=gpu.go:377 msg="no compatible GPUs were discovered"'
const SERVED = '[GIN] 2026/05/01 - 10:04:51 | 200 |  2m14s |       127.0.0.1 | POST     "/api/chat"'
const GIVEN_UP =
  'time=t level=ERROR source=sched.go:489 msg="error loading llama server" error="timed out waiting for llama runner to start'

const ON_GPU = 'qwen3:8b                   500a1f067a9f    6.5 GB    100% GPU     4096       4 minutes from now'
const EMBEDS = 'nomic-embed-text:latest    0a109f422b47    595 MB    100% CPU     2048       4 minutes from now'
const SPLIT = 'qwen3:32b   e1c9f234c6eb    28 GB    41%/59% CPU/GPU    4 minutes from now'
const ALL_GPU = 'qwen3:32b   e1c9f234c6eb    21 GB    100% GPU     4 minutes from now'

ruleTable(ollamaPlace, {
  speaks: {
    'a model that was on the GPU, and is on both now': [
      logged([HEAD, ALL_GPU, HEAD, SPLIT]),
      { code: 'mem.does-not-fit', because: [expect.stringContaining('log line 4')] },
    ],
    'a model on both beside one on the GPU': [logged([HEAD, ON_GPU, SPLIT]), { code: 'mem.does-not-fit' }],
    'a model on both': [
      logged([HEAD, 'qwen3:32b     e1c9f234c6eb    28 GB    41%/59% CPU/GPU    4 minutes from now']),
      {
        code: 'mem.does-not-fit',
        verdict: 'degraded',
        confidence: 'certain',
        cause: expect.stringContaining('41 % of it on the processor, 59 % on the GPU'),
        remedy: expect.arrayContaining([expect.stringContaining('OLLAMA_CONTEXT_LENGTH')]),
      },
    ],
    'a model on the processor': [
      logged([HEAD, 'qwen3:8b      500a1f067a9f    6.5 GB    100% CPU    4 minutes from now']),
      { code: 'state.up-unverified', verdict: 'inconclusive', confidence: 'possible' },
    ],
    'no card that it can use': [
      logged([NONE, SERVED]),
      { code: 'state.up-unverified', verdict: 'inconclusive', cause: expect.stringContaining('on the processor') },
    ],
    'a client that went away': [
      logged([
        `${GIVEN_UP}: context canceled"`,
        '[GIN] 2026/05/01 - 10:09:51 | 500 |  5m0s |       127.0.0.1 | POST     "/api/chat"',
      ]),
      { code: 'state.loading', verdict: 'not-ready', cause: expect.stringContaining('The client ended its request') },
    ],
    'a load that stood still': [
      logged(`${GIVEN_UP} - progress 0.28 - "`),
      {
        code: 'engine.hang',
        verdict: 'broken',
        cause: expect.stringContaining('28 % was read'),
        remedy: expect.arrayContaining([expect.stringContaining('OLLAMA_LOAD_TIMEOUT=15m')]),
      },
    ],
  },
  silent: {
    ...ORDINARY,
    'a model on the GPU': logged([HEAD, 'qwen3:8b      500a1f067a9f    6.5 GB    100% GPU    4 minutes from now']),
    'another model on the processor': logged([HEAD, ON_GPU, EMBEDS]),
    'a model that was on both, and is on the GPU now': logged([HEAD, SPLIT, HEAD, ALL_GPU]),
    'a load that came later': logged([`${GIVEN_UP}: context canceled"`, SERVED]),
    'a load that goes on': logged(
      'time=t level=INFO source=server.go:637 msg="waiting for llama runner to start responding"',
    ),
    top: logged('  PID USER      100% CPU'),
    'a card': logged('time=t level=INFO source=types.go:131 msg="inference compute" id=GPU-1 library=cuda variant=v12'),
    'no model loaded': logged(HEAD),
  },
})
