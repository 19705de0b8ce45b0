/**
 * Reasoning that goes on without end and never repeats as a whole: sentences drawn from a fixed seed,
 * so that two runs think the same.
 */
export function* randomThoughts(prompt: string, seed = 1): Generator<string, never> {
  const random = mulberry32(seed)
  const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)] ?? ''
  const number = (below: number) => String(2 + Math.floor(random() * below))
  yield `Understand the request: "${prompt.trim().slice(0, 80)}". Before I answer, I think it through. `
  for (;;) {
    const claim = pick(CLAIMS).replace('#', number(600)).replace('#', number(40))
    yield `${pick(OPENERS)} ${claim}${pick(ENDINGS)}${random() < 0.12 ? '\n\n' : ' '}`
  }
}

/** A small, well-known generator of numbers in [0, 1), by Tommy Ettinger. */
function mulberry32(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const OPENERS = [
  'Wait,',
  'Hmm,',
  'So',
  'Now',
  'Actually,',
  'But then',
  'Let me check:',
  'On the other hand,',
  'To be sure,',
  'If I read it again,',
  'A shorter way:',
  'For the record,',
  'And yet',
  'Suppose that',
  'In the worst case',
  'Going back,',
  'Strictly speaking,',
  'As a test,',
]

const CLAIMS = [
  'the case n = # needs # divisions',
  'an input of # takes the early return after # steps',
  'the answer should stay under # words and # lines',
  'somebody may pass #, which is larger than # squared',
  'the first draft had # characters in # lines',
  'the root of # is below #, so the range can stop there',
  'a reader wants one example, maybe # with # as its divisor',
  'the remainder of # by # settles it',
  'the even numbers up to # can be left out after #',
  'a list of # candidates is too long, # would do',
  'the wording is friendly enough',
  'a docstring of one line is what style guides ask for',
  'negative numbers must give a plain no',
  'no import is needed apart from the integer root',
  'the sentence should name what was asked and nothing else',
  'a float would lose digits beyond # bits',
  'the name of the argument could be n or number',
  'a type hint costs nothing and helps',
  'the loop and the generator read equally well',
  'the user did not ask for a proof',
]

const ENDINGS = [
  '.',
  ', which is fine.',
  ', so the plan holds.',
  ', I think.',
  ', unless the request means something else.',
  '; that can stay.',
  '; I would rather look once more.',
  ', and that is all.',
  ', though it hardly matters here.',
  '?',
  ', as before.',
  '; the other form is longer.',
  ', good.',
  ' and nothing breaks.',
]
