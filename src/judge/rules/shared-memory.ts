import type { Rule } from '../../domain/finding.ts'
import { standing } from '../log/outlived.ts'
import { quotedSign } from '../log/signs.ts'

/** /dev/shm of a container is 64 MB where nobody says otherwise; NCCL and torch want more. */
export const sharedMemory: Rule = {
  codes: ['container.shm'],
  signatures: [
    {
      name: 'shm-full',
      anchors: [
        '/dev/shm',
        'rror while creating shared memory',
        'out of shared memory',
        'unable to allocate shared memory',
        'posix_fallocate failed',
        'insufficient shared memory',
      ],
      pattern:
        /rror while creating shared memory segment|[Ff]ailed to extend \/dev\/shm\/nccl|(?:might|possible that).{0,40}(?:out of|insufficient) shared memory|unable to allocate shared memory ?\(shm\)|posix_fallocate failed ?: ?No space left|(?:No space left on device|Cannot allocate memory|Bus error).{0,80}\/dev\/shm|\/dev\/shm.{0,160}No space left on device|insufficient shared memory \(shm\)/,
      example:
        'NCCL WARN Error while creating shared memory segment /dev/shm/nccl-Xq81Zk (size 33030528), error: No space left on device (28)',
      nearMiss: 'INFO [shm_broadcast.py:466] No available shared memory broadcast block found in 60 seconds.',
    },
  ],
  check(evidence) {
    const [sign] = standing(evidence, 'shm-full')
    if (sign === undefined) return []
    return [
      {
        code: 'container.shm',
        verdict: 'misconfigured',
        cause:
          'The shared memory of the container (/dev/shm, 64 MB by default) is too small for the ranks of the server.',
        because: [quotedSign(sign)],
        remedy: [
          'Start the container with --ipc=host, or with --shm-size 16g (Compose: ipc: host, or shm_size: 16gb).',
          'Kubernetes: mount an emptyDir with medium: Memory at /dev/shm.',
          'Segments that a killed run left behind count too: look at ls -l /dev/shm and df -h /dev/shm while no server runs.',
        ],
        confidence: 'certain',
        unless: 'df -h /dev/shm shows room: then a limit of memory of the container is reached.',
        explains: ['engine.kernel-crash', 'host.disk-full', 'engine.invariant'],
        at: sign.at,
      },
    ]
  },
}
