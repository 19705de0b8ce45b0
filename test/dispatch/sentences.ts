import { random } from '../random.ts'

/** What people write under a message of the bot: it begins with one of our words, and is no command. */
export function sentence(seed: number, words: readonly string[]): string {
  const { below, pick } = random(seed)
  const first = pick([...words, ...COMING]) ?? ''
  const begun = pick([first, first, `${first[0]?.toUpperCase()}${first.slice(1)}`, first.toUpperCase()]) ?? first
  const rest = pick(below(4) === 0 ? PUNCTUATED : RESTS) ?? ''
  const whole = filled(`${begun}${rest}`, seed)
  return below(5) === 0 ? `${whole}${pick(AFTERTHOUGHTS) ?? ''}` : whole
}

/** Words that are commands of other bots, or will be of this one. */
const COMING = [
  ...[
    'restart',
    'start',
    'lock',
    'unlock',
    'use',
    'confirm',
    'cancel',
    'status',
    'access',
    'audit',
    'more',
    'rollback',
  ],
  ...[
    'gpu',
    'gpu status',
    'gpu lock',
    'gpu top',
    'sglang',
    'sglang restart',
    'sglang status',
    'smoke suite',
    'smoke why',
  ],
  ...[
    'pilotflame',
    'pilotflame status',
    'deploy',
    'logs',
    'handover',
    'history',
    'version',
    'config',
    'load',
    'compare',
  ],
]

/** Each makes no command of any word before it. `@` is a colleague, `#` a number, `%` a target, `*` one of our words. */
const RESTS = [
  " didn't help",
  ' didn’t help at all, same empty answer',
  ' worked',
  ' worked, thanks',
  ' that please',
  ' please, somebody',
  ' it again when the upload is done',
  ' the door when you leave',
  ' the numbers look fine',
  ' numbers look fine to me',
  ' arrives at noon',
  ' looks odd today',
  ' looks odd on %',
  ' is what I would try next',
  ' is broken again?',
  ' was a bad idea, sorry',
  ' or * first?',
  ' and * again, then we see',
  ' on % gave # tokens yesterday',
  ' of # requests failed',
  ' never finishes with max_tokens=# here',
  ' with --tp # is what the card says',
  ' --help does not say that',
  ' on % --help is not there',
  ' means: not our fault',
  ' = nothing',
  ' @ can you look?',
  ' me understand this, @',
  ': I mean the one on gpu-box-#',
  ' "did nothing" says the log',
  ' “did nothing” says @',
  ' `systemctl status %` shows it dead',
  ' <https://wiki.example/runbook|the runbook> says so',
  ' &gt; 0.9 is too high, &lt; 0.8 too low',
  ' you ought to have told us before',
  ' — no, wait',
  ' -- no, wait',
  ' … or maybe not',
  ' if % is still looping after #',
  ', then we see',
  '; then we see',
  ' 😅 again',
  ' :fire: again :fire:',
  '\nand then it hung',
  '\n\nI would not',
  '\n• one\n• two',
  '\n```\nRuntimeError: out of memory\n```',
  ' ```\nRuntimeError: out of memory\n```',
  ' *now* or _later_?',
  ' ~later~ tomorrow',
  'ing now',
  's are cheap',
  "'s fault",
  '-loop again',
]

const PUNCTUATED = [
  '?',
  '!',
  '...',
  '?!',
  '.',
  ' ?',
  ' !!',
  ':',
  ',',
  ' …',
  '? @',
  '! 🎉',
  '?\nanybody?',
  ' :-(',
  ' =>',
  ' (again)',
  ' /s',
]
const AFTERTHOUGHTS = [' Any idea?', ' cc @', '\n@ fyi', ' (sorry)', ' …', ' – see above', '\n> quoted', ' #']

function filled(text: string, seed: number): string {
  const { below, pick } = random(seed + 1)
  const some: Readonly<Record<string, () => string>> = {
    '@': () => pick(['<@U0BOB>', '<@U0EVE|eve>', '<!here>', '@carol']) ?? '',
    '#': () => String(1 + below(4096)),
    '%': () => pick(['qwen', 'llama', 'the box']) ?? '',
    '*': () => pick(['stop', 'retry', 'restart', 'smoke']) ?? '',
  }
  return text.replace(/[@#%]|\*(?= )/g, (mark) => some[mark]?.() ?? mark)
}
