import { mkdir, stat } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { openLog } from '../src/adapters/log.ts'
import { startDemo } from '../src/demo.ts'
import { launchChromium } from './chromium.ts'

/** Writes the README's pictures: the whole demo, driven in Chromium. Fails where a picture shows no verdict. */
const FOLDER = new URL('../docs/pictures/', import.meta.url)
const SIZE = { width: 1120, height: 700 }
const MOST_BYTES = 300 * 1024
const log = openLog({ level: 'warn', redact: (text) => text })

await mkdir(FOLDER, { recursive: true })
const demo = await startDemo({ port: 0, log, config: null })
if (!demo.ok) throw new Error(demo.failure.observed)
const browser = await launchChromium()
const page = await browser.newPage({
  viewport: SIZE,
  deviceScaleFactor: 1.6,
  colorScheme: 'light',
  locale: 'en-GB',
  timezoneId: 'UTC',
})
try {
  await page.goto(demo.value.url)
  await page.getByText('Pilotflame is connected').waitFor()
  await take('first-page', page)
  await ask('/smoke "Say hello" --target qwen', 'Healthy')
  await section('Reasoning').click()
  await take('smoke-healthy', page)
  await ask('/smoke "Say hello" --target qwen-059', 'Broken')
  await take('smoke-broken', page)
  await ask('/smoke "Write a Python is_prime function" --target thinker', 'budget')
  await thread().getByRole('button', { name: 'Retry ×2 budget' }).first().click()
  await thread().getByText('Attempt 2').first().waitFor({ timeout: 60_000 })
  await thread().getByRole('button', { name: 'Raw' }).nth(1).waitFor({ timeout: 60_000 })
  await attempt(2).evaluate((message) => message.scrollIntoView())
  await take('thread', thread())
} finally {
  await browser.close()
  await demo.value.close()
}

function thread(): Locator {
  return page.getByTestId('thread')
}

function section(title: string): Locator {
  return thread().locator('summary', { hasText: title }).first()
}

function attempt(number: number): Locator {
  return thread()
    .locator('article', { hasText: `Attempt ${number}` })
    .first()
}

/** Types a command and waits until its thread is whole: the buttons come last. */
async function ask(line: string, verdict: string): Promise<void> {
  await page.getByTestId('composer').fill(line)
  await page.getByTestId('send').click()
  await page.locator('#channel article').last().getByText(verdict).first().waitFor({ timeout: 60_000 })
  await thread().locator('article').first().getByText(verdict).first().waitFor({ timeout: 60_000 })
  await thread().getByRole('button', { name: 'Raw' }).waitFor({ timeout: 60_000 })
}

async function take(name: string, what: Page | Locator): Promise<void> {
  await page.mouse.move(0, 0)
  const file = new URL(`${name}.png`, FOLDER)
  await what.screenshot({ path: file.pathname, animations: 'disabled' })
  const { size } = await stat(file)
  console.log(`docs/pictures/${name}.png  ${Math.round(size / 1024)} KiB`)
  if (size > MOST_BYTES) throw new Error(`${name}.png is larger than ${MOST_BYTES / 1024} KiB: show less in it`)
}
