import { expect, it, test } from 'vitest'
import { load, SMALL } from './folder.ts'

const FACT = {
  model: 'our-tune',
  engine: 'vllm',
  versions: '">=0.19,<0.20"',
  code: 'model.gibberish',
  cause: 'this build adds up the experts twice.',
  fix: 'start with --enforce-eager',
  source: 'https://tickets.example/OPS-12',
  date: '2026-11-20',
}

/** A file with one fact; null leaves a key out. */
function file(change: Readonly<Record<string, string | null>> = {}): string {
  const lines = Object.entries({ ...FACT, ...change }).flatMap(([key, value]) =>
    value === null ? [] : [`${key}: ${value}`],
  )
  return `${SMALL}knowledge:\n  - ${lines.join('\n    ')}\n`
}

test('a fact of the team comes out complete', () => {
  const loaded = load(file({ tensor_parallel: '4', quantisation: 'awq', fixed: '"0.20"' }))
  expect(loaded).toMatchObject({
    config: {
      taught: [
        {
          family: null,
          model: 'our-tune',
          engine: 'vllm',
          versions: '>=0.19,<0.20',
          tensorParallel: '==4',
          quantisation: ['awq'],
          flags: [],
          code: 'model.gibberish',
          cause: 'this build adds up the experts twice',
          fix: 'start with --enforce-eager',
          fixed: '0.20',
          source: 'https://tickets.example/OPS-12',
          date: '2026-11-20',
          standing: 'stated',
        },
      ],
    },
  })
  expect(load(SMALL)).toMatchObject({ config: { taught: [] } })
})

it.each<[string, Readonly<Record<string, string | null>>, RegExp]>([
  [
    'a family that does not exist',
    { family: 'qwen3.5-dens' },
    /:\d+:5 knowledge\.0\.family: .*did you mean qwen3\.5-dense\?/,
  ],
  ['nothing that names a model', { model: null }, /knowledge\.0: found neither family nor model/],
  ['a range in which nothing lies', { versions: '">=0.20,<0.19"' }, /:7:5 knowledge\.0\.versions: .*nothing lies/],
  ['a range that is none', { versions: '">=banana"' }, /knowledge\.0\.versions: .*PEP 440/],
  ['a version in the place of a range', { versions: '0.19' }, /knowledge\.0\.versions: found the number 0\.19/],
  ['a number of cards that is no range', { tensor_parallel: '"~2"' }, /knowledge\.0\.tensor_parallel/],
  ['no card', { tensor_parallel: '0' }, /knowledge\.0\.tensor_parallel/],
  ['a code that does not exist', { code: 'model.giberish' }, /knowledge\.0\.code: .*did you mean model\.gibberish\?/],
  ['a code that is no fault', { code: 'ok.short' }, /"ok\.short", which is no fault/],
  ['a code of JavaScript', { code: 'a.constructor' }, /unknown code/],
  ['a day that does not exist', { date: '2026-02-30' }, /knowledge\.0\.date: .*no day/],
  ['no day', { date: null }, /knowledge\.0\.date: found nothing/],
  ['no source', { source: null }, /knowledge\.0\.source: found nothing/],
  ['a version that is none', { fixed: '"0.20.x"' }, /knowledge\.0\.fixed/],
  ['another engine', { engine: 'tgi' }, /knowledge\.0\.engine: .*sglang/],
  ['an unknown key', { quantization: 'awq' }, /did you mean quantisation\?/],
])('%s is a problem with its line', (_, change, says) => {
  const loaded = load(file(change))
  expect(loaded.kind === 'problems' && loaded.text).toMatch(says)
  expect(loaded.kind === 'problems' && loaded.problems.every(({ line }) => line !== null)).toBe(true)
})

test('at most 200 facts', () => {
  const one = file().slice(SMALL.length + 'knowledge:\n'.length)
  expect(load(`${SMALL}knowledge:\n${one.repeat(200)}`).kind).toBe('config')
  expect(load(`${SMALL}knowledge:\n${one.repeat(201)}`).kind).toBe('problems')
})
