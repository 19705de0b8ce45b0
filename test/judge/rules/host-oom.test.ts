import { expect } from 'vitest'
import { hostOom } from '../../../src/judge/rules/host-oom.ts'
import { LOADED, logOf, READY } from '../fault-log.ts'
import { ruleTable } from '../rule-table.ts'

const says = (words: string) => expect.stringContaining(words)
const first = (words: string) => expect.arrayContaining([says(words)])

const SIGQUIT = '[t] Received sigquit from a child process. It usually means the child failed.'
const KERNEL = '[8123.1] Out of memory: Killed process 3121 (sglang::schedul) total-vm:310000000kB'

ruleTable(hostOom, {
  speaks: {
    'the kernel, beside the log': [
      logOf('sglang', ['RuntimeError: Rank 0 scheduler died during initialization (exit code: -9).'], {
        kernel: [KERNEL],
        told: [`dmesg: ${KERNEL}`],
      }),
      {
        confidence: 'certain',
        cause: says('killed sglang::schedul'),
        because: [says('kernel: “[8123.1] Out of memory'), says('exit code: -9')],
        excludes: [says('GPU')],
      },
    ],
    'the kernel, as somebody told': [
      logOf('sglang', ['exit code: -9'], { told: [`dmesg: ${KERNEL}`] }),
      { confidence: 'certain', because: [says('told: dmesg'), says('-9')] },
    ],
    systemd: [
      logOf('systemd', [
        'demo.service: A process of this unit has been killed by the OOM killer.',
        "demo.service: Failed with result 'oom-kill'.",
      ]),
      { confidence: 'certain', remedy: first('MemoryMax') },
    ],
    systemctl: [logOf('systemd', ['     Active: failed (Result: oom-kill) since Sat']), { confidence: 'certain' }],
    'a container': [logOf('vllm', ['started'], { told: ['state.OOMKilled: true'] }), { confidence: 'certain' }],
    'a child with -9': [
      logOf('vllm', ['Engine core proc EngineCore_0 died unexpectedly, exit code -9, shutting down client.']),
      { confidence: 'likely', missing: [says('dmesg')] },
    ],
    'a child of a shell': [
      logOf('sglang', [
        'Loading safetensors checkpoint shards:  40% Completed | 6/15',
        'run.sh: line 3:  4711 Killed                  python -m x',
      ]),
      { confidence: 'likely', explains: ['state.loading'] },
    ],
    'a child with -9 after an exception': [
      logOf('sglang', [
        '[t] Scheduler hit an exception: Traceback (most recent call last):',
        'ValueError: x',
        'exit code: -9',
      ]),
      { confidence: 'possible' },
    ],
    'a start that was killed, after one that ended itself': [
      logOf('sglang', [
        SIGQUIT,
        'Killed',
        "[t] server_args=ServerArgs(model_path='/srv/models/demo', tp_size=2)",
        'Loading safetensors checkpoint shards:  40% Completed | 6/15',
        'run.sh: line 3:  4711 Killed                  python -m x',
      ]),
      { confidence: 'likely', because: [says('line 5')] },
    ],
    'a check that failed, and a kill': [
      logOf('sglang', ['AssertionError: fp8 tensor core is not supported in fa2 backend', 'Killed']),
      { confidence: 'possible' },
    ],
    'a cache on the host': [
      logOf('sglang', [
        'ValueError: Not enough host memory available. Requesting 120.00 GB but only have 41.20 GB free. Please reduce the size of the hierarchical cache.',
      ]),
      { remedy: first('--hicache-size') },
    ],
    'an allocation': [
      logOf('vllm', [
        "RuntimeError: [enforce fail at alloc_cpu.cpp:118] err == 0. DefaultCPUAllocator: can't allocate memory: you tried to allocate 268435456 bytes.",
      ]),
      { confidence: 'likely' },
    ],
  },
  silent: {
    'status 9 alone': logOf('systemd', [
      'demo.service: Main process exited, code=killed, status=9/KILL',
      "demo.service: Failed with result 'signal'.",
    ]),
    'SGLang, which ends itself': logOf('sglang', [SIGQUIT, 'Killed']),
    'SGLang, which ends itself after an exception': logOf('sglang', [
      '[t TP0] Scheduler hit an exception: Traceback (most recent call last):',
      SIGQUIT,
      'Killed',
    ]),
    'SGLang, which ends its tree': logOf('sglang', [
      '[t] kill_process_tree called: parent_pid=4242, include_parent=True, pid=4242',
      'run.sh: line 3:  4711 Killed                  python -m x',
    ]),
    'another exit code': logOf('sglang', ['Subprocess scheduler_0 (pid=77) crashed with exit code -6']),
    'another program that the kernel killed': logOf('sglang', [...LOADED, READY], {
      kernel: ['Out of memory: Killed process 771 (firefox) total-vm:9000000kB'],
    }),
    'a start before': logOf('sglang', ['exit code: -9', READY]),
    'a container that was not': logOf('vllm', [], { told: ['state.OOMKilled: false'] }),
    'the GPU': logOf('vllm', ['torch.OutOfMemoryError: CUDA out of memory.']),
    'the pools': logOf('sglang', ['RuntimeError: Not enough memory. Please try to increase --mem-fraction-static.']),
    advice: logOf('sglang', ['a common cause is the OS OOM killer? see the guide'.replace('OOM killer', 'oom-killer')]),
    'a word': logOf(null, ['Killed requests: 0']),
    'a stop': logOf('systemd', ['Stopped demo.service - LLM server.']),
    'no log': logOf(null, []),
  },
})
