import { expect } from 'vitest'
import { staleGpuUser } from '../../../src/judge/rules/stale-gpu-user.ts'
import { LOADED, logOf, READY } from '../fault-log.ts'
import { ruleTable } from '../rule-table.ts'

const says = (words: string) => expect.stringContaining(words)
const first = (words: string) => expect.arrayContaining([says(words)])

const OUT = 'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 520.00 MiB.'
const SHARE =
  'ValueError: Free memory on device cuda:0 (4.11/47.38 GiB) on startup is less than desired GPU memory utilization (0.9, 42.64 GiB).'
const OURS = (allocated: string) =>
  `Of the allocated memory ${allocated} GiB is allocated by PyTorch, and 100.00 MiB is reserved by PyTorch but unallocated.`
const UNEVEN = (least: string, here: string) =>
  `ValueError: The memory capacity is unbalanced. Some GPUs may be occupied by other processes. min_per_gpu_memory=${least}, local_gpu_memory=${here}`

ruleTable(staleGpuUser, {
  speaks: {
    'unequal GPUs, and a holder that was told': [
      logOf('sglang', [UNEVEN('3.1', '47.2')], {
        told: ['nvidia_smi: GPU0 44012MiB used by PID 4242 (old scheduler)'],
      }),
      {
        code: 'proc.stale-gpu-user',
        confidence: 'certain',
        cause: says('3.10 GB free'),
        remedy: [says('kill 4242')],
        because: [says('unbalanced'), says('PID 4242')],
      },
    ],
    'unequal GPUs': [
      logOf('sglang', [UNEVEN('16.28', '46.81')]),
      { confidence: 'likely', missing: [says('nvidia-smi')], unless: says('different sizes') },
    ],
    'a share that is not free, and an orphan that was told': [
      logOf('vllm', [SHARE], { told: ['nvidia_smi: PID 9121 VLLM::EngineCore 43012MiB, parent gone'] }),
      {
        code: 'proc.stale-gpu-user',
        cause: says('Process 9121'),
        remedy: [says('kill 9121')],
        explains: expect.arrayContaining(['mem.fraction']),
      },
    ],
    'a share that is not free, and a holder whose unit is inactive': [
      logOf('sglang', ['RuntimeError: Not enough memory. Please try to increase --mem-fraction-static.'], {
        told: ['gpu_apps: 9121, sglang::scheduler_TP0, 43012 MiB', 'ps: 9121 PPID 1, started 3 days ago'],
      }),
      { confidence: 'likely', because: [says('Not enough memory'), says('9121'), says('PPID 1')] },
    ],
    'another process, by its pid': [
      logOf('vllm', [
        `${OUT} GPU 0 has a total capacity of 47.54 GiB of which 896.00 MiB is free. Process 4242 has 44.01 GiB memory in use. Including non-PyTorch memory, this process has 2.60 GiB memory in use.`,
      ]),
      { cause: says('Process 4242'), remedy: [says('kill 4242')] },
    ],
    'another process beside the engine, which is named by its number on the host': [
      logOf('vllm', [
        `${OUT} GPU 0 has a total capacity of 47.40 GiB of which 200.00 MiB is free. Process 4001 has 40.10 GiB memory in use. Process 4002 has 7.09 GiB memory in use. ${OURS('6.60')}`,
      ]),
      { cause: says('Process 4001'), confidence: 'likely' },
    ],
    'another process, and the engine is not named at all': [
      logOf('vllm', [
        `${OUT} GPU 0 has a total capacity of 47.40 GiB of which 200.00 MiB is free. Process 4001 has 40.10 GiB memory in use. ${OURS('6.60')}`,
      ]),
      {
        cause: says('Process 4001'),
        remedy: [says('See first whose it is, on the host by ps -o pid,ppid,user,lstart,unit,cmd -p 4001')],
      },
    ],
    'one that may be the engine itself': [
      logOf('vllm', [
        `${OUT} GPU 0 has a total capacity of 47.40 GiB of which 200.00 MiB is free. Process 4001 has 46.90 GiB memory in use.`,
      ]),
      { confidence: 'possible', remedy: [expect.not.stringMatching(/\bkill\b/)] },
    ],
    'another process, by what is neither free nor ours': [
      logOf('vllm', [
        `${OUT.replace('torch.OutOfMemoryError', 'RuntimeError')} (GPU 0; 23.69 GiB total capacity; 2.10 GiB already allocated; 310.00 MiB free; 2.30 GiB reserved in total by PyTorch)`,
      ]),
      { cause: says('21.1 GB of the card') },
    ],
    'a card that was full before': [
      logOf('sglang', ['[t] Init torch distributed begin.', OUT]),
      { cause: says('before the first weight') },
    ],
    'little free at the first weight': [
      logOf('sglang', ['[t TP0] Load weight begin. avail mem=4.02 GB', OUT], { told: ['gpu: 48GB'] }),
      { cause: says('4.02 GB of a card of 48.0 GB') },
    ],
    'memory that came back in between': [
      logOf('vllm', [
        'AssertionError: Error in memory profiling. Initial free memory 20.1 GiB, current free memory 22.9 GiB.',
      ]),
      { remedy: first('Wait until') },
    ],
    'a child that systemd found': [
      logOf('systemd', [
        'demo.service: Found left-over process 88121 (sglang::schedul) in control group while starting unit. Ignoring.',
      ]),
      { remedy: [says('kill 88121')] },
    ],
  },
  silent: {
    'cards of different size': logOf('sglang', [UNEVEN('23.16', '47.01')], {
      told: ['gpus: RTX 4090 24GB, RTX A6000 48GB'],
    }),
    'free amounts of idle cards of different size': logOf('sglang', [UNEVEN('23.16', '46.9')]),
    'a share that is not free, and a holder of which nobody knows more': logOf('vllm', [SHARE], {
      told: ['nvidia_smi: PID 9121 VLLM::EngineCore 43012MiB'],
    }),
    'a share that is not free, and a holder that is no leftover': logOf('vllm', [SHARE], {
      told: ['nvidia_smi: PID 9121 VLLM::EngineCore 43012MiB, not stale, parent systemd'],
    }),
    'an orphan beside a good start': logOf('sglang', [...LOADED, READY], {
      told: ['nvidia_smi: PID 9121 sglang::scheduler 43012MiB, parent gone'],
    }),
    'a warning, and a good start': logOf('sglang', [UNEVEN('40.1', '46.8'), ...LOADED, READY]),
    'a context of another process': logOf('vllm', [
      `${OUT} GPU 0 has a total capacity of 23.65 GiB of which 412.00 MiB is free. Process 71230 has 0.30 GiB memory in use. Including non-PyTorch memory, this process has 22.80 GiB memory in use.`,
    ]),
    'the engine itself, by its number on the host': logOf('vllm', [
      `${OUT} GPU 0 has a total capacity of 14.74 GiB of which 548.12 MiB is free. Process 8165 has 14.20 GiB memory in use. ${OURS('13.98')}`,
    ]),
    'the engine itself, beside a small process': logOf('sglang', [
      `${OUT} GPU 0 has a total capacity of 47.40 GiB of which 900.00 MiB is free. Process 4001 has 44.10 GiB memory in use. Process 4002 has 2.40 GiB memory in use. ${OURS('42.60')}`,
    ]),
    'a driver that knows no figure': logOf('vllm', [
      `${OUT} GPU 0 has a total capacity of 23.99 GiB of which 0 bytes is free. Process 4 has 17179869184.00 GiB memory in use. ${OURS('22.90')}`,
    ]),
    'weights on a free card': logOf('sglang', ['[t TP0] Load weight begin. avail mem=46.90 GB', OUT], {
      told: ['gpu: 48GB'],
    }),
    'a child of something else': logOf('systemd', [
      'demo.service: Found left-over process 512 (rotatelogs) in control group while starting unit. Ignoring.',
    ]),
    'at work': logOf('sglang', [...LOADED, READY, OUT]),
    'nobody knows when': logOf(null, [OUT]),
    'no log': logOf(null, []),
  },
})
