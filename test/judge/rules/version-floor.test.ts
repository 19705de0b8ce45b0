import { expect, it } from 'vitest'
import type { Evidence } from '../../../src/domain/finding.ts'
import type { ModelFiles } from '../../../src/domain/verbs/model-files.ts'
import { versionFloor } from '../../../src/judge/rules/version-floor.ts'
import { ruleTable } from '../rule-table.ts'
import { engineOf, evidenceOf } from '../samples.ts'

const on = (engine: Parameters<typeof engineOf>[0], more: Partial<Evidence> = {}): Evidence => ({
  ...evidenceOf({}),
  engine: engineOf(engine),
  ...more,
})

const files = (card: readonly string[], architecture: string | null = null): ModelFiles => ({
  from: 'argv',
  path: '/models/m',
  files: [],
  config: architecture === null ? { state: 'absent' } : { state: 'read', value: { architectures: [architecture] } },
  generationConfig: { state: 'absent' },
  weightsBytes: null,
  card,
})
const OWN = { loaded: '/models/our-tune', version: '0.5.9' }
const installed = (name: string, version: string) => ({
  packages: [{ name, version }],
  driver: null,
  os: null,
  kernel: null,
})

ruleTable(versionFloor, {
  speaks: {
    'older than the newest that a source asks for': [
      on({ version: '0.5.10.post1' }),
      { code: 'version.too-old', confidence: 'possible', because: [expect.stringContaining('pull/22312')] },
    ],
    'older than the card beside the weights asks for': [
      on(OWN, { files: files(['uv pip install "sglang[all]>=0.5.10"']) }),
      { because: ['the model card: “uv pip install "sglang[all]>=0.5.10"”'] },
    ],
    'older than somebody told': [
      on(OWN, { told: ['model_card_min_engine: 0.5.10'] }),
      { because: ['told: model_card_min_engine “0.5.10”'] },
    ],
    'older than the first that loads the class': [
      on({ loaded: '/models/our-tune', version: '0.5.10' }, { files: files([], 'Gemma4ForCausalLM') }),
      { because: [expect.stringContaining('SGLang 0.5.11'), expect.stringContaining('0.5.11')] },
    ],
    'as it is installed, where the server does not tell': [
      on({ version: null }, { installed: installed('sglang', '0.5.10') }),
      { cause: expect.stringContaining('as it is installed') },
    ],
    'vLLM, by its card': [on({ kind: 'vllm', version: '0.18.1' }), { remedy: [expect.stringContaining('0.19.0')] }],
  },
  silent: {
    'the version that is asked for': on({ version: '0.5.11' }),
    'a newer one': on({ version: '0.5.18' }),
    'a build without a tag': on({ version: '0.0.0.dev1+gabc' }),
    'no version': on({ version: null }),
    'no version, and another package': on({ version: null }, { installed: installed('sglang_router', '0.1.0') }),
    'a model that nobody knows': on(OWN),
    'a card that asks for an older one': on(OWN, { files: files(['sglang>=0.4.6', 'transformers>=4.57']) }),
    'a card that asks for another engine': on(OWN, { files: files(['vllm>=0.19.0']) }),
    'a version that was only tested with': on({ kind: 'vllm', version: '0.9.2', loaded: 'openai/gpt-oss-20b' }),
    'no smoke': { target: { name: 'q', url: 'http://x', host: null }, engine: engineOf() },
    'no engine': evidenceOf({}),
    'a number of something else': on(OWN, { told: ['model_min_tokens: 12', 'min_driver_version: 580.10'] }),
  },
})

it('shows where the sources disagree', () => {
  const [finding] = versionFloor.check(on({ version: '0.5.8' }))
  expect(finding?.cause).toContain('0.5.11 or newer')
  expect(finding?.because.map((line) => line.slice(0, 13))).toEqual([
    'SGLang 0.5.9 ',
    'SGLang 0.5.10',
    'SGLang 0.5.10',
    'SGLang 0.5.11',
  ])
})
