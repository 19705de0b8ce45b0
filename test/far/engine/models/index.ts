import type { Step } from './chain.ts'
import { branch, chainModel, path } from './chain.ts'
import { END, THINK_END } from './vocabulary.ts'

export type ModelName = keyof typeof CHAINS

/** The bytes of a model file (GGUF, about 4 MB) that behaves in one way, whatever it is asked. */
export function modelFile(name: ModelName): Buffer {
  return chainModel(name, CHAINS[name])
}

/** Every model there is, for those who want them all. */
export const modelNames: readonly ModelName[] = [
  'healthy',
  'eos',
  'loop',
  'overthink',
  'loop-in-reasoning',
  'utf8',
  'loop-1',
  'loop-7',
  'loop-7-letters',
  'loop-19',
  'loop-40',
  'loop-40-letters',
]

/** Where a prompt ends with thinking on, and with thinking off. */
const THINKS = '\n'
const ANSWERS = '\n\n'

const HELLO = path(ANSWERS, 'Hello', '!', ' How', ' can', ' I', ' help', ' you', ' today', '?', END)
const NO_THOUGHT = path(THINKS, THINK_END, ANSWERS)

/** Phrases of a model that cannot stop thinking. Each may be followed by nine others, so that no text has a period. */
const DOUBTS = [
  ' Wait, let me read the request once more.',
  ' The user wants a short greeting.',
  ' Hmm, maybe a formal one is better.',
  ' A single sentence should be enough.\n',
  ' I could also offer some help,',
  ' but nobody asked for that.',
  ' On the other hand,',
  ' a bare hello looks cold.',
  ' So the tone matters more than the words.',
  ' Let me count the words of the draft:',
  ' five, perhaps six,',
  ' which is fine.',
  ' Should there be an emoji?',
  ' No, plain text reads better.\n',
  ' Actually, I am not sure.',
  ' What would a careful writer do?',
  ' She would keep it simple,',
  ' and she would check the spelling.',
  ' The first draft said good morning,',
  ' yet it may be evening over there.',
  ' Then hello is the safe choice.',
  ' Still, I want to compare both.',
  ' If I drop the comma,',
  ' the rhythm changes a little.',
  ' That is a matter of taste.\n',
  ' Let me think about the ending,',
  ' a full stop or an exclamation mark?',
  ' The mark is friendlier.',
  ' Too many of them are tiring, though.',
  ' One is enough.',
  ' Now to the question of the name:',
  ' I do not know it.',
  ' So there is no name to use.\n',
  ' All right,',
  ' that settles most of it.',
  ' Before I answer,',
  ' one more look at the whole.',
]

const CHAINS = {
  healthy: [
    ...path(
      ...[THINKS, 'The user', ' asks', ' for', ' a', ' greeting', '; I', ' will', ' answer', ' politely', '.\n'],
      ...[THINK_END, ANSWERS],
    ),
    ...HELLO,
  ],
  eos: [...path(THINKS, END), ...path(ANSWERS, END)],
  loop: [...NO_THOUGHT, ...path(ANSWERS, '2', ' + 2', ' = 2', '.', '2')],
  overthink: [
    ...branch(THINKS, DOUBTS.slice(0, 9)),
    ...DOUBTS.flatMap((doubt, index) => branch(doubt, followers(index))),
    ...HELLO,
  ],
  'loop-in-reasoning': [
    ...path(
      ...[THINKS, 'Wait', ', let', ' me', ' check', ' that', ' again', '. It', ' may', ' be', ' wrong', '.\n', 'Wait'],
    ),
    ...HELLO,
  ],
  utf8: [
    ...NO_THOUGHT,
    ...path(
      ...[
        ANSWERS,
        'Grüße',
        ' 你好',
        ' 🚀',
        ' `<b>&amp;`',
        ' `*bold*`',
        ' code in backticks',
        ' <!channel>',
        ' <@U123>',
      ],
      ...[' <https://example.com|here>', ' https://example.com', ' @here', END],
    ),
  ],
  // loops by the length of their unit in characters; the second of a length says one character a token
  'loop-1': circle('!'),
  'loop-7': circle(' again', '.'),
  'loop-7-letters': circle(...'hi you!'),
  'loop-19': circle('One', ' more', ' time', ', then', '.'),
  'loop-40': circle('The', ' cat', ' sat', ' on', ' the', ' mat', ' and', ' said', ' nothing', '.'),
  'loop-40-letters': circle(...'abcdefghijklmnopqrstuvwxyz0123456789 .,;'),
} satisfies Readonly<Record<string, readonly Step[]>>

/** Says the texts round and round as its answer. */
function circle(...texts: readonly string[]): readonly Step[] {
  return [...NO_THOUGHT, ...path(ANSWERS, ...texts, texts[0] ?? '')]
}

function followers(index: number): readonly string[] {
  return Array.from({ length: 9 }, (_, n) => DOUBTS[(index * 5 + n * n + n + 1) % DOUBTS.length] ?? '')
}
