import { describe, expect, it } from 'vitest'
import { requested } from '../../src/judge/requested.ts'

describe('a repetition is requested', () => {
  it.each([
    ["Write 'ha' 500 times", 'ha '],
    ["Write 'ha' 500 times", 'a h'],
    ['Napiš "ahoj" 200x', 'ahoj '],
    ['重复“好”100次', '好'],
    ['Repeat the word hello', 'hello '],
    ['Say hello 100 times', 'hello\n'],
    ['Repeat after me, again and again: I will not talk.', 'I will not talk. '],
    ['Print exactly 40 exclamation marks', '!'],
    ['Draw a line of 300 dashes', '-'],
    ['JSON array of 100 zeros', ' 0,'],
    ['Count from 1 to 500', '0 '],
    ['First 200 digits of 1/3', '3'],
    ['Print a hex table', '0x00, '],
    ['Fill a matrix with null', 'null, '],
    ['Give me base64 of 900 zero bytes', 'A'],
    ['Write a song', 'Row, row, row your boat. '],
    ['Print 500 newlines', '\n'],
  ])('%s: %j', (prompt, unit) => {
    expect(requested(prompt, unit)).toBe(true)
  })
})

describe('a repetition is not requested', () => {
  it.each([
    ['Say hello in one sentence.', 'hello '],
    ['Say "hello"', 'hello '],
    ['What is 2+2? Answer with just the number.', '2 + 2 = 2.'],
    ['What is 3 times 47?', '47 '],
    ['Is 97 prime?', '!'],
    ["Write 'ha' 500 times", 'ho '],
    ['Print exactly 40 exclamation marks', '?'],
    ['Explain what an exclamation mark is', '!'],
    ['Write a song', 'claus '],
    ['Answer with a JSON array of names', '"Anna", '],
    ['Answer in JSON', ' \n'],
    ['A train travels at 60 mph for 2 hours. Distance?', 'User: '],
    ['总结这段文字', '因此，我们可以得出结论，'],
    ['Print hello world 20 times', 'x'],
    ['Add these numbers: 2 and 2', '2 + 2 = 2.'],
    ['What is the sum of the digits of 22?', '2 + 2 = 2.'],
    ['Draw a table', `${'0x00, '.repeat(33)}!`],
    ['7'.repeat(12_000), '!'],
    ['', 'a'],
  ])('%s: %j', (prompt, unit) => {
    expect(requested(prompt, unit)).toBe(false)
  })
})
