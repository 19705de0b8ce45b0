import { expect } from 'vitest'
import { PLANTED_API_KEY } from '../../src/lab/model-server/sglang-facts.ts'
import type { Desk } from './desk.ts'
import { PATIENT, test } from './desk.ts'

const HELLO = '/smoke "Say hello in one sentence." --target field'
const SUM = '/smoke "What is 2 + 2?" --target field'
const PRIME = '/smoke "Write a Python is_prime function" --target field'

test('the field story, from the first failed start to the working model', { timeout: 240_000 }, async ({ desk }) => {
  const { page, thread, section } = desk
  const { asked, teamDoes, restarted } = playedOn(desk)

  const start = await asked(HELLO, 'mem.static-too-small')
  expect(start).toContain('Not enough memory. Please try to increase --mem-fraction-static.')
  expect(start).toContain('--mem-fraction-static 0.88 instead of 0.85')

  await teamDoes('raises the static share, asks for less, starts it', '--mem-fraction-static 0.88')
  expect(await asked(HELLO, 'model.immediate-eos')).toContain('SGLang 0.5.9 with --tp-size 2')
  await section('Content').getByText('The server sent null').waitFor(PATIENT)
  expect(await asked(SUM, 'model.degenerate-loop')).toContain('Upgrade SGLang 0.5.9 to 0.5.11')

  await teamDoes('suspects the attention backend, and frees the GPUs', '--attention-backend triton')
  await restarted()
  expect(await asked(HELLO, 'proc.port-taken')).toContain('[Errno 98] error while attempting to bind on address')

  await teamDoes('ends the old server, starts the new one', 'KillMode=control-group')
  await asked(HELLO, 'model.immediate-eos')

  await teamDoes('upgrades to SGLang 0.5.11', 'SGLang to 0.5.11')
  await restarted()
  expect(await asked(HELLO, 'config.spec-mamba')).toContain('Start with --mamba-scheduler-strategy extra_buffer')

  await teamDoes('adds extra_buffer', '--mamba-scheduler-strategy extra_buffer')
  await restarted()
  expect(await asked(PRIME, 'budget.reasoning-exhausted')).toContain('1,996 of 2,000 tokens used, finish "stop"')
  await page.getByTestId('team').getByText('The proof is yours:').waitFor(PATIENT)
  await page.getByTestId('team').getByRole('button', { name: PRIME }).click(PATIENT)
  expect(await page.getByTestId('composer').inputValue()).toBe(PRIME)
  await page.getByTestId('composer').fill('')

  await thread.getByRole('button', { name: 'Retry ×2 budget' }).click(PATIENT)
  await thread.getByText('Attempt 2: Healthy').waitFor(PATIENT)
  await section('Attempt 2: Content').getByText('def is_prime').waitFor(PATIENT)
  await page.getByTestId('team').getByText('is told: its model has answered').waitFor(PATIENT)
  expect(await page.locator('body').textContent()).not.toContain(PLANTED_API_KEY)
})

/** What Anna and the team can do. */
function playedOn({ page, parent, section, type }: Desk) {
  const team = page.getByTestId('team')
  return {
    /** Asks, and waits for the leading diagnosis, whole. */
    async asked(line: string, code: string): Promise<string> {
      await type(line)
      const leading = section(`Diagnosis: ${code}`).first()
      await leading.waitFor(PATIENT)
      return (await leading.textContent()) ?? ''
    },
    async teamDoes(deed: string, said: string): Promise<void> {
      await team.getByRole('button', { name: deed }).click(PATIENT)
      await page.locator('#channel article', { hasText: 'Ben' }).last().getByText(said).waitFor(PATIENT)
    },
    /** A restart for what the team changed: planned, confirmed, taken. */
    async restarted(): Promise<void> {
      await team.getByRole('button', { name: '/sglang restart field' }).click(PATIENT)
      await page.getByTestId('composer').press('Enter')
      await parent.getByRole('button', { name: 'Restart field' }).click(PATIENT)
      await parent.getByText('systemd on gpu-box-2 took it').waitFor(PATIENT)
    },
  }
}
