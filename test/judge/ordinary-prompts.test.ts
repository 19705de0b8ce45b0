import { describe, expect, it } from 'vitest'
import { diagnose } from '../../src/judge/diagnose.ts'
import { loopWatch } from '../../src/judge/loop-watch.ts'
import { rules } from '../../src/judge/rules/index.ts'
import { ANSWERS } from './ordinary-answers.ts'
import { completionOf, requestOf, tokens, withSmoke } from './samples.ts'
import { CODE, PROSE } from './texts.ts'

/** Plain prompts whose right answer repeats itself, and a unit of that answer as it arrives token by token. */
const PERIODIC: readonly (readonly [prompt: string, unit: string])[] = [
  ['Give me the first 300 decimals of 1/3', '3'],
  ['What is 1/3 to 800 places?', '333'],
  ['What is 2/3 to 500 decimal places?', '6'],
  ['Write out 1/7 with 600 digits after the point', '142857'],
  ['Compute 1/9 to a thousand decimals.', '1'],
  ['What is 5/11 as a decimal?', '45'],
  ['Write 2^200 - 1 in binary', '1'],
  ['What is 10^500? Write it out.', '0'],
  ['How many zeros has a googol? Show them.', '0'],
  ['How much is 10^600 - 1? Show all the nines.', '9'],
  ['Draw a line of 50 dashes', '-'],
  ['Laugh like in a comic: ha ha ha ...', 'ha '],
  ['Laugh as long as you can', 'ha'],
  ['Make a bingo grid of 20 by 20 with X in every field', '| X '],
  ['Draw a chessboard in ASCII art', '# . '],
  ['ASCII art of a brick wall, please', '|__'],
  ['A csv of zeros, 100 rows and 10 columns', '0,'],
  ['A table of 60 rows with yes in every cell', '| yes |\n'],
  ['Count sheep until I am asleep', 'sheep, '],
  ['Write a chord chart: 12 bars of blues in A, twenty choruses', '| A7 '],
  ['The chords of a four-chord pop song, 50 rounds', '| C | G | Am | F |\n'],
  ['Write a drum pattern for 64 bars', 'x-o-x-o-|'],
  ['Beatbox for me: boots and cats', 'boots and cats and '],
  ['What does a metronome say in a minute?', 'tick, tock, '],
  ['Write a poly-A tail of 500 nucleotides', 'A'],
  ['A human telomere of 1,200 bases', 'TTAGGG'],
  ['Convert 255 to binary, once a line, 80 lines of output', '11111111\n'],
  ['512 bytes of ff as a hexdump', 'ff '],
  ['Spell out a long scream of horror', 'A'],
  ['Make the sound of a machine gun', 'rat-a-tat '],
  ['Send SOS in Morse code 50 times', '... --- ... '],
  [
    'All work and no play makes Jack a dull boy, until the page is full',
    'All work and no play makes Jack a dull boy.\n',
  ],
  ['Wave at me with 300 👋', '👋'],
  ['Give me 500 coin flips, all of them heads', 'heads, '],
  ['A knitting pattern: rib of k2 p2 for 200 stitches', 'k2 p2 '],
  ['Ten paragraphs of lorem ipsum', 'Lorem ipsum dolor sit amet, consectetur. '],
  ['Write a square wave signal of 400 samples as bits', '0 1 '],
  ['Unroll a loop that calls blink() 90 times', 'blink();\n'],
  ['A progress bar at 100 percent, 200 wide', '█'],
  ['Sing a lullaby', 'la la '],
]

/** The same kinds of prompt, and what no right answer to them is. */
const LOOPS: readonly (readonly [prompt: string, unit: string])[] = [
  ['What is 2+2? Answer with just the number.', '2 + 2 = 2.'],
  ['What is 2+2? Answer with just the number.', '2'],
  ['What is 1/3?', '3'],
  ['Give me the first 300 decimals of 1/3', '1/3 = '],
  ['What is 1/3 to 800 places?', '!'],
  ['What is 5 in binary?', '101 '],
  ['What is 2^10?', '1024 '],
  ['What is the first digit of 22?', '2'],
  ['Draw a chessboard in ASCII art', 'claus '],
  ['ASCII art of a brick wall, please', '!'],
  ['Draw a line of 50 dashes', '\n'],
  ['Write a drum pattern for 64 bars', '!'],
  ['The chords of a pop song', 'User: '],
  ['Sing a lullaby', '!'],
  ['Sing a lullaby', 'claus '],
  ['Send SOS in Morse code 50 times', 'the '],
  ['Write a poly-A tail of 500 nucleotides', 'claus '],
  ['Make the sound of a machine gun', '2 + 2 = 2.'],
  ['Talk like a pirate', 'claus '],
  ['Does this sound right to you?', 'claus '],
  ['Write 20 lines about love', 'love '],
  ['Say hello in 20 words', 'hello '],
  ['Ten paragraphs of lorem ipsum', 'claus '],
  ['Name 10 places to visit', '!'],
]

