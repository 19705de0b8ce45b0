import { describe, expect, it } from 'vitest'
import { curedBy } from '../../src/judge/cured.ts'

describe('an experiment that helped', () => {
  it.each([
    ['tensor-parallel', 'note: same model with tensor parallel 1 is fine'],
    ['tensor-parallel', 'note: English prompts clean; pipeline parallel clean'],
    ['tensor-parallel', 'note: NCCL_P2P_DISABLE=1 fixes it'],
    ['tensor-parallel', 'note: a single GPU works'],
    ['kernel', 'note: with flash attention off it is coherent'],
    ['kernel', 'note: --enforce-eager is ok'],
    ['kernel', 'note: the same prompt on the CPU is correct'],
    ['kv-cache', 'note: with an f16 KV cache it is good'],
    ['speculation', 'note: without speculative decoding the output is clean'],
    ['speculation', 'note: MTP disabled: works'],
    ['weights', 'note: the BF16 checkpoint is fine'],
  ])('%s: %s', (by, line) => {
    expect(curedBy({ told: ['gpus: 2x L4', line] })).toEqual({ by, line })
  })
})

describe('none', () => {
  it.each([
    'note: tensor parallel 1 is not fine either',
    'note: tensor parallel 1 was not tried',
    'note: English is clean',
    'note: it never works with the BF16 checkpoint',
    'flags: --kv-cache-dtype auto',
    'flags: -fa off',
    'gpus: 2x L4',
  ])('%s', (line) => {
    expect(curedBy({ told: [line] })).toBeNull()
  })

  it('where nobody told of anything', () => {
    expect(curedBy({})).toBeNull()
  })
})
