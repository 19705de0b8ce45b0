import { describe, expect, it, test } from 'vitest'
import { CODES, isFault } from '../../src/domain/code.ts'
import type { Serving } from '../../src/domain/knowledge.ts'
import { families } from '../../src/knowledge/families.ts'
import { faults } from '../../src/knowledge/faults.ts'
import {
  capabilityFor,
  endTokensOf,
  familyOf,
  flagsFor,
  isFitting,
  knownBad,
  minimumOf,
  parserOf,
  pinsOf,
  platformOf,
  samplingOf,
} from '../../src/knowledge/index.ts'
import { review, STALE_DAYS } from '../../src/knowledge/review.ts'
import { firstTags } from '../../src/knowledge/sglang-classes.ts'

const DAY = 86_400_000
const LOOKED = Date.parse('2026-08-21T00:00:00Z')
const dense = familyOf('Qwen/Qwen3.6-27B', null)

describe('the data', () => {
  test('can be used: versions, ranges, families, sources and days', () => {
    const { facts, faults: wrong, stale } = review([], LOOKED + DAY)
    expect(facts).toBeGreaterThan(400)
    expect([...wrong, ...stale]).toEqual([])
  })

  test('tells when it should be looked at again, and what nobody could use', () => {
    expect(review([], LOOKED + (STALE_DAYS + 2) * DAY).stale).toHaveLength(review([], LOOKED).facts)
    const [fact] = faults
    if (fact === undefined) throw new Error('no fact')
    const bad = { ...fact, family: 'qwen9', versions: '>=2,<1', source: ' ', date: '2026-02-30' }
    expect(review([bad], LOOKED).faults).toHaveLength(4)
    expect(review([{ ...fact, date: '2027-01-01' }], LOOKED).faults).toHaveLength(1)
  })

  test('every known fault leads to the code of a fault', () => {
    expect(faults.filter(({ code }) => !(code in CODES) || !isFault(code))).toEqual([])
  })

  test('names of families are told once; each class of a family is known, by SGLang', () => {
    expect(new Set(families.map(({ name }) => name)).size).toBe(families.length)
    expect(families.flatMap(({ architectures }) => architectures).filter((name) => !firstTags.has(name))).toEqual([])
    expect(firstTags.size).toBe(245)
  })
})

describe('the family of a model', () => {
  it.each([
    ['Qwen/Qwen3.6-27B', null, 'qwen3.5-dense'],
    ['/srv/models/qwen3_5-27b/', null, 'qwen3.5-dense'],
    ['Qwen3.8-27B-FP8', null, 'qwen3.5-dense'],
    ['/cache/hub/models--Qwen--Qwen3.6-27B-FP8/snapshots/0a1b', null, 'qwen3.5-dense'],
    ['/models/Qwen3.6-27B/fp8', null, 'qwen3.5-dense'],
    ['Qwen/Qwen3.6-35B-A3B', null, 'qwen3.5-moe'],
    ['our-tune', 'Qwen3_5ForConditionalGeneration', 'qwen3.5-dense'],
    ['our-tune', 'Qwen3_5MoeForConditionalGeneration', 'qwen3.5-moe'],
    ['Qwen/Qwen3-8B', null, 'qwen3'],
    ['qwen3_8b', null, 'qwen3'],
    ['Qwen3-30B-A3B-Thinking-2507', 'Qwen3MoeForCausalLM', 'qwen3-thinking'],
    ['Qwen/Qwen3-Coder-480B-A35B-Instruct', null, 'qwen3-coder'],
    ['Qwen3-Next-80B-A3B-Thinking', null, 'qwen3-next'],
    ['deepseek-ai/DeepSeek-V3.2', 'DeepseekV32ForCausalLM', 'deepseek-v3.2'],
    ['moonshotai/Kimi-K2-Thinking', 'DeepseekV3ForCausalLM', 'kimi-k2'],
    ['unsloth/Llama-3.3-70B-Instruct', 'LlamaForCausalLM', 'llama-3'],
    ['openai/gpt-oss-120b', null, 'gpt-oss'],
  ])('%s (%s) is %s', (name, architecture, family) => {
    expect(familyOf(name, architecture)?.name).toBe(family)
  })

  it.each([
    ['deepseek-ai/DeepSeek-R1-Distill-Qwen-7B', null],
    ['DeepSeek-R1-0528-Qwen3-8B', null],
    ['Qwen/Qwen2.5-7B-Instruct', null],
    ['Qwen/Qwen-35B', null],
    ['Qwen/Qwen3-Embedding-8B', null],
    ['zai-org/GLM-4.5V', null],
    ['our-tune', 'DeepseekV3ForCausalLM'],
    ['our-tune', 'LlamaForCausalLM'],
    ['Qwen3.6-27B', 'LlamaForCausalLM'],
    ['/srv/qwen3.6-tests/a/b/c/our-tune', null],
    [null, null],
  ])('%s (%s) is none that we know', (name, architecture) => {
    expect(familyOf(name, architecture)).toBeNull()
  })
})

const STORY: Serving = {
  engine: 'sglang',
  version: '0.5.9',
  family: dense,
  model: 'Qwen/Qwen3.6-27B',
  tensorParallel: 2,
  quantisation: null,
  flags: [],
}

