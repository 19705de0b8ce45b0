import { expect, test } from 'vitest'
import { help } from '../../src/app/diagnose/usage.ts'
import { helpFor, programWordMeant, usage } from '../../src/app/usage.ts'
import { commands } from '../../src/commands/index.ts'
import { paint } from '../../src/surfaces/terminal/paint.ts'
import { renderReport } from '../../src/surfaces/terminal/render.ts'
import { openHouse } from '../commands/house.ts'

/** Columns of the usual terminal. */
const WIDTH = 80
const PERSON = { team: 'local', id: 'me', name: 'me', kind: 'local' } as const

/** Lines that a terminal would break. What is meant to be copied stays in one line, and so does a title, which is a sentence. */
function broken(text: string): readonly string[] {
  return text.split('\n').filter((line) => line.length > WIDTH && !/^(?:• | {2}e\.g\. | {2}\{"id")/.test(line))
}

test.each<readonly [string, string]>([
  ['--help', usage()],
  ['diagnose --help', help()],
  ...['config', 'slack', 'manifest', 'start'].map(
    (word) => [`${word} --help`, helpFor([word, '--help']) ?? ''] as const,
  ),
])('pilotflame %s fits a terminal', (_, text) => {
  expect(text).toMatch(/^.+\n/)
  expect(broken(text)).toEqual([])
})

test('the help of every command fits a terminal, and examples there begin with the program', async () => {
  const { say } = await openHouse()
  const asked = [[], ...commands.map(({ word, verb }) => [word, ...(verb === null ? [] : [verb])])]
  for (const words of asked) {
    const said = { form: 'words', words: ['help', ...words] } as const
    const place = { channel: 'terminal', thread: null }
    const report = (await say('', { how: 'terminal', said, person: PERSON, place })).answer()
    if (report === undefined) throw new Error('no answer')
    const text = renderReport(report, { style: paint(false), clean: (one) => one, remembers: false, full: true })
    expect(broken(text), words.join(' ')).toEqual([])
    const chatOnly =
      commands.find(({ word, verb }) => word === words[0] && verb === (words[1] ?? null))?.where === 'chat'
    const examples = text.split('\n').filter((line) => line.startsWith('  e.g. '))
    if (!chatOnly) for (const line of examples) expect(line).toMatch(/^ {2}e\.g\. pilotflame /)
  }
  expect(asked.length).toBeGreaterThan(20)
})

test.each([
  ['dignose', 'diagnose'],
  ['confg', 'config'],
  ['verson', 'version'],
  // of the chat as well, and told of there
  ['smok', null],
  ['dotcor', null],
  ['audti', null],
  ['explain', null],
  ['diagnose', null],
  ['nonsense', null],
])('the first word %s of a terminal means %s', (word, meant) => {
  expect(programWordMeant(word, commands)).toBe(meant)
})

test('no help has two blank lines in a row, nor one at an end', async () => {
  const { say } = await openHouse()
  const place = { channel: 'terminal', thread: null }
  for (const { word, verb } of commands) {
    const said = { form: 'words', words: ['help', word, ...(verb === null ? [] : [verb])] } as const
    const { sections = [] } = (await say('', { how: 'terminal', said, person: PERSON, place })).answer() ?? {}
    expect(sections).not.toEqual([])
    for (const { body } of sections) expect(body).not.toMatch(/\n\n\n|^\n|\n$/)
  }
})
