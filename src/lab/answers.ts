/** What a well model thinks and says. */
export interface Reply {
  readonly thinking: string
  readonly answer: string
}

/** A fitting reply to a handful of common prompts, and a modest one to all others. */
export function replyTo(prompt: string): Reply {
  const known = KNOWN.find(({ asks }) => asks.test(prompt)) ?? found(prompt)
  if (known !== null) return known
  const topic = prompt.trim().replace(/\s+/g, ' ').slice(0, 80)
  return {
    thinking: `The user asks: "${topic}". I am a demo model with a few replies by heart, and this is none of them. It is best to say so and to suggest a prompt that I do know.`,
    answer:
      'I am the demo model of this lab: I read your prompt, but I know only a few answers by heart. Try "Say hello in one sentence.", "What is 2 + 2?", "Why is the sky blue?" or "Write a Python is_prime function".',
  }
}

/** What is written in the prompt itself: a sum to compute, a word to find. */
function found(prompt: string): Reply | null {
  const [, one, other] = /(\d+) \+ (\d+)\?/.exec(prompt) ?? []
  if (one !== undefined) return { thinking: 'A plain sum.', answer: String(Number(one) + Number(other)) }
  const word = /code word of the store is ([\w-]+)\./.exec(prompt)?.[1]
  return word === undefined ? null : { thinking: 'The note names it.', answer: word }
}

const KNOWN: readonly (Reply & { readonly asks: RegExp })[] = [
  {
    asks: /prime/i,
    thinking:
      'The user wants a Python function that tells whether a number is prime. Numbers below 2 are not prime. 2 is prime, other even numbers are not. After that only odd divisors up to the square root can divide it. I use isqrt, since a float root goes wrong for large numbers.',
    answer: `\`\`\`python
from math import isqrt


def is_prime(n: int) -> bool:
    """Return True if n is a prime number."""
    if n < 2:
        return False
    if n % 2 == 0:
        return n == 2
    return all(n % d for d in range(3, isqrt(n) + 1, 2))
\`\`\`

It tries odd divisors up to the square root, so \`is_prime(97)\` needs four divisions.`,
  },
  {
    asks: /\b2\s*\+\s*2\b|\btwo plus two\b/i,
    thinking: 'A simple sum: two and two make four. No trick is in sight, so I answer plainly.',
    answer: '2 + 2 = 4.',
  },
  {
    asks: /\bsky\b/i,
    thinking:
      'The user asks why the sky is blue. The cause is Rayleigh scattering: air molecules scatter short wavelengths far more than long ones, about with the fourth power of the frequency. Violet is scattered even more, but sunlight has less of it and our eyes see it less well. Two or three sentences are enough.',
    answer:
      'Sunlight holds all colours, and the molecules of the air scatter short wavelengths much more strongly than long ones. So blue light reaches your eyes from every direction, while red light passes nearly straight through. Violet is scattered even more, but the sun sends less of it and our eyes hardly see it.',
  },
  {
    asks: /\b(capital|france|paris)\b/i,
    thinking: 'The capital of France is Paris. One sentence will do.',
    answer: 'The capital of France is Paris.',
  },
  { asks: /17 \* 23/, thinking: '17 times 20 is 340, and 17 times 3 is 51.', answer: '391' },
  { asks: /法国/, thinking: '法国的首都是巴黎。', answer: '法国的首都是巴黎。' },
  { asks: /Frankreich/, thinking: 'Die Hauptstadt ist Paris.', answer: 'Die Hauptstadt von Frankreich ist Paris.' },
  { asks: /فرنسا/, thinking: 'العاصمة هي باريس.', answer: 'عاصمة فرنسا هي باريس.' },
  {
    asks: /\b(hello|hi|hey|greet\w*)\b/i,
    thinking:
      'The user asks for a greeting. One friendly sentence is enough; I should not add anything that was not asked for.',
    answer: 'Hello! It is good to meet you, how can I help today?',
  },
]