/** Of each range: the last version before it, some in it, the first after it. */
const RANGES: readonly (readonly [
  code: string,
  change: Partial<Serving>,
  before: string,
  inside: readonly string[],
  after: string,
])[] = [
  ['model.tp-comm-suspect', {}, '0.5.8.post1', ['0.5.9', '0.5.9.post1', '0.5.10.dev2'], '0.5.10rc0'],
  ['model.kernel-bug', { tensorParallel: 1 }, '0.5.10rc0', ['0.5.10', '0.5.10.post1+cu128'], '0.5.11'],
  ['model.weights-misloaded', { quantisation: 'fp8' }, '0.5.8', ['0.5.9', '0.5.10.post1'], '0.5.11'],
  ['model.eos-in-reasoning', {}, '0.5.11', ['0.5.12', '0.5.12.post1'], '0.5.13'],
  ['engine.kernel-crash', {}, '0.5.12.post1', ['0.5.13', '0.5.13.post1'], '0.5.14'],
  ['engine.kernel-crash', { flags: ['speculative-algorithm'] }, '0.5.15', ['0.5.16'], '0.5.17'],
]

describe('known faults', () => {
  const codes = (change: Partial<Serving>) => knownBad({ ...STORY, ...change }).map(({ code }) => code)

  test('every one of them stands in this table', () => {
    expect(RANGES.map(([code]) => code).toSorted()).toEqual(faults.map(({ code }) => code).toSorted())
  })

  describe.each(RANGES)('%s %j', (code, change, before, inside, after) => {
    it.each(inside)('in %s', (version) => expect(codes({ ...change, version })).toContain(code))
    it.each([before, after])('not in %s', (version) => expect(codes({ ...change, version })).not.toContain(code))
  })

  it.each<[string, Partial<Serving>]>([
    ['one card', { tensorParallel: 1 }],
    ['a number of cards that nobody knows', { tensorParallel: null }],
    ['a version that nobody knows', { version: null }],
    ['a version that is none', { version: 'main' }],
    ['another engine', { engine: 'vllm' }],
    ['another model', { family: familyOf('Qwen3-8B', null), model: 'Qwen3-8B' }],
    ['a model that nobody knows', { family: null, model: null }],
  ])('does not count with %s', (_, change) => expect(codes(change)).toEqual([]))

  test('FP8 scales: of Qwen3.6 alone, since Qwen3.5 loads them', () => {
    expect(codes({ quantisation: 'fp8', tensorParallel: 1 })).toEqual(['model.weights-misloaded'])
    expect(codes({ quantisation: 'fp8', tensorParallel: 1, model: 'Qwen/Qwen3.5-27B-FP8' })).toEqual([])
    expect(codes({ quantisation: 'awq', tensorParallel: 1 })).toEqual([])
  })
})

describe('what else is known', () => {
  test('of the minimum what each source says; the newest counts', () => {
    const least = minimumOf('sglang', dense)
    expect(least).toMatchObject({ version: '0.5.11', isAskedFor: true })
    expect(least?.says.map(({ version, means }) => `${version} ${means}`)).toEqual([
      '0.5.9 loads',
      '0.5.10 serves',
      '0.5.10 serves',
      '0.5.11 serves',
    ])
    expect(minimumOf('vllm', dense)).toMatchObject({ version: '0.19.0', isAskedFor: true })
    expect(minimumOf('vllm', familyOf('gpt-oss-20b', null))).toMatchObject({ version: '0.10.0', isAskedFor: false })
    expect(minimumOf('sglang', null, 'Gemma4ForCausalLM')).toMatchObject({ version: '0.5.11' })
    expect(minimumOf('sglang', dense, 'Qwen3_5ForCausalLM')).toMatchObject({ version: '0.5.17' })
    expect(minimumOf('ollama', dense)).toBeNull()
    expect(minimumOf('sglang', null)).toBeNull()
  })

  test('which parsers fit', () => {
    const reasoning = parserOf('sglang', dense, 'reasoning')
    if (reasoning === null) throw new Error('no parser')
    expect(reasoning.names[0]).toBe('qwen3')
    expect(['qwen3', 'QWEN3', 'auto'].map((name) => isFitting(name, reasoning))).toEqual([true, true, true])
    expect(isFitting('deepseek-r1', reasoning)).toBe(false)
    expect(parserOf('vllm', dense, 'tool')?.names).toContain('qwen3_coder')
    expect(parserOf('sglang', null, 'tool')).toBeNull()
  })

  test('sampling, end tokens, flags, platform, pins and what a GPU must be able to do', () => {
    expect(samplingOf(dense).map(({ mode, temperature, budget }) => [mode, temperature, budget])).toEqual([
      ['thinking', 1, 81_920],
      ['coding', 0.6, 81_920],
      ['non-thinking', 0.7, 32_768],
    ])
    expect(samplingOf(null)).toEqual([])
    expect(endTokensOf(dense)?.ids).toEqual([248_046, 248_044])
    const flags = (version: string | null) => flagsFor('sglang', dense, version).map(({ flag }) => flag)
    expect(flags('0.5.10.post1')).toContain('--mamba-scheduler-strategy extra_buffer')
    expect(flags('0.5.14')).not.toContain('--mamba-scheduler-strategy extra_buffer')
    expect(flags(null)).toHaveLength(3)
    expect(platformOf('sglang', '0.5.10.post1')?.driver).toBe('525')
    expect(platformOf('sglang', '0.5.11')?.driver).toBe('580')
    expect(platformOf('vllm', '0.19.0')).toBeNull()
    expect(pinsOf('sglang', '0.5.10.post1')?.packages['transformers']).toBe('5.3.0')
    expect(pinsOf('sglang', '0.5.1')).toBeNull()
    expect(capabilityFor('sglang', 'w4afp8')?.least).toBe(90)
    expect(capabilityFor('sglang', null)).toBeNull()
  })
})
