import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { openLog } from '../../src/adapters/log.ts'
import { startDemo } from '../../src/demo.ts'
import { test as browserTest } from './chromium.ts'

/** A page that is held up by another test's work is no fault. */
const PATIENT = { timeout: 30_000 }

/** The whole house on the page: the bot, the demo's boxes, a person at the keyboard. */
const test = browserTest.extend<{ desk: ReturnType<typeof deskOn> }>({
  async desk({ open }, use) {
    const log = openLog({ level: 'silent', redact: (text) => text })
    const started = await startDemo({ port: 0, log, config: null, tokensPerSecond: 400 })
    if (!started.ok) throw new Error(started.failure.observed)
    const page = await open(started.value.url)
    await page.getByText('Pilotflame is connected').waitFor(PATIENT)
    await use(deskOn(page))
    await page.close()
    await started.value.close()
  },
})

function deskOn(page: Page) {
  const thread = page.getByTestId('thread')
  return {
    thread,
    runs: page.locator('#channel article'),
    parent: page.locator('#channel article').last(),
    section: (title: string) => thread.locator('details', { has: page.locator('summary', { hasText: title }) }),
    async type(line: string) {
      await page.getByTestId('composer').pressSequentially(line)
      await page.getByTestId('composer').press('Enter')
    },
  }
}

test('/smoke "Say hello": progress, the verdict, and sections that open and close', async ({ desk }) => {
  const { parent, section, type } = desk
  await type('/smoke "Say hello"')
  await parent.getByRole('button', { name: 'Stop' }).waitFor(PATIENT)
  await parent.getByText('Healthy').waitFor(PATIENT)
  expect(await parent.getByRole('button', { name: 'Stop' }).count()).toBe(0)
  const [reasoning, content] = [section('Reasoning'), section('Content')]
  await reasoning.waitFor(PATIENT)
  expect([await reasoning.getAttribute('open'), await content.getAttribute('open')]).toEqual([null, ''])
  const [thought, answer] = [reasoning.locator('.inside'), content.locator('.inside')]
  expect([await thought.isVisible(), await answer.isVisible()]).toEqual([false, true])
  await reasoning.locator('summary').click()
  await content.locator('summary').click()
  expect([await thought.isVisible(), await answer.isVisible()]).toEqual([true, false])
  expect(await thought.textContent()).toMatch(/\w+ \w+/)
  await reasoning.locator('summary').click()
  await content.locator('summary').click()
  expect([await thought.isVisible(), await answer.isVisible()]).toEqual([false, true])
})

test('a model that ends at once is called broken, and what is missing is said in words', async ({ desk }) => {
  const { parent, section, type } = desk
  await type('/smoke "Say hello" --target qwen-059')
  await parent.getByText('Broken. The model ends at once.').waitFor(PATIENT)
  await section('Content').getByText('The server sent null').waitFor(PATIENT)
  expect(await section('Diagnosis').textContent()).toContain('immediate-eos')
})

test('Retry ×2 budget runs a second attempt in the same thread', async ({ desk }) => {
  const { thread, runs, parent, section, type } = desk
  await type('/smoke "Write a Python is_prime function" --target thinker')
  await parent.getByText('The reasoning used up the budget').waitFor(PATIENT)
  await thread.getByRole('button', { name: 'Retry ×2 budget' }).click(PATIENT)
  await thread.getByText('Attempt 2: Healthy').waitFor(PATIENT)
  await section('Content').nth(1).getByText('is_prime').waitFor(PATIENT)
  expect(await runs.count()).toBe(1)
})

test('Stop ends a run while it thinks, and says who stopped it', async ({ desk }) => {
  const { parent, section, type } = desk
  await type('/smoke "Write a Python is_prime function" --target thinker')
  await parent.getByText(/Thinking: about [\d,]+ tokens/).waitFor(PATIENT)
  await parent.getByRole('button', { name: 'Stop' }).click()
  await parent.getByText('A person stopped it').waitFor(PATIENT)
  await section('Diagnosis').waitFor(PATIENT)
  expect(await section('Diagnosis').textContent()).toContain('anna stopped it')
  expect(await parent.getByRole('button', { name: 'Stop' }).count()).toBe(0)
})

test('a reply in the thread knows the target: raw', async ({ desk }) => {
  const { thread, section, type } = desk
  await type('/smoke "Say hello" --target qwen-059')
  await section('Diagnosis').waitFor(PATIENT)
  await thread.getByTestId('thread-composer').fill('@pilotflame raw')
  await thread.getByTestId('thread-composer').press('Enter')
  await thread.locator('article').last().getByText('matched_stop').waitFor(PATIENT)
})
