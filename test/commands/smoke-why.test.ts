import { expect, test } from 'vitest'
import type { Report } from '../../src/domain/report.ts'
import * as stories from '../../src/lab/stories.ts'
import type { Story } from '../../src/lab/story.ts'
import { exitOf } from '../../src/surfaces/terminal/exit.ts'
import { chats, lab, rowsOf, THREAD, there } from './lab.ts'

const factOf = (report: Report | undefined, label: string) => report?.facts.find((one) => one.label === label)?.value

test('the field story: an empty answer is explained by experiments, with a table, what is left and what it cost', async () => {
  const { say, server } = await lab()
  await say('/smoke "Say hello" --max-tokens 200')
  const before = chats(server)
  const heard = await say('smoke why', there)
  const told = heard.answer()
  expect(heard.begun[0]?.title).toMatch(/^0 of \d experiments done/)
  expect(heard.begun[0]?.actions.map(({ label }) => label)).toEqual(['Stop'])
  expect(told?.title).toMatch(/^After \d experiments: Broken\./)
  expect(exitOf(told?.status ?? 'running')).toBe(1)
  const raw = rowsOf(told).find(([name]) => name === 'Past template and parser')
  expect(raw?.[2]).toMatch(/^3 of 3 raw answers are empty, with the bare prompt/)
  expect(raw?.[3]).toBe('model.immediate-eos')
  expect(raw?.[4]).toMatch(/parser\./)
  const same = rowsOf(told).find(([name]) => name === 'Same prompt ×5')
  expect(same?.[2]).toMatch(/^5 of 5 repeats fail \(error rate 100 %, 95 % interval 57 to 100 %\)/)
  expect(told?.sections[0]?.kind).toBe('diagnosis')
  expect(told?.summary).toMatch(/\nNext: /)
  expect(factOf(told, 'Requests')).toBe(String(chats(server) - before))
  expect(factOf(told, 'Tokens')).toMatch(/^[\d,]+ of at most 20,000 tokens spent, read and written$/)
  expect(factOf(told, 'Kept')).toMatch(/none counts as an attempt/)
  console.info(`${told?.title} ${factOf(told, 'Tokens')}, ${factOf(told, 'Requests')} requests`)
})

test('a spent budget is told from an endless thought, and the thread keeps its one attempt', async () => {
  const { say, store } = await lab({ story: stories.overthink })
  await say('/smoke "Write a Python is_prime function" --max-tokens 2000')
  const told = (await say('smoke why', there)).answer()
  const doubled = rowsOf(told).find(([name]) => name === 'Twice the budget')
  expect(doubled?.[2]).toMatch(/^1 of 1 answered within 4,000 tokens, using 1,720: the budget was too small$/)
  expect(told?.json).toMatchObject({ code: 'budget.reasoning-exhausted', attempt: 1, verdict: 'request-limit' })
  expect(told?.sections[0]?.body).toMatch(/max_tokens=4000/)
  const kept = await store.lastAttempt(THREAD, null)
  expect(kept.ok && kept.value?.number).toBe(1)
})

test('a failed smoke offers Why? and its two cheapest experiments beside the buttons it has; a healthy one does not', async () => {
  const { say, server } = await lab()
  const broken = (await say('/smoke "Say hello"')).answer()
  expect(broken?.actions.map(({ label }) => label)).toEqual([
    ...['Retry', 'Thinking off', 'Raw'],
    ...['Why?', 'Past template and parser', 'Known answers'],
  ])
  expect(broken?.actions.at(-1)?.line).toBe('smoke why --only known-answers --target qwen')
  server.setStory(stories.healthy)
  const healthy = (await say('/smoke "Say hello"')).answer()
  expect(healthy?.actions.map(({ label }) => label)).toEqual(['Retry', 'Thinking off', 'Raw'])
})

