import { expect } from 'vitest'
import { PATIENT, test } from './desk.ts'

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
  expect(await section('Diagnosis').first().textContent()).toContain('Diagnosis: model.immediate-eos')
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
  const { page, section, type } = desk
  // what only anna sees of her press stands below it
  const parent = page.locator('#channel article').filter({ hasText: 'anna asked thinker' }).last()
  await type('/smoke "Write a Python is_prime function" --target thinker')
  await parent.getByText(/Thinking: about [\d,]+ tokens/).waitFor(PATIENT)
  await parent.getByRole('button', { name: 'Stop' }).click()
  await parent.getByText('It was stopped before it ended').waitFor(PATIENT)
  await section('Diagnosis').waitFor(PATIENT)
  expect(await section('Diagnosis').textContent()).toContain('anna stopped it')
  expect(await parent.getByRole('button', { name: 'Stop' }).count()).toBe(0)
})

test('a reply in the thread knows the target: raw', async ({ desk }) => {
  const { thread, section, type } = desk
  await type('/smoke "Say hello" --target qwen-059')
  await section('Diagnosis: model.immediate-eos').waitFor(PATIENT)
  await thread.getByTestId('thread-composer').fill('@pilotflame raw')
  await thread.getByTestId('thread-composer').press('Enter')
  await thread.locator('article').last().getByText('matched_stop').waitFor(PATIENT)
})
