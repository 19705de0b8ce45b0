import { expect, test } from 'vitest'
import { openStore } from '../../src/adapters/store-sqlite.ts'
import { welcomeIn } from '../../src/app/welcome.ts'
import { nothingSet } from '../../src/config.ts'
import type { SlashSettings } from '../../src/domain/config.ts'
import type { Outcome } from '../../src/domain/outcome.ts'
import { failed, ok } from '../../src/domain/outcome.ts'
import { slashIn } from '../../src/domain/slash.ts'
import { usualKey } from '../../src/domain/usual.ts'
import { target } from '../commands/house.ts'

interface Given {
  readonly channel?: string
  readonly shared?: Outcome<boolean>
  readonly said?: string
  readonly slash?: SlashSettings
}

const HERE = 'C0GPU'

async function hello({ channel = HERE, shared = ok(false), said, slash = nothingSet.slash }: Given = {}) {
  const opened = await openStore({ path: ':memory:', redact: String })
  if (!opened.ok) throw new Error(opened.failure.observed)
  const store = opened.value
  if (said !== undefined) await store.note(usualKey(channel), said)
  const channels = [{ id: HERE, targets: [], target: 'qwen' }]
  const config = { ...nothingSet, targets: [target('qwen'), target('looper')], channels }
  const chat = { group: nobody, shared: async () => shared, person: nobody }
  const report = await welcomeIn(channel, { config, slash: slashIn(slash), store, directory: () => chat })
  await store.close()
  return report
}

const LOST = { kind: 'lost', thing: 'Slack', observed: 'ECONNRESET', next: 'check the network' } as const
const nobody = async () => failed<never>(LOST)

test('where it may be asked: what it is, what to type, which target is meant', async () => {
  expect(await hello()).toMatchObject({
    title: 'Hello. I prove that your models work, not only that their servers run.',
    summary:
      'Type /smoke "Say hello" for a first proof, /pilotflame help for the rest. qwen is meant here, as pilotflame.yml says. Another one: /sglang use NAME',
    lead: '',
    sections: [],
    actions: [],
  })
})

test('what was said in the channel before is remembered', async () => {
  expect((await hello({ said: 'looper' })).summary).toContain('looper is meant here, as somebody said in this channel')
})

test('where it may not be asked yet: the lines for pilotflame.yml, with this channel, and no target', async () => {
  const report = await hello({ channel: 'C0NEW12' })
  expect(report.summary).toMatch(/^Nothing may be asked here yet\./)
  expect(report.sections).toEqual([
    { kind: 'code', title: 'In pilotflame.yml', body: 'slack:\n  channels:\n    C0NEW12: {}', folded: false },
  ])
  expect(JSON.stringify(report)).not.toMatch(/qwen|looper/)
})

test('in a shared channel it says who sees the answers and that it changes nothing', async () => {
  const report = await hello({ shared: ok(true) })
  expect(report.summary).toMatch(/qwen is meant here, as pilotflame.yml says\.$/)
  expect(report.lead).toBe(
    'People of another organisation are in this channel: they see every answer and may ask nothing, and I change nothing here.',
  )
})

test('where Slack does not tell whether it is shared, it says so', async () => {
  expect((await hello({ shared: failed(LOST) })).lead).toMatch(
    /^I change nothing here, since Slack does not tell .*ECONNRESET/,
  )
})

test('it names the words of this workspace', async () => {
  const { summary } = await hello({ slash: { prefix: 'acme-', aliases: {} } })
  expect(summary).toContain('/acme-smoke "Say hello"')
  expect(summary).toContain('/acme-pilotflame help')
  expect(summary).not.toMatch(/ \/(?:smoke|pilotflame|sglang)/)
})