test('a button runs its one experiment on its own attempt, also when others came after', async () => {
  const { say, server, store } = await lab()
  const first = await say('/smoke "Say hello"')
  server.setStory(stories.healthy)
  await say('smoke "Say hello"', there)
  const line = first.answer()?.actions.find(({ label }) => label === 'Past template and parser')?.line ?? ''
  const id = first.buttons.get('Past template and parser') ?? ''
  const button = await say('smoke why --only raw-text --target qwen', {
    how: 'button',
    place: THREAD,
    attempt: await attemptOf(id),
  })
  expect(line).toBe('smoke why --only raw-text --target qwen')
  expect(button.answer()?.json).toMatchObject({ attempt: 1, experiments: [{ name: 'raw-text', asked: 3 }] })

  async function attemptOf(button: string): Promise<string | null> {
    const found = await store.button(button)
    return found.ok ? (found.value?.attempt ?? null) : null
  }
})

test('--attempt names an attempt of the thread, and says where there is none', async () => {
  const { say, server } = await lab()
  await say('/smoke "Say hello"')
  server.setStory(stories.healthy)
  await say('smoke "Say hello"', there)
  expect((await say('smoke why --attempt 1 --only same-prompt', there)).answer()?.json).toMatchObject({
    attempt: 1,
    experiments: [{ name: 'same-prompt', said: expect.stringMatching(/^0 of 5 repeats fail/) }],
  })
  expect((await say('smoke why --attempt 9', there)).answer()?.title).toBe('This thread has no attempt 9.')
  expect((await say('smoke why', there)).answer()?.title).toMatch(/healthy: there is nothing to explain.*same-prompt/)
})

test('a prompt that begins with the word stays a prompt', async () => {
  const { say, server } = await lab({ story: stories.healthy })
  await say('/smoke why is the sky blue')
  expect(server.requests().at(-1)?.body ?? '').toContain('why is the sky blue')
  await say('/smoke "why"')
  expect(server.requests().filter(({ body }) => body.includes('"content":"why"'))).toHaveLength(1)
})

test.each([
  [
    'smoke why --only nonsense',
    /^There is no experiment “nonsense”\. Next: name one of other-parser, prompt-tokens, raw-text, /,
  ],
  [
    'smoke why --only double-budget',
    /^Twice the budget tells nothing about that attempt: it is for attempts where the budget/,
  ],
  ['smoke why --only other-target', /^Another target tells nothing/],
  ['smoke why --only eight-at-once', /^Eight at once loads qwen, so it takes an operator: .*Next: /],
])('%s is refused, and nothing is asked', async (line, title) => {
  const { say, server } = await lab()
  await say('/smoke "Say hello"')
  const before = chats(server)
  expect((await say(line, there)).answer()?.title).toMatch(title)
  expect(chats(server)).toBe(before)
})

test('another target of the same engine is asked the same', async () => {
  const { say } = await lab({ spare: true })
  await say('/smoke "Say hello" --target qwen')
  const told = (await say('smoke why --only other-target', there)).answer()
  expect(rowsOf(told)[0]?.[2]).toMatch(/^3 of 3 are good on spare: the prompt is not the cause/)
})

test('no more tokens are spent than the bound: what may take more is left out, and said', async () => {
  const { say, server } = await lab({ story: stories.loop })
  await say('/smoke "What is 2 + 2?" --max-tokens 400')
  const told = (await say('smoke why --tokens 1000', there)).answer()
  const [, spent = ''] = /^([\d,]+) of at most 1,000 tokens/.exec(factOf(told, 'Tokens') ?? '') ?? []
  expect(Number(spent.replace(',', ''))).toBeLessThanOrEqual(1_000)
  expect(rowsOf(told).some(([, , came]) => came?.startsWith('left out: it may take more tokens than are left'))).toBe(
    true,
  )
  const budgets = server.requests().flatMap(({ body }) => /"max(?:_new)?_tokens":(\d+)/.exec(body)?.[1] ?? [])
  expect(Math.max(...budgets.map(Number))).toBeLessThanOrEqual(1_000)
  console.info(`bound 1,000: ${spent} tokens spent`)
})

