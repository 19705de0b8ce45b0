/** Numbers between 0 and 1 in an order that a seed fixes. */
export function randomBy(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    return (state >>> 0) / 2 ** 32
  }
}

/** Cuts a text into pieces as a model streams them: 1 to `most` characters each. */
export function pieces(text: string, random: () => number, most = 6): string[] {
  const cut: string[] = []
  for (let at = 0; at < text.length; ) {
    const length = 1 + Math.floor(random() * most)
    cut.push(text.slice(at, at + length))
    at += length
  }
  return cut
}

export const PROSE = `The old lighthouse stood at the far end of the harbour, where the wind came in from three sides and the gulls
never seemed to sleep. Its keeper had been a carpenter once, and later a cook on a small freighter; he liked to say that both trades
had taught him the same lesson, which was to look twice before touching anything hot or sharp. In winter, when the ice closed the
bay for weeks, he read. He owned forty-one books, most of them about stars, bridges or the habits of fish, and he had written in the
margins of every one. Visitors who came by sledge were shown the notes before they were shown the lamp. "A lamp is a lamp," he told
them, "but a margin is a conversation." Nobody ever asked him whom he had been talking to. One spring a letter arrived from the
ministry: the light would be switched by a timer from now on, and the house sold. He folded the letter, made tea, and then rowed out
to the buoy that marked the second shoal, because its bell had sounded wrong to him since Tuesday. It took most of the afternoon to
find the crack. When he came back the lamp was already burning, exactly on time, without him. He sat down on the step, listened to
the mended bell, and began to laugh, quietly at first. Some habits outlive their reasons; others become the reason.`

export const CODE = `def is_prime(n: int) -> bool:
    """Return True if n is a prime number."""
    if n < 2:
        return False
    for divisor in range(2, int(n ** 0.5) + 1):
        if n % divisor == 0:
            return False
    return True


class Account:
    def __init__(self, owner, balance=0):
        self.owner = owner
        self.balance = balance

    def deposit(self, amount):
        if amount <= 0:
            raise ValueError("amount must be positive")
        self.balance += amount
        return self.balance
`

const rows = (count: number, row: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => row(i)).join('\n')

/** Answers that repeat by nature and are no loops. None of their prompts asks for a repetition. */
export const ORDINARY: Readonly<Record<string, string>> = {
  prose: PROSE,
  code: CODE,
  'code in a fence': `Here it is:\n\n\`\`\`python\n${CODE}\`\`\`\n`,
  'a table': `| n | n² | prime |\n|---|----|-------|\n${rows(40, (i) => `| ${i} | ${i * i} | ${i % 2 === 0 ? 'no' : 'yes'} |`)}`,
  'a wide rule under a heading': `Result\n${'='.repeat(80)}\n\nText.\n\n${'-'.repeat(80)}\n`,
  'a table rule of many columns': `|${' a |'.repeat(30)}\n|${'---|'.repeat(30)}\n`,
  'zeros in a fence': `\`\`\`python\nx = [${'0, '.repeat(120)}0]\n\`\`\`\n`,
  'zeros in an array': `[${'0, '.repeat(99)}0]`,
  'rows of zeros as JSON': `[\n${rows(80, () => '  0,')}\n  0\n]`,
  'numbered list': rows(60, (i) => `${i + 1}. Item number ${i * 7} of the list`),
  'equal calls in a fence': `\`\`\`\n${rows(12, () => 'led.blink()')}\n\`\`\`\n`,
  base64:
    'U2xvdyBpcyBzbW9vdGgsIHNtb290aCBpcyBmYXN0LiBTbG93IGlzIHNtb290aCwgc21vb3RoIGlzIGZhc3QuIFNsb3cgaXMgc21vb3Ro'.repeat(
      2,
    ),
  'a base64 of zeros': `${'A'.repeat(120)}==`,
  emphasis: `No${'o'.repeat(40)}! ${'!'.repeat(30)} ${'?'.repeat(20)}`,
  laughter: `${'ha'.repeat(30)}, very funny. ${PROSE}`,
  'dots of a table of contents': rows(20, (i) => `Chapter ${i}${'.'.repeat(60)}${i * 12}`),
  'indented lines': rows(40, (i) => `${' '.repeat(i)}deeper ${i}`),
  bits: '01101000 01100101 01101100 01101100 01101111 00100000 01110111 01101111 01110010 01101100 01100100',
  'a verse with refrain': rows(
    4,
    (i) => `Verse ${i}: the river runs past house ${i}\nRow, row, row your boat, gently down the stream.\n`,
  ),
  Chinese: '灯塔立在港口的尽头，风从三面吹来，海鸥似乎从不睡觉。看守人以前是木匠，后来在一艘小货船上当厨师。',
  'digits of pi':
    '3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798214808651',
}
