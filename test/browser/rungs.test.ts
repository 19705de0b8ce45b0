import { expect } from 'vitest'
import { PATIENT, test } from './desk.ts'

test('containers are refused: reasoning and content stand under titles of their own', async ({ desk }) => {
  const { thread, slack, type } = desk
  slack.refuses('container')
  await type('/smoke "Say hello"')
  await thread.getByRole('button', { name: 'Raw' }).waitFor(PATIENT)
  for (const title of ['Reasoning', 'Content']) await thread.locator('strong', { hasText: title }).waitFor(PATIENT)
  expect(await thread.locator('details').count()).toBe(0)
  await thread.getByText('Hello!').first().waitFor(PATIENT)
})

test('tables are refused: the rows stand in columns of code', async ({ desk }) => {
  const { thread, slack, type } = desk
  slack.refuses('table')
  await type('/smoke "Say hello" on all')
  const rows = thread.locator('pre', { hasText: 'Verdict' })
  await rows.waitFor(PATIENT)
  expect(await thread.locator('table').count()).toBe(0)
  const lines = ((await rows.textContent()) ?? '').trim().split('\n')
  expect(lines.map((line) => line.split(' ')[0])).toEqual(['Target', 'qwen-059', 'looper', 'field', 'thinker', 'qwen'])
  expect(new Set(lines.map((line) => line.search(/Verdict|Broken|Misconf|Request limit|Healthy/))).size).toBe(1)
})

test('all blocks are refused: words alone say the verdict, both channels, and what the buttons would be', async ({
  desk,
}) => {
  const { page, parent, thread, slack, type } = desk
  slack.refuses('blocks')
  await type('/smoke "Say hello" --target qwen-059')
  await parent.getByText('Broken. The model ends at once.').waitFor(PATIENT)
  await thread.getByText('[Retry]').waitFor(PATIENT)
  await thread.getByText('The server sent null').first().waitFor(PATIENT)
  await thread.getByText('mention the bot with help').waitFor(PATIENT)
  expect(await page.locator('#channel .actions, #thread .actions, details').count()).toBe(0)
})

test('files are refused: the text is cut in its middle, and a note says what is missing', async ({ desk }) => {
  const { thread, section, slack, type } = desk
  slack.refuses('files')
  await type('/smoke "Write a Python is_prime function" --target thinker')
  const reasoning = section('Reasoning').first()
  await reasoning.locator('summary').click(PATIENT)
  await reasoning.getByText(/characters between are in reasoning\.txt/).waitFor(PATIENT)
  await thread.getByText('reasoning.txt could not be uploaded: Slack says').waitFor(PATIENT)
  await thread.getByRole('button', { name: 'Raw' }).waitFor(PATIENT)
  expect(await thread.locator('.file').count()).toBe(0)
})

test('a plan whose buttons are refused can be read, cannot be pressed, and nothing is done', async ({ desk }) => {
  const { page, slack, type, done } = desk
  slack.refuses('blocks')
  await type('/sglang restart qwen --reason "new weights"')
  await page.getByText('[Restart qwen] [Cancel]').first().waitFor(PATIENT)
  await page
    .getByText(/Restart qwen\?/)
    .first()
    .waitFor(PATIENT)
  await page.getByText('pilotflame slack check --channel C0GPU').first().waitFor(PATIENT)
  expect(await page.getByRole('button', { name: 'Restart qwen' }).count()).toBe(0)
  expect(done()).toEqual([])
})
