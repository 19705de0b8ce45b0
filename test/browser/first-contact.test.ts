import { expect } from 'vitest'
import { PATIENT, test } from './desk.ts'

test('invited to a channel it says hello with what to type, once', async ({ desk }) => {
  const { page, parent, slack } = desk
  slack.invite('C0GPU')
  await parent.getByText('Hello. I prove that your models work').waitFor(PATIENT)
  await parent.getByText('/smoke "Say hello"').waitFor(PATIENT)
  slack.invite('C0QUIET')
  await slack.until(() => slack.messages('C0QUIET').length > 0)
  await page.getByTestId('room').selectOption({ label: '#quiet' })
  await parent.getByText('In pilotflame.yml').waitFor(PATIENT)
  await parent.getByText('C0QUIET').waitFor(PATIENT)
})

test('smoke on all: one table, worst first, with a way into each', async ({ desk }) => {
  const { parent, thread, type } = desk
  await type('/smoke "Say hello" on all')
  await parent.getByText('1 of 5 healthy').waitFor(PATIENT)
  const firstCells = thread.locator('tbody tr td:first-child')
  await firstCells.first().waitFor(PATIENT)
  expect(await firstCells.allTextContents()).toEqual(['qwen-059', 'looper', 'field', 'thinker', 'qwen'])
  await thread.getByRole('button', { name: 'Raw looper' }).waitFor(PATIENT)
})

test('access explain answers each question in turn, for one who may and one who may not', async ({ desk }) => {
  const { parent, type, beside } = desk
  await type('/pilotflame access explain sglang restart')
  await parent.getByText('You may ask for sglang restart here').waitFor(PATIENT)
  const carl = await beside('U0CARL')
  await carl.type('/pilotflame access explain sglang restart')
  await carl.parent.getByText('You may not ask for sglang restart here').waitFor(PATIENT)
  const answers = carl.parent.locator('tbody tr', { hasText: 'Role?' })
  expect(await answers.textContent()).toContain('no')
})

test('sglang use names the target that is meant from then on', async ({ desk }) => {
  const { parent, type } = desk
  await type('/sglang use looper')
  await parent.getByText('looper is meant in this channel from now on').waitFor(PATIENT)
  await type('/smoke "What is 2+2?"')
  await parent.getByText('The model repeats itself').first().waitFor(PATIENT)
})
