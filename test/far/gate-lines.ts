import { random } from '../random.ts'

/** Lines as a broken client or an attacker may send them: legal ones, some of them damaged. No NUL, which no line can have. */
export function fuzzedLines(seed: number, count: number, share: Share): readonly string[] {
  const chance = random(seed)
  return Array.from({ length: count }, () => {
    const line = legalLine(chance)
    const dice = chance.below(100)
    if (dice < share.legal) return line
    if (dice < share.legal + 3) return binary(chance, 1 + chance.below(500))
    return damaged(chance, line, 1 + chance.below(3))
  })
}

interface Share {
  /** percent of lines that stay as they are */
  readonly legal: number
}

type Chance = ReturnType<typeof random>

function legalLine(chance: Chance): string {
  const form = chance.pick(LEGAL) ?? ''
  const line = form.replace(/[A-Z0-9]{2,}/g, (name) => WORDS[name]?.(chance) ?? name)
  return chance.below(2) === 0 ? line : `/bin/sh -s -- ${line}`
}

const LEGAL = [
  ...['ping', 'gpu', 'gpu-processes', 'cards', 'dmesg-gpu', 'pci', 'host-health', 'units', 'disk', 'listeners'].map(
    (verb) => `${verb} OP`,
  ),
  ...['unit', 'tree', 'model-files', 'versions', 'disk'].map((verb) => `${verb} OP ALIAS`),
  'listeners OP NUM',
  'process OP NUM',
  'opstat OP OP',
  'log OP ALIAS lines NUM',
  'log OP ALIAS lines NUM grep B64',
  'log OP main lines NUM since NUM invocation HEX after CURSOR grep B64',
  'log OP file lines NUM offset NUM grep B64',
  'follow OP ALIAS seconds NUM',
  'follow OP main seconds NUM after CURSOR invocation HEX',
  ...['start', 'stop', 'restart', 'stop', 'restart', 'reset-failed'].map((verb) => `${verb} OP ALIAS GEN.SEEN`),
  'variant OP ALIAS GEN.SEEN VARIANT',
  'kill OP ALIAS GEN.SEEN NUM NUM root SIGNAL',
]

const WORDS: Readonly<Record<string, (chance: Chance) => string>> = {
  // few of them, so that operations come again
  OP: (chance) => chance.below(90).toString(16).padStart(32, '0'),
  HEX: (chance) => hex(chance, 32),
  ALIAS: (chance) => chance.pick(['main', 'main', 'main', 'main', 'file', 'web', 'sglang.service', '..']) ?? '',
  NUM: (chance) => String(chance.pick([0, 1, 22, 600, 601, 4096, 5000, 5001, 65_536, 4_194_304, chance.below(99_999)])),
  B64: (chance) =>
    Buffer.from(binary(chance, chance.below(40)), 'latin1')
      .toString('base64url')
      .replace(/^-/, 'A'),
  CURSOR: (chance) => [32, 3, 32, 8, 13, 16].map((length) => hex(chance, length)).join('.'),
  // about where the generation of `main` is after ten changes
  GEN: (chance) => String(8 + chance.below(6)),
  SEEN: (chance) =>
    chance.pick(['stopped', 'stopped', 'stopped', 'loop', 'starting', 'stopping', `active-${hex(chance, 32)}`]) ?? '',
  VARIANT: (chance) => chance.pick(['none', 'fast', 'slow']) ?? '',
  SIGNAL: (chance) => chance.pick(['TERM', 'KILL', 'HUP']) ?? '',
}

function hex(chance: Chance, length: number): string {
  return Array.from({ length }, () => chance.below(16).toString(16)).join('')
}

function binary(chance: Chance, length: number): string {
  return String.fromCharCode(...Array.from({ length }, () => 1 + chance.below(255)))
}

function damaged(chance: Chance, line: string, times: number): string {
  if (times === 0) return line
  return damaged(chance, (chance.pick(DAMAGE) ?? inserted)(chance, line), times - 1)
}

const DAMAGE: readonly ((chance: Chance, line: string) => string)[] = [
  inserted,
  inserted,
  (chance, line) => replaced(chance, line, binary(chance, 1)),
  (chance, line) => replaced(chance, line, ''),
  (chance, line) => replaced(chance, line, hex(chance, 1)),
  (chance, line) => line.replaceAll(' ', chance.pick(['  ', '\t', '', '\n', '$IFS', ' -']) ?? ''),
  (chance, line) => shuffledWords(chance, line),
  (chance, line) => `${line} ${line.split(' ').at(-1 - chance.below(3)) ?? ''}`,
  // of ASCII alone: a line is of bytes, and the capital of ÿ is none
  (_, line) => line.replace(/[a-z]+/g, (word) => word.toUpperCase()),
  (chance, line) => `${line}${' a'.repeat(chance.below(260))}`,
  (chance, line) =>
    `${line} ${(chance.pick(['a', '9', '%', '-']) ?? '').repeat(chance.below(chance.pick([300, 20_000]) ?? 1))}`,
  (chance, line) => line.slice(0, chance.below(line.length + 1)),
  (chance, line) =>
    `${chance.pick(['/bin/sh -c ', '/bin/sh -s -- ', 'sudo ', '-', ' ', 'PATH=/tmp ', 'exec ']) ?? ''}${line}`,
]

/** What means something to some shell, or to a program that reads its arguments. */
const HOSTILE = [
  ...';|&<>$`"\'\\(){}[]*?~#!=%^\n\r\t/:,@+'.split(''),
  ...[
    '$(id)',
    '`id`',
    ' --help ',
    ' -x ',
    '../',
    '..',
    '\x1b[31m',
    '\xff',
    '\x80\x81\x82',
    '%n',
    '$IFS',
    ' as-root ',
    ' . ',
    ' _ ',
  ],
]

function inserted(chance: Chance, line: string): string {
  const at = chance.below(line.length + 1)
  return `${line.slice(0, at)}${chance.pick(HOSTILE) ?? ''}${line.slice(at)}`
}

function replaced(chance: Chance, line: string, by: string): string {
  const at = chance.below(line.length + 1)
  return `${line.slice(0, at)}${by}${line.slice(at + 1)}`
}

function shuffledWords(chance: Chance, line: string): string {
  const words = line.split(' ')
  const [one, other] = [chance.below(words.length), chance.below(words.length)]
  return words.map((word, at) => (at === one ? words[other] : at === other ? words[one] : word)).join(' ')
}
