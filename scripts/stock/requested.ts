import type { Text } from './collect.ts'

/** Answers that repeat themselves because their prompt asks for it. */
export function requestedRepeats(): readonly Text[] {
  return [...songs(), ...squares(), ...wordsWritten(), ...signsWritten(), ...figures(), ...rows()].map(
    ([prompt, text]) => ({ kind: KIND, prompt, text, path: prompt }),
  )
}

const KIND = { name: 'requested repeat', nature: 'requested' } as const

type Repeat = readonly [prompt: string, text: string]

function songs(): readonly Repeat[] {
  return [
    ['Write the lyrics of 99 Bottles of Beer', lines(99, (at) => bottles(99 - at))],
    ['Write the whole song "Old MacDonald Had a Farm"', lines(12, (at) => farm(at))],
    [
      'A song with a chorus that comes after each of eight verses',
      lines(
        8,
        (at) =>
          `Verse ${at + 1}: the river runs by the mill and the ${pick(THINGS, at)}.\nOh row, row, row your boat, and sing with me again!\nOh row, row, row your boat, and sing with me again!\n`,
      ),
    ],
  ]
}

function squares(): readonly Repeat[] {
  return [...[10, 12, 20, 25].flatMap((size) => tables(size)), ...[5, 10, 20, 40].flatMap((size) => matrices(size))]
}

function lines(count: number, line: (at: number) => string): string {
  return Array.from({ length: count }, (_, at) => line(at)).join('\n')
}

function cells(count: number, cell: (at: number) => string | number, between = ' '): string {
  return Array.from({ length: count }, (_, at) => cell(at)).join(between)
}

const THINGS = ['cow', 'duck', 'horse', 'pig', 'sheep', 'cat', 'dog', 'goat', 'hen', 'mule', 'owl', 'fox']

function pick(from: readonly string[], at: number): string {
  return from[at % from.length] ?? ''
}

function bottles(left: number): string {
  const some = (count: number) => (count === 1 ? '1 bottle' : `${count === 0 ? 'no more' : count} bottles`)
  return `${some(left)} of beer on the wall, ${some(left)} of beer.\nTake one down and pass it around, ${some(left - 1)} of beer on the wall.\n`
}

function farm(at: number): string {
  const animal = pick(THINGS, at)
  return `Old MacDonald had a farm, E-I-E-I-O,\nAnd on his farm he had a ${animal}, E-I-E-I-O.\nOld MacDonald had a farm, E-I-E-I-O.\n`
}

function tables(size: number): readonly Repeat[] {
  const row = (at: number, between: string) => cells(size, (column) => (at + 1) * (column + 1), between)
  return [
    [`Print the multiplication table up to ${size}`, lines(size, (at) => row(at, '\t'))],
    [
      `The multiplication table to ${size} times ${size} as sentences`,
      lines(size * size, (at) => {
        const [a, b] = [Math.floor(at / size) + 1, (at % size) + 1]
        return `${a} x ${b} = ${a * b}`
      }),
    ],
    [
      `A multiplication table of ${size} in Markdown`,
      `| x | ${cells(size, (at) => at + 1, ' | ')} |\n|${'---|'.repeat(size + 1)}\n${lines(size, (at) => `| ${at + 1} | ${row(at, ' | ')} |`)}`,
    ],
    [
      `A yes/no table: which of the numbers to ${size * 4} are even?`,
      `| n | even |\n|---|---|\n${lines(size * 4, (at) => `| ${at + 1} | ${at % 2 === 0 ? 'no' : 'yes'} |`)}`,
    ],
  ]
}

function matrices(size: number): readonly Repeat[] {
  const unit = (between: string) => (at: number) => cells(size, (column) => (column === at ? 1 : 0), between)
  return [
    [`Print the identity matrix of size ${size}`, lines(size, unit(' '))],
    [
      `The ${size} by ${size} identity matrix as a Python list`,
      `\`\`\`python\nI = [\n${lines(size, (at) => `    [${unit(', ')(at)}],`)}\n]\n\`\`\``,
    ],
    [
      `The ${size}x${size} identity matrix as JSON`,
      JSON.stringify(
        Array.from({ length: size }, (_, at) => Array.from({ length: size }, (__, column) => Number(column === at))),
      ),
    ],
    [
      `The identity matrix of size ${size} in LaTeX`,
      `\\begin{pmatrix}\n${lines(size, (at) => `${unit(' & ')(at)} \\\\`)}\n\\end{pmatrix}`,
    ],
    [`A ${size * 10} by ${size} matrix of zeros`, lines(size * 10, () => cells(size, () => 0))],
  ]
}

function wordsWritten(): readonly Repeat[] {
  const words = ['ha', 'no', 'hello', 'I will not talk in class.', 'よし', 'нет', '好', 'buffalo', 'test 123', '🎉']
  return words.flatMap((word): readonly Repeat[] => [
    [`Write '${word}' 500 times`, cells(500, () => word)],
    [`Write "${word}" 100 times, one a line`, lines(100, () => word)],
    [`Repeat ${word} 300 times, with commas`, cells(300, () => word, ', ')],
    [`Number it: "${word}" fifty times`, lines(50, (at) => `${at + 1}. ${word}`)],
  ])
}

