import { expect } from 'vitest'
import { PATIENT, test } from './desk.ts'

const RESTART = '/sglang restart qwen --reason "new weights"'

test('a plan is shown, confirmed, under way, and becomes its result, all in one message', async ({ desk }) => {
  const { page, runs, parent, type, watchFor, done } = desk
  await type(RESTART)
  const confirm = parent.getByRole('button', { name: 'Restart qwen' })
  await confirm.waitFor(PATIENT)
  const plan = (await parent.textContent()) ?? ''
  for (const fact of [
    'qwen.service on gpu-box-1',
    'active (running)',
    'Changes by Pilotflame',
    'PID',
    'new weights',
    'anna',
  ])
    expect(plan).toContain(fact)
  expect(await parent.getByRole('button', { name: 'Cancel' }).count()).toBe(1)
  const ts = await parent.getAttribute('data-ts')
  expect(done()).toEqual([])
  const wasUnderWay = await watchFor('Restart qwen: under way')
  await confirm.click()
  await parent.getByText('systemd on gpu-box-1 took it').waitFor(PATIENT)
  expect(await wasUnderWay()).toBe(true)
  await parent.getByText('That is no proof that qwen works').waitFor(PATIENT)
  expect(await parent.getAttribute('data-ts')).toBe(ts)
  expect(await page.getByRole('button', { name: /Restart qwen|Cancel/ }).count()).toBe(0)
  expect(done()).toEqual(['restart qwen'])
  await page.getByRole('button', { name: 'Smoke', exact: true }).click(PATIENT)
  await page.getByText('Healthy. The model answered').first().waitFor(PATIENT)
  expect(await runs.filter({ hasText: 'took it' }).count()).toBe(1)
})

test('a plan is cancelled: its buttons go, and nothing is done', async ({ desk }) => {
  const { parent, type, done } = desk
  await type(RESTART)
  await parent.getByRole('button', { name: 'Cancel' }).click(PATIENT)
  await parent.getByText(/cancelled by anna.*Nothing was done/).waitFor(PATIENT)
  expect(await parent.getByRole('button', { name: /Restart|Cancel/ }).count()).toBe(0)
  expect(done()).toEqual([])
})

test('another’s press on a plan is refused to them alone, and the plan still waits', async ({ desk }) => {
  const { page, parent, type, beside, done } = desk
  await type(RESTART)
  const confirm = parent.getByRole('button', { name: 'Restart qwen' })
  await confirm.waitFor(PATIENT)
  const ben = await beside('U0BEN')
  await ben.page.getByRole('button', { name: 'Restart qwen' }).click()
  await ben.page.getByText(/Only anna.*can confirm that plan\. Nothing was done/).waitFor(PATIENT)
  expect(await ben.page.getByText('Only visible to you').count()).toBe(1)
  expect(await page.getByText('can confirm that plan').count()).toBe(0)
  expect(done()).toEqual([])
  await confirm.click()
  await parent.getByText('systemd on gpu-box-1 took it').waitFor(PATIENT)
  expect(done()).toEqual(['restart qwen'])
})

test('a lock keeps others from changing, says whose, why and since when, and is taken off', async ({ desk }) => {
  const { page, parent, type, beside, done } = desk
  await type('/sglang lock qwen "driver update"')
  const ben = await beside('U0BEN')
  for (const seen of [page, ben.page]) await seen.getByText(/anna .*locked qwen: “driver update”/).waitFor(PATIENT)
  await ben.type('/sglang restart qwen')
  await ben.parent.getByText(/qwen was locked by anna .*(?:just now|\d+ s ago): “driver update”/).waitFor(PATIENT)
  expect(await ben.parent.getByText('Only visible to you').count()).toBe(1)
  expect(await ben.page.getByRole('button', { name: 'Restart qwen' }).count()).toBe(0)
  await type('/sglang unlock qwen')
  await parent.getByText(/took .*lock .*off qwen/).waitFor(PATIENT)
  await ben.type('/sglang restart qwen')
  await ben.page.getByRole('button', { name: 'Restart qwen' }).click(PATIENT)
  await ben.page.getByText('systemd on gpu-box-1 took it').waitFor(PATIENT)
  expect(done()).toEqual(['restart qwen'])
})

test('a protected target is changed once a second person approves, never by who asked', async ({ desk }) => {
  const { page, parent, type, beside, done } = desk
  await type('/sglang restart thinker --reason "new parser"')
  await parent.getByText('A second person must approve').waitFor(PATIENT)
  await parent.getByRole('button', { name: 'Approve: Restart thinker' }).click()
  await page.getByText('Only visible to you').waitFor(PATIENT)
  expect(done()).toEqual([])
  const ben = await beside('U0BEN')
  await ben.page.getByRole('button', { name: 'Approve: Restart thinker' }).click()
  await ben.page.getByText('systemd on gpu-box-1 took it').waitFor(PATIENT)
  await ben.page.getByText(/Asked by anna.*“new parser”.*Approved by ben/).waitFor(PATIENT)
  expect(done()).toEqual(['restart thinker'])
})

test('a guest and a person without a role are refused with the reason, and see no plan', async ({ desk }) => {
  const { page, beside, done } = desk
  const guest = await beside('U0GUEST')
  await guest.type('/smoke "Say hello"')
  await guest.parent.getByText('guests of this workspace may not use Pilotflame').waitFor(PATIENT)
  const carl = await beside('U0CARL')
  await carl.type(RESTART)
  await carl.parent.getByText(/Not run:.*Next:/).waitFor(PATIENT)
  for (const seen of [guest, carl]) expect(await seen.page.getByText('Only visible to you').count()).toBe(1)
  expect(await page.locator('#channel article').count()).toBe(0)
  expect(done()).toEqual([])
})