test('Stop in the middle ends it: what had come is told and settles nothing, what was to come is left out', async () => {
  const { say, start, server } = await lab({ story: stories.eosInReasoning, tokensPerSecond: 200 })
  await say('/smoke "Say hello"')
  const before = chats(server)
  const { heard, done } = start('smoke why --only same-prompt', there)
  await expect.poll(() => chats(server), { interval: 5, timeout: 8_000 }).toBe(before + 3)
  await say(heard.begun[0]?.actions[0]?.line ?? '', { how: 'button', place: THREAD })
  await done
  const told = heard.answer()
  expect(factOf(told, 'Stopped by')).toBe('Anna')
  expect(rowsOf(told)[0]?.[2]).toMatch(/^not settled: 2 of 5 came\. If the rest were alike: 2 of 2 repeats fail /)
  expect(rowsOf(told)[0]?.slice(3)).toEqual(['–', '–'])
  expect(told?.title).toMatch(/^After 1 experiment, stopped: /)
  await expect.poll(() => server.busy()).toBe(0)
})

test('the prompt is counted and the stop token spelled before anything else, for no token', async () => {
  const { say, server } = await lab()
  await say('/smoke "Say hello"')
  const told = (await say('smoke why --only prompt-tokens', there)).answer()
  expect(rowsOf(told)[0]?.slice(1)).toEqual([
    '2 of 2 requests, 0 tokens',
    'the server read all 3 tokens of the prompt, and 10 tokens of its template; stop token 248046 is “<|im_end|>”',
    '–',
    'context.silently-truncated, template.missing',
  ])
  expect(factOf(told, 'Tokens')).toMatch(/^0 of at most 20,000 tokens/)
  expect(
    server
      .requests()
      .slice(-2)
      .map(({ path }) => path),
  ).toEqual(['/tokenize', '/detokenize'])
  const all = (await say('smoke why', there)).answer()
  expect(rowsOf(all)[0]?.[0]).toBe('Prompt and end, counted')
})

test('thinking in the content is taken apart by the model’s own parser, for no token', async () => {
  const { say } = await lab({ story: unparsed, version: '0.5.18' })
  const smoke = (await say('/smoke "Say hello"')).answer()
  expect(smoke?.actions.map(({ label }) => label)).toContain('The model’s own parser')
  const told = (await say('smoke why --only other-parser', there)).answer()
  expect(rowsOf(told)[0]?.[1]).toBe('1 of 1 request, 0 tokens')
  expect(rowsOf(told)[0]?.[2]).toMatch(
    /^qwen3 takes the text apart, 23 characters of reasoning and 6 of answer, and qwen3 is set: the parser fits/,
  )
  expect(rowsOf(told)[0]?.[3]).toBe('parser.reasoning-missing')
  expect(told?.json).toMatchObject({ code: 'parser.reasoning-missing', tokens: 0 })
})

test('a server too old for its tokenizer routes is told, and an engine without them is not asked', async () => {
  const { say } = await lab({ version: '0.5.3' })
  await say('/smoke "Say hello"')
  expect((await say('smoke why --only prompt-tokens', there)).answer()?.title).toMatch(
    /^Prompt and end, counted tells nothing/,
  )
})

/** A server without its reasoning parser. */
const unparsed: Story = {
  name: 'unparsed',
  health: 200,
  play: () => ({
    act: 'speak',
    pieces: ['<think>\n', 'The user wants', ' a hello.\n', '</think>\n\n', 'Hello.'].map((text) => ({
      channel: 'content',
      text,
    })),
    hidden: 1,
    toolCalls: [],
    finish: 'stop',
    stop: 248_046,
    ending: 'whole',
  }),
}

test('outside of a thread it says where it is asked', async () => {
  const { say } = await lab()
  await say('smoke "Say hello"')
  for (const line of ['smoke why', 'smoke why --attempt 1'])
    expect((await say(line, { how: 'slash' })).answer()?.title).toBe(
      'smoke why explains the smoke of a thread, and this was asked outside of one. Next: press Why? in the thread of that smoke, or mention the bot there with smoke why.',
    )
})

test('without a smoke in the thread there is nothing to explain', async () => {
  const { say } = await lab()
  expect((await say('smoke why', there)).answer()?.title).toBe(
    'No smoke on qwen has ended in this thread yet. Start with: smoke "Say hello"',
  )
})
