import { expect } from 'vitest'
import { engineHangInLog } from '../../../src/judge/rules/engine-hang-in-log.ts'
import { logged, ORDINARY } from '../logged.ts'
import { ruleTable } from '../rule-table.ts'

const hang = { code: 'engine.hang', verdict: 'broken', confidence: 'likely' } as const
const WATCHDOG = '[t TP0] Scheduler watchdog timeout (self.watchdog_timeout=300, self.soft=False)'
const SILENT =
  "[t] Health check failed. Server couldn't get a response from detokenizer for last 20 seconds. tic start time: 10:00:00."

const WAITS =
  'INFO 05-01 10:31:40 [shm_broadcast.py:501] No available shared memory broadcast block found in 60 seconds. This typically happens when some processes are hanging or doing some time-consuming work'
const IDLE =
  'DEBUG 05-01 10:31:40 [shm_broadcast.py:430] No available shared memory broadcast block found in 60 second.'
const VLLM_READY = 'INFO:     Application startup complete.'
const POSTED = 'INFO:     127.0.0.1:51000 - "POST /v1/chat/completions HTTP/1.1" 200 OK'
const VLLM_WORK =
  'INFO 05-01 10:30:02 [loggers.py:127] Engine 000: Avg prompt throughput: 12.0 tokens/s, Avg generation throughput: 40.1 tokens/s, Running: 1 reqs, Waiting: 0 reqs'
const VLLM_DONE =
  'INFO 05-01 10:30:12 [loggers.py:127] Engine 000: Avg prompt throughput: 0.0 tokens/s, Avg generation throughput: 4.1 tokens/s, Running: 0 reqs, Waiting: 0 reqs'

ruleTable(engineHangInLog, {
  speaks: {
    'the watchdog of SGLang': [
      logged(WATCHDOG),
      { ...hang, remedy: expect.arrayContaining([expect.stringContaining('every rank')]) },
    ],
    'a collective that never ended, before the watchdog': [
      logged([
        '[rank1]:[E ProcessGroupNCCL.cpp:632] [Rank 1] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=81, OpType=ALLGATHER, Timeout(ms)=600000)',
        WATCHDOG,
      ]),
      { ...hang, cause: expect.stringContaining('ALLGATHER'), because: [expect.stringContaining('log line 1')] },
    ],
    'a worker of vLLM': [
      logged('TimeoutError: RPC call to sample_tokens timed out.'),
      { ...hang, cause: expect.stringContaining('sample_tokens') },
    ],
    'a rank that never came': [
      logged('torch.distributed.DistStoreError: Timed out after 601 seconds waiting for clients. 1/2 clients joined.'),
      hang,
    ],
    'a health check without an answer': [
      logged(SILENT),
      { code: 'engine.hang', verdict: 'inconclusive', confidence: 'possible', missing: [expect.any(String)] },
    ],
    'workers of vLLM that wait, at work': [
      logged([VLLM_READY, VLLM_WORK, WAITS, WAITS, WAITS]),
      {
        code: 'engine.hang',
        verdict: 'inconclusive',
        confidence: 'likely',
        cause: expect.stringContaining('3 times for 60 s'),
        unless: expect.stringContaining('idle'),
      },
    ],
    'workers that wait after a request that was answered, without a line of throughput': [
      logged([VLLM_READY, POSTED, WAITS, WAITS, '"GET /health HTTP/1.1" 200 OK']),
      { code: 'engine.hang', verdict: 'inconclusive', confidence: 'possible' },
    ],
    'workers that wait at a request that came after the answered one': [
      logged([VLLM_READY, POSTED, VLLM_WORK, WAITS, WAITS]),
      { code: 'engine.hang', confidence: 'likely' },
    ],
    'both: only the watchdog speaks': [logged([SILENT, WATCHDOG]), hang],
  },
  silent: {
    ...ORDINARY,
    'a watchdog that only remarks': logged(
      '[t TP0] Scheduler watchdog timeout (self.soft_watchdog_timeout=60, self.soft=True)',
    ),
    'a health check during a long prompt': logged([SILENT, '[t TP0] Prefill batch. #new-seq: 1, #new-token: 8192']),
    'an ordered stop': logged([
      '[t] SIGTERM received. 2 requests left. Draining requests and shutting down...',
      'TimeoutError: RPC call to execute_model timed out.',
    ]),
    'workers that idle, in a log of every detail': logged([VLLM_READY, VLLM_WORK, IDLE, IDLE, IDLE]),
    'workers of vLLM that nobody asks': logged([VLLM_READY, VLLM_WORK, VLLM_DONE, WAITS, WAITS]),
    'workers that waited once': logged([VLLM_READY, VLLM_WORK, WAITS]),
    'workers that waited, and went on': logged([VLLM_READY, WAITS, WAITS, VLLM_WORK]),
    'workers that wait while kernels compile': logged(['INFO Starting to load model demo', WAITS, WAITS, WAITS]),
    'a remark of vLLM during a long start': logged(
      'INFO [shm_broadcast.py:466] No available shared memory broadcast block found in 60 seconds.',
    ),
    'the setting of a watchdog': logged('[t] watchdog_timeout=300'),
  },
})
