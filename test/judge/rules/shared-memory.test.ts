import { expect } from 'vitest'
import { sharedMemory } from '../../../src/judge/rules/shared-memory.ts'
import { logOf, READY } from '../fault-log.ts'
import { ruleTable } from '../rule-table.ts'

const says = (words: string) => expect.stringContaining(words)
const first = (words: string) => expect.arrayContaining([says(words)])

ruleTable(sharedMemory, {
  speaks: {
    NCCL: [
      logOf('vllm', [
        'misc/shmutils.cc:132 NCCL WARN Error while creating shared memory segment /dev/shm/nccl-Ab (size 9637888), error: No space left on device (28)',
      ]),
      { remedy: first('--ipc=host') },
    ],
    'older NCCL': [
      logOf('vllm', ['NCCL WARN Call to posix_fallocate failed : No space left on device']),
      { code: 'container.shm' },
    ],
    'a loader of torch': [
      logOf('vllm', [
        "RuntimeError: DataLoader worker (pid 77) is killed by signal: Bus error. It is possible that dataloader's workers are out of shared memory.",
      ]),
      { code: 'container.shm' },
    ],
    torch: [
      logOf('vllm', [
        'RuntimeError: unable to allocate shared memory(shm) for file </torch_91>: No space left on device (28)',
      ]),
      { code: 'container.shm' },
    ],
    'a file': [
      logOf('sglang', ["OSError: [Errno 28] No space left on device: '/dev/shm/psm_8f1'"]),
      { code: 'container.shm' },
    ],
  },
  silent: {
    'a full disk': logOf('vllm', ["OSError: [Errno 28] No space left on device: '/root/.cache/huggingface/x'"]),
    'a busy queue': logOf('vllm', ['INFO No available shared memory broadcast block found in 60 seconds.']),
    'a transport': logOf('vllm', ['NCCL INFO Channel 00 : 0[0] -> 1[1] via SHM/direct /dev/shm']),
    'left objects': logOf('vllm', [
      'UserWarning: resource_tracker: There appear to be 2 leaked shared_memory objects to clean up at shutdown',
    ]),
    'a start before': logOf('sglang', ['Error while creating shared memory segment /dev/shm/nccl-1', READY]),
    'of a kernel': logOf('sglang', ['out of resource: shared memory, Required: 106496, Hardware limit: 101376']),
  },
})
