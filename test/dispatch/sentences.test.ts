import { expect, test } from 'vitest'
import { commands } from '../../src/commands/index.ts'
import type { Command } from '../../src/domain/command.ts'
import { CHANNEL, openHouse } from '../commands/house.ts'
import { sentence } from './sentences.ts'

const THREAD = { channel: CHANNEL, thread: '1700000000.000100' }
const SENTENCES = 10_000

const NAMES = [
  ...new Set(commands.flatMap(({ word, verb }) => [word, ...(verb === null ? [] : [`${word} ${verb}`, verb])])),
]

/** A house whose thread is bound to a target and holds an attempt, and how many asks it let run there. */
async function boundThread() {
  const { say, store } = await openHouse()
  await say('/smoke "Say hello"')
  const reply = (text: string) => say(text, { how: 'thread', place: THREAD, said: { form: 'encoded', text } })
  const mention = (text: string) =>
    say(text, { how: 'mention', place: THREAD, said: { form: 'encoded', text: `<@U000BOT> ${text}` } })
  return { reply, mention, store }
}

test('10,000 human sentences that begin with our words: no command runs, nothing is said', async () => {
  const { reply, store } = await boundThread()
  const before = await store.audits(1_000)
  const different = new Set<string>()
  const spoke: string[] = []
  for (let seed = 0; seed < SENTENCES; seed += 1) {
    const text = sentence(seed, NAMES)
    different.add(text)
    const heard = await reply(text)
    if (heard.begun.length + heard.ended.length > 0) spoke.push(text)
  }
  console.log(
    `sentences that made the bot run or speak: ${spoke.length} of ${SENTENCES}, ${different.size} of them different`,
  )
  expect([...new Set(spoke)].slice(0, 20)).toEqual([])
  expect(allowed(await store.audits(1_000))).toBe(allowed(before))
  expect(different.size).toBeGreaterThan(3_000)
})

function allowed(audits: Awaited<ReturnType<Awaited<ReturnType<typeof openHouse>>['store']['audits']>>): number {
  if (!audits.ok) throw new Error(audits.failure.observed)
  return audits.value.filter(({ decision }) => decision === 'allowed').length
}

const spoken = ({ word, verb }: Command): string => (verb === null ? word : `${word} ${verb}`)
const bare = commands.filter((one) => one.bind({ prompt: null, words: [], flags: {} }).ok)
const looks = bare.filter(
  (one) => ['anyone', 'read'].includes(one.access) && !one.needsMention && one.takes !== 'prompt',
)

test.each(looks.map(spoken))(
  'the control: a reply of exactly “%s” is a command, also in capitals and with spaces around',
  async (line) => {
    const { reply } = await boundThread()
    for (const written of [line, `  ${line}\n`, line.toUpperCase()]) {
      expect((await reply(written)).ended, written).toHaveLength(1)
    }
  },
)

test.each(bare.map(spoken))('and “%s” with a mention is always answered', async (line) => {
  const { mention } = await boundThread()
  expect((await mention(line)).ended).toHaveLength(1)
})

test('what changes something, or says so by itself, never runs without a mention', async () => {
  const { reply } = await boundThread()
  for (const one of commands.filter((command) => !looks.includes(command) || command.needsMention)) {
    expect((await reply(spoken(one))).ended, spoken(one)).toHaveLength(0)
  }
})