function signsWritten(): readonly Repeat[] {
  const signs = [
    ['exclamation marks', '!'],
    ['question marks', '?'],
    ['dashes', '-'],
    ['asterisks', '*'],
    ['dots', '.'],
    ['underscores', '_'],
    ['zeros', '0'],
    ['equals signs', '='],
    ['hash signs', '#'],
  ] as const
  return signs.flatMap(([name, sign]): readonly Repeat[] => [
    [`Print exactly 400 ${name}`, sign.repeat(400)],
    [`Draw 20 lines of 80 ${name}`, lines(20, () => sign.repeat(80))],
  ])
}

function figures(): readonly Repeat[] {
  return [
    ['What is 1/3 to 800 places?', `0.${'3'.repeat(800)}`],
    ['What is 1/7 to 700 digits?', `0.${'142857'.repeat(117)}`],
    ['Count from 1 to 500', cells(500, (at) => at + 1, ', ')],
    ['Count down from 300 to 0, one a line', lines(301, (at) => String(300 - at))],
    ['A JSON array of 1000 zeros', JSON.stringify(Array.from({ length: 1000 }, () => 0))],
    ['Write out 10^500', `1${'0'.repeat(500)}`],
    [
      'FizzBuzz to 300',
      lines(300, (at) => {
        const n = at + 1
        return n % 15 === 0 ? 'FizzBuzz' : n % 5 === 0 ? 'Buzz' : n % 3 === 0 ? 'Fizz' : String(n)
      }),
    ],
    ['The base64 of 600 zero bytes', `${'A'.repeat(800)}`],
    [
      'A hex dump of 1 KB of zeros',
      lines(64, (at) => `${(at * 16).toString(16).padStart(8, '0')}  ${cells(16, () => '00')}  |................|`),
    ],
    ['The powers of two to 2^200', lines(201, (at) => `2^${at} = ${2n ** BigInt(at)}`)],
    ['All 8-bit numbers in binary', lines(256, (at) => at.toString(2).padStart(8, '0'))],
    [
      'A truth table of five variables',
      `${cells(5, (at) => pick(['A', 'B', 'C', 'D', 'E'], at), ' | ')} | and\n${lines(32, (at) => `${cells(5, (bit) => (at >> (4 - bit)) & 1, ' | ')} | ${at === 31 ? 1 : 0}`)}`,
    ],
  ]
}

function rows(): readonly Repeat[] {
  return [
    [
      'Draw a chess board with # and . as ASCII art, three times as big',
      lines(24, (at) => (at % 2 === 0 ? '# . ' : '. # ').repeat(12)),
    ],
    ['A brick wall in ASCII art', lines(20, (at) => (at % 2 === 0 ? '|___' : '__|_').repeat(16))],
    [
      'Write 60 SQL INSERT rows of test users',
      lines(60, (at) => `INSERT INTO users (id, name, active) VALUES (${at + 1}, 'user${at + 1}', true);`),
    ],
    ['A CSV of 200 sensors that all read 20.5', `id,room,value,unit\n${lines(200, (at) => `${at + 1},lab,20.5,C`)}`],
    [
      'JSON: 25 equal placeholder items',
      JSON.stringify(
        Array.from({ length: 25 }, () => ({ name: 'Placeholder', price: 0, tags: ['new', 'sale'] })),
        null,
        2,
      ),
    ],
    [
      'Write getters and setters for 20 fields in Java',
      `\`\`\`java\n${lines(20, (at) => `    public int getField${at}() {\n        return field${at};\n    }\n\n    public void setField${at}(int value) {\n        this.field${at} = value;\n    }\n`)}\`\`\``,
    ],
    [
      'An empty weekly planner for 24 hours in Markdown',
      `| hour | Mon | Tue | Wed | Thu | Fri |\n|---|---|---|---|---|---|\n${lines(24, (at) => `| ${at}:00 |     |     |     |     |     |`)}`,
    ],
    [
      'A calendar of a year, each month as a block',
      lines(
        12,
        (at) =>
          `Month ${at + 1}\nMo Tu We Th Fr Sa Su\n${lines(4, (week) => cells(7, (day) => String(week * 7 + day + 1).padStart(2)))}\n`,
      ),
    ],
    ['A drum pattern of 64 bars', lines(64, () => '|x-o-x-o-|x-o-xxo-|')],
    ['A poly-A tail of 600 nucleotides', 'A'.repeat(600)],
    ['Repeat the alphabet 30 times', lines(30, () => 'abcdefghijklmnopqrstuvwxyz')],
    [
      'A CSS skeleton with 20 equal cards',
      `\`\`\`html\n${lines(20, () => '<div class="card">\n  <div class="line"></div>\n  <div class="line"></div>\n</div>')}\n\`\`\``,
    ],
    ['重复“好”300次', '好'.repeat(300)],
    ['Schreibe 40 mal: Ich soll nicht schwatzen.', lines(40, () => 'Ich soll nicht schwatzen.')],
    ['Écris « bonjour » 200 fois', cells(200, () => 'bonjour')],
    ['Повтори слово «да» 300 раз', cells(300, () => 'да')],
  ]
}
