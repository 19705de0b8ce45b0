import { expect } from 'vitest'
import { leftBehind } from '../../../src/judge/rules/left-behind.ts'
import { APPS, QUERY, ran, rows, unitOf, WELL } from '../ran.ts'
import { ruleTable } from '../rule-table.ts'

const held = (row = '4242, sglang::scheduler_TP0, 43010\n', state = 'inactive') => ({
  ...ran(APPS, row),
  unit: unitOf(state),
})
const STALE = { code: 'proc.stale-gpu-user', verdict: 'misconfigured', confidence: 'likely' } as const
const says = (words: string) => expect.stringContaining(words)
const facts = (cgroup: string, owner: string) => ({
  pid: 4242,
  ppid: 1,
  start: 1,
  owner,
  state: 'S',
  rssKiB: 1,
  cgroup,
  comm: 'python3',
  argv: [],
})
const live = (cgroup: string, owner = 'llm') => ({
  ...held(),
  gpuProcesses: [{ gpuUuid: null, pid: 4242, name: 'python3', memoryMiB: 43010, facts: facts(cgroup, owner) }],
  unit: unitOf('failed', { controlGroup: '/system.slice/llm.service' }),
})

ruleTable(leftBehind, {
  speaks: {
    'a server': [
      held(),
      {
        ...STALE,
        cause: says('Process 4242 (sglang::scheduler_TP0) still holds 43010 MiB'),
        remedy: [says('Only if it is yours'), says('If it is yours and does not end: kill -9 4242')],
      },
    ],
    'after a failure': [held('4242, python3, 43010\n', 'failed'), STALE],
    several: [
      held('4242, VLLM::Worker_TP0, 43010\n4243, VLLM::Worker_TP1, 43010\n'),
      { ...STALE, cause: says('1 more does so too') },
    ],
    'of a login of the same user': [live('/user.slice/user-0.slice/session-3.scope', 'root'), STALE],
    'in the group of the unit': [live('/system.slice/llm.service'), STALE],
    'nobody has listed them': [
      { ...ran(QUERY, rows('43210, 49140, 0, 41, 22.18, 30')), unit: unitOf('failed') },
      { ...STALE, cause: says('a process of it lives on') },
    ],
    'nobody asked how busy the card is': [
      {
        ...ran(
          'nvidia-smi --query-gpu=index,name,memory.used,memory.total --format=csv,noheader,nounits',
          '0, NVIDIA RTX A6000, 48211, 49140\n',
        ),
        unit: unitOf('failed'),
      },
      { ...STALE, cause: says('48,211 MiB') },
    ],
    'nobody is listed': [
      { ...ran(QUERY, rows('43210, 49140, 0, 41, 22.18, 30')), gpuProcesses: [], unit: unitOf('inactive') },
      { ...STALE, cause: says('43,210 MiB'), missing: [says('fuser')] },
    ],
  },
  silent: {
    'nobody has listed them, and a card works': {
      ...ran(QUERY, rows('43210, 49140, 71, 41, 22.18, 30')),
      unit: unitOf('inactive'),
    },
    'nobody has listed them, and another unit serves': {
      ...ran(QUERY, rows('43210, 49140, 0, 41, 22.18, 30'), { told: ['note: ollama.service active (running)'] }),
      unit: unitOf('inactive'),
    },
    'the unit runs': held('4242, sglang::scheduler_TP0, 43010\n', 'active'),
    'it is on the way down': held('4242, sglang::scheduler_TP0, 43010\n', 'deactivating'),
    'it starts': held('4242, sglang::scheduler_TP0, 43010\n', 'activating'),
    'a desktop': held('1201, /usr/lib/xorg/Xorg, 380\n'),
    'a small context': held('4242, python3, 120\n'),
    'nobody knows the unit': ran(APPS, '4242, sglang::scheduler_TP0, 43010\n'),
    'in a container': {
      ...ran(APPS, '4242, sglang::scheduler_TP0, 43010\n', { place: 'container' }),
      unit: unitOf('inactive'),
    },
    'of a container': live('/system.slice/docker-0123abcd.scope'),
    'of a login of somebody else': live('/user.slice/user-1001.slice/session-3.scope', 'mary'),
    'of another unit': live('/system.slice/ollama.service'),
    'no processes': held(''),
    'no memory in use': { ...ran(QUERY, rows(WELL)), gpuProcesses: [], unit: unitOf('inactive') },
    'another unit is down': { ...held(), unit: unitOf('inactive', { id: 'nvidia-persistenced.service' }) },
  },
})
