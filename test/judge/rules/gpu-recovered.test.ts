import { expect } from 'vitest'
import { gpuRecovered } from '../../../src/judge/rules/gpu-recovered.ts'
import { QUERY, ran, rows, WELL } from '../ran.ts'
import { ruleTable } from '../rule-table.ts'

const says = (words: string) => expect.stringContaining(words)
const line = (words: string) => `[812.104] amdgpu 0000:c2:00.0: ${words}`
const kernel = (...lines: readonly string[]) => ran('dmesg | tail', `${lines.map(line).join('\n')}\n`)

const HUNG = 'ring gfx_0.0.0 timeout, signaled seq=166926, emitted seq=166928'
const OWNER = ' Process llama-server pid 12519 thread llama-server pid 12519'
const FAULT = 'amdgpu: GPU fault detected: 146 0x0000480c for process python pid 812 thread python pid 812'
const BACK = 'Ring gfx_0.0.0 reset succeeded'

ruleTable(gpuRecovered, {
  speaks: {
    'a ring that was reset': [
      kernel(HUNG, OWNER, BACK, '[drm] device wedged, but recovered through reset'),
      {
        code: 'engine.kernel-crash',
        verdict: 'broken',
        cause: says('A job of llama-server (process 12519) hung'),
        because: [says('timeout'), says('pid 12519'), says('recovered through reset')],
        remedy: expect.arrayContaining([says('Restart the engine')]),
      },
    ],
    'a whole card that was reset, in the words of an older kernel': [
      kernel(
        `amdgpu: ${HUNG}`,
        'amdgpu: Process information: process python3 pid 771 thread python3 pid 771',
        'amdgpu: GPU reset begin!',
        'amdgpu: GPU reset(2) succeeded!',
      ),
      { cause: says('python3 (process 771)') },
    ],
    'a queue of ROCm': [
      ran(
        'dmesg',
        '[812.1] amdgpu: qcm fence wait loop timeout expired\n[812.9] amdgpu 0000:c2:00.0: GPU reset(1) succeeded!\n',
      ),
      { code: 'engine.kernel-crash', cause: says('the card is back') },
    ],
    'the core of vLLM': [
      kernel(HUNG, ' Process VLLM::EngineCor pid 812 thread VLLM::EngineCor pid 812', BACK),
      { cause: says('VLLM::EngineCor (process 812)') },
    ],
    'a hang that took no reset': [
      kernel('amdgpu: ring gfx timeout, but soft recovered'),
      { because: [says('soft recovered')] },
    ],
    'several times': [kernel(HUNG, BACK, HUNG, BACK), { cause: says('2 times') }],
    'a reset that failed first': [
      kernel(HUNG, 'amdgpu: GPU reset(1) failed', 'amdgpu: GPU reset(2) succeeded!'),
      { cause: says('the card is back') },
    ],
  },
  silent: {
    'a card that is not back': kernel(HUNG, OWNER),
    'a card that hung again': kernel(HUNG, BACK, HUNG),
    'a card whose reset failed': kernel(HUNG, 'amdgpu: GPU reset(1) failed'),
    'a desktop': kernel(HUNG, ' Process Xorg pid 1201 thread Xorg:cs0 pid 1202', BACK),
    'a game': kernel(HUNG, ' Process UnrealEngine-L pid 1200 thread UnrealEngi:cs0 pid 1250', BACK),
    'a server of something else': kernel(HUNG, ' Process plex-server pid 1200 thread plex-server pid 1250', BACK),
    'a reset that somebody asked for': kernel('amdgpu: GPU reset(1) succeeded!'),
    'a reset that began and succeeded, of which nobody says why': kernel(
      'amdgpu: GPU reset begin!',
      'amdgpu: GPU reset succeeded, trying to resume',
      'amdgpu: GPU reset(1) succeeded!',
    ),
    'an address that a program got wrong': kernel(FAULT),
    'a way of reset': kernel('amdgpu: MODE1 reset method is used'),
    'a card that is well': ran(QUERY, rows(WELL)),
  },
})
