import { expect, onTestFinished, test } from 'vitest'
import { startLab } from '../../src/lab/index.ts'
import { startSlack } from '../../src/lab/slack/index.ts'
import { asksOf, castFor } from '../chaos/asks.ts'
import { pilotflame } from '../chaos/bot.ts'

test('a smoke on all targets is one message of the channel, and one table under it, worst first', async () => {
  const slack = await startSlack({ port: 0, ...castFor(asksOf(1, 1)) })
  const lab = await startLab({ tokensPerSecond: 4000 })
  const bot = await pilotflame(slack, lab, [])
  onTestFinished(async () => {
    await bot.close()
    await lab.close()
    await slack.close()
  })
  await bot.start()
  const [channel, person] = ['C0CHAOS0', 'U0CHAOS0']
  expect(await slack.slash('/smoke', '"Say hello" on all', person, channel)).toMatchObject({ ok: true })
  const own = () => slack.messages(channel).filter(({ user }) => user === slack.botUser)
  const ended = ({ text, replies }: ReturnType<typeof own>[number]) =>
    text.includes('2 of 4 healthy') && lab.targets.every(({ name }) => JSON.stringify(replies).includes(name))
  const message = await slack.until(() => own().find(ended), 20_000)
  expect(own()).toHaveLength(1)
  const [worst, best] = ['qwen-059', 'thinker'].map((name) => JSON.stringify(message.replies).indexOf(name))
  expect(worst).toBeLessThan(best ?? 0)
  expect(slack.buttons(message.ts)).not.toContain('Stop')
}, 40_000)