/** The loop for which the stream of these tokens would be ended. */
function cutIn(prompt: string, stream: readonly string[]) {
  const watch = loopWatch(prompt)
  for (const text of stream) {
    const loop = watch.feed({ channel: 'content', text })
    if (loop !== null) return loop
  }
  return null
}

const first200 = (unit: string) => Array.from({ length: 200 }, () => unit)
const tokensOf = (text: string) => text.match(/.{1,4}/gs) ?? []

const judged = (prompt: string, content: string) => judgedAs('length', prompt, content)

function judgedAs(finish: 'length' | 'stop', prompt: string, content: string) {
  const completion = completionOf({ content, finish, stop: null, tokens: tokens(finish === 'stop' ? 150 : 200) })
  return diagnose(withSmoke({ request: requestOf({ prompt, temperature: null }), completion }), rules)
}

/** Nothing but "!" is what NaN looks like. */
const codeOf = (unit: string) => (unit === '!' ? 'model.nan-logits' : 'model.degenerate-loop')

describe('an ordinary prompt with a periodic answer', () => {
  it.each(PERIODIC)('%s: %j is no loop', (prompt, unit) => {
    expect(cutIn(prompt, first200(unit))).toBeNull()
    expect(judged(prompt, unit.repeat(200))).toMatchObject({ verdict: 'request-limit', code: 'budget.too-small' })
  })

  it.each(LOOPS)('%s: %j is one', (prompt, unit) => {
    expect(cutIn(prompt, first200(unit))).toMatchObject({ certain: true })
    expect(judged(prompt, unit.repeat(700)).code).toBe(codeOf(unit))
  })
})

describe('an answer with many equal lines', () => {
  it.each(ANSWERS)('%s: is not cut while it streams', (prompt, answer) => {
    expect(answer.length).toBeGreaterThan(600)
    expect(cutIn(prompt, tokensOf(answer))).toBeNull()
  })

  it.each(ANSWERS)('%s: is healthy once it ended, and nothing else', (prompt, content) => {
    const { verdict, findings } = judgedAs('stop', prompt, content)
    expect({ verdict, findings: findings.length }).toEqual({ verdict: 'healthy', findings: 1 })
  })

  it.each(ANSWERS)('%s: half of it is a small budget', (prompt, answer) => {
    expect(judged(prompt, answer.slice(0, answer.length / 2))).toMatchObject({ code: 'budget.too-small' })
  })
})

/** What a model in a loop writes where equal lines are ordinary. */
const CAUGHT: readonly (readonly [name: string, before: string, unit: string])[] = [
  ['a line of code in a fence', '```python\ndef stub():\n', '    pass\n'],
  ['a line of code after much code', `\`\`\`python\n${CODE}`, '    pass\n'],
  ['rows of a table', '| a | b |\n|---|---|\n', '| x | y |\n'],
  ['tasks', '# To do\n\n', '- [ ] Task\n'],
  ['markup', '<table>\n', '<tr><td></td></tr>\n'],
  ['a column of texts', 'decoding_table = (\n', "    '\\ufffe'\n"],
]

describe('a loop in equal lines', () => {
  it.each(CAUGHT)('%s: is found at the limit', (_, before, unit) => {
    expect(judged('Write a stub', before + unit.repeat(60))).toMatchObject({
      verdict: 'broken',
      code: 'model.degenerate-loop',
    })
  })

  it('a column of texts as long as that of a codec of Python is none', () => {
    expect(cutIn('Write the codec', tokensOf(`decoding_table = (\n${"    '\\ufffe'\n".repeat(22)}`))).toBeNull()
  })

  it.each(CAUGHT)('%s: is cut', (_, before, unit) => {
    expect(cutIn('Write a stub', tokensOf(before + unit.repeat(120)))).toMatchObject({ certain: true })
  })

  it('that the model left before its own end is possible and does not lead', () => {
    const content = `Well. ${'and so it goes on, '.repeat(50)}but enough of that. ${PROSE}`
    const { verdict, findings } = judgedAs('stop', 'Say hello', content)
    expect(verdict).toBe('healthy')
    expect(findings[1]).toMatchObject({ code: 'model.degenerate-loop', confidence: 'possible' })
  })

  it('in which the model ended is certain', () => {
    const content = `Well. ${'and so it goes on, '.repeat(50)}`
    expect(judgedAs('stop', 'Say hello', content).findings[0]).toMatchObject({ confidence: 'certain' })
  })
})
