import { describe, expect, it } from 'vitest'
import type { Channel } from '../../src/domain/completion.ts'
import { loopWatch } from '../../src/judge/loop-watch.ts'
import { CODE, ORDINARY, PROSE, pieces, randomBy } from './texts.ts'

/** Feeds a stream; gives the loop and how many pieces went in. */
function watch(prompt: string, stream: readonly string[], channel: Channel = 'content') {
  const watching = loopWatch(prompt)
  for (const [index, text] of stream.entries()) {
    const loop = watching.feed({ channel, text })
    if (loop !== null) return { loop, fed: index + 1 }
  }
  return { loop: null, fed: stream.length }
}

const tokensOf = (unit: string, count: number) => Array.from({ length: count }, () => unit)

describe('a loop in a stream', () => {
  it('with a unit of 1 to 40 characters is cut within 200 tokens of 1 to 6 characters', () => {
    const random = randomBy(20_260)
    const late: string[] = []
    for (let round = 0; round < 2000; round += 1) {
      const most = 1 + (round % 6)
      const source = random() < 0.7 ? PROSE : CODE
      const at = Math.floor(random() * (source.length - 40))
      const unit = source.slice(at, at + 1 + Math.floor(random() * 40))
      const before = pieces(PROSE.slice(0, 20 + Math.floor(random() * 1000)), random, most)
      const { loop, fed } = watch('Say hello.', [
        ...before,
        ...pieces(unit.repeat(1500 / unit.length + 1), random, most),
      ])
      if (loop === null || fed > before.length + 200)
        late.push(JSON.stringify({ unit, most, fed: fed - before.length }))
    }
    expect(late).toEqual([])
  })

  it.each([
    ['one sign a token', '!', 1, 200],
    ['the field story', '2 + 2 = 2.', 10, 200],
    ['a word', 'claus ', 6, 200],
    ['a Chinese clause', '因此，我们可以得出结论', 11, 200],
    ['nothing but line ends', '\n', 1, 200],
  ])('%s', (_, unit, period, within) => {
    const { loop, fed } = watch('What is 2+2?', tokensOf(unit, 400))
    expect(loop).toMatchObject({ unit, period, from: 0, certain: true, channel: 'content' })
    expect(fed).toBeLessThanOrEqual(within)
  })

  it.each([3, 4, 5, 6])('of the field story is cut within 200 tokens of %i characters, in either channel', (size) => {
    const text = `We are tasked with a simple arithmetic problem: ${'2 + 2 = 2.'.repeat(200)}`
    const stream = Array.from({ length: Math.ceil(text.length / size) }, (_, i) => text.slice(i * size, (i + 1) * size))
    for (const channel of ['content', 'reasoning'] as const) {
      const { loop, fed } = watch('What is 2+2?', stream, channel)
      expect(loop).toMatchObject({ channel, period: 10, certain: true })
      expect(fed).toBeLessThanOrEqual(200)
    }
  })

  it('in the reasoning is seen although the content is sound', () => {
    const watching = loopWatch('Say hello.')
    const seen = tokensOf('wait, ', 200).map((text, index) => {
      watching.feed({ channel: 'content', text: PROSE.slice(index, index + 1) })
      return watching.feed({ channel: 'reasoning', text })
    })
    expect(seen.find((loop) => loop !== null)).toMatchObject({ channel: 'reasoning', period: 6 })
  })

  it('is cut although the unit is long, once enough of it came again', () => {
    const { loop } = watch('Say hello.', pieces(PROSE.slice(0, 300).repeat(6), randomBy(3)))
    expect(loop).toMatchObject({ period: 300, certain: true })
  })
})

describe('a loop in code', () => {
  it('of long pieces is cut once 6,000 characters of them came again', () => {
    const unit = `${CODE.slice(0, 320).replace(/.*\n/g, (line) => `${line.trimEnd()};\n`)}\n`
    const { loop, fed } = watch('Write code.', pieces(unit.repeat(40), randomBy(8), 1))
    expect(loop).toMatchObject({ period: unit.length, certain: true })
    expect(fed).toBeLessThanOrEqual(unit.length + 6_000)
  })

  it('in a fence is cut by its length only', () => {
    expect(watch('Write code.', ['```\n', ...tokensOf('x=', 200)]).loop).toBeNull()
    expect(watch('Write code.', ['```\n', ...tokensOf('x=', 400)]).loop).not.toBeNull()
  })

  it('that opens fences itself is no code', () => {
    expect(watch('Say hello.', tokensOf('```\nab\n', 200)).loop).not.toBeNull()
  })
})

describe('stays silent', () => {
  it.each(Object.entries(ORDINARY))('for %s', (_, text) => {
    for (const most of [1, 4, 6]) expect(watch('Explain it.', pieces(text, randomBy(5), most)).loop).toBeNull()
  })

  it.each([
    ["Write 'ha' 500 times", 'ha '],
    ['Print exactly 400 exclamation marks', '!'],
    ['JSON array of 1000 zeros', '0, '],
    ['Repeat hello forever', 'hello '],
    ['Write the lyrics of a song with a long chorus', 'Row, row, row your boat. '],
  ])('where the prompt asks for it: %s', (prompt, unit) => {
    expect(watch(prompt, tokensOf(unit, 500)).loop).toBeNull()
  })

  it.each([
    ["Write 'ha' 500 times", 'ho '],
    ['Print exactly 400 exclamation marks', '?'],
    ['Is 97 prime?', '!'],
    ['Say "hello"', 'hello '],
    ['What is 3 times 47?', '47 '],
    ['Write the lyrics of a song', 'claus '],
    ['Answer with a JSON array', '{"a": '],
  ])('but not where it asks for something else: %s', (prompt, unit) => {
    expect(watch(prompt, tokensOf(unit, 500)).loop).not.toBeNull()
  })
})
