import { mkdir, stat } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { openLog } from '../src/adapters/log.ts'
import type { Demo } from '../src/demo.ts'
import { startDemo } from '../src/demo.ts'
import { launchChromium } from './chromium.ts'

/**
 * Writes docs/pictures: the whole demo, driven in Chromium, or the scenes that are named: `npm run pictures fieldStory`.
 * Fails where a picture does not show what it is named after.
 */
const FOLDER = new URL('../docs/pictures/', import.meta.url)
/** a channel with room for a thread beside it; high enough for any message, and drawn so that its file stays small */
const WIDE = { viewport: { width: 1120, height: 1600 }, deviceScaleFactor: 1 }
/** a channel alone */
const NARROW = { viewport: { width: 800, height: 1600 }, deviceScaleFactor: 1.2 }
const MOST_BYTES = 250 * 1024
const WITHIN = { timeout: 60_000 }

await mkdir(FOLDER, { recursive: true })
const browser = await launchChromium()
const named = process.argv.slice(2)
const scenes = [proofs, fieldStory, changes, severalAtOnce, plainer].filter(
  ({ name }) => named.length === 0 || named.includes(name),
)
try {
  for (const scene of scenes) {
    // each begins with an empty channel; what a scene lets Slack refuse is no news
    const log = openLog({ level: scene === plainer ? 'silent' : 'warn', redact: (text) => text })
    const demo = await startDemo({ port: 0, log, config: null })
    if (!demo.ok) throw new Error(demo.failure.observed)
    await scene(demo.value)
    await demo.value.close()
  }
} finally {
  await browser.close()
}

async function proofs(demo: Demo): Promise<void> {
  const page = await sit(demo, 'U0ANNA', WIDE)
  await smoke(page, '"Say hello" --target qwen-059', 'Broken')
  await take('smoke-broken', inThread(page), 2)
  await smoke(page, '"Write a Python is_prime function" --target thinker', 'budget')
  const thread = page.getByTestId('thread')
  await thread.getByRole('button', { name: 'Retry ×2 budget' }).first().click()
  await thread.getByText('Attempt 2').first().waitFor(WITHIN)
  await thread.getByRole('button', { name: 'Raw' }).nth(1).waitFor(WITHIN)
  await take('second-attempt', inThread(page), 2)
  await page.close()
}

async function fieldStory(demo: Demo): Promise<void> {
  const page = await sit(demo, 'U0ANNA', WIDE)
  const team = page.getByTestId('team')
  const hello = '"Say hello in one sentence." --target field'
  await smoke(page, hello, 'leaves nothing for the KV cache')
  await foldAllButFirst(page)
  await take('field-start', inThread(page), 1)
  await team.getByRole('button', { name: 'raises the static share' }).click()
  await inChannel(page).last().getByText('and started it').waitFor(WITHIN)
  await smoke(page, hello, 'Broken')
  await team.getByRole('button', { name: 'suspects the attention backend' }).click()
  await team.getByRole('button', { name: '/sglang restart field' }).click()
  await page.getByTestId('send').click()
  await inChannel(page).last().getByRole('button', { name: 'Restart field' }).click(WITHIN)
  await inChannel(page).last().getByText('systemd on gpu-box-2 took it').waitFor(WITHIN)
  await smoke(page, hello, 'Another process owns port 30000')
  await foldAllButFirst(page)
  await take('field-port-taken', inThread(page), 1)
  await take('field-story', inChannel(page), 5)
  await page.close()
}

/** What leads stays open. */
async function foldAllButFirst(page: Page): Promise<void> {
  const open = inThread(page).locator('details[open] > summary')
  for (let last = (await open.count()) - 1; last > 0; last--) await open.nth(last).click()
}

async function changes(demo: Demo): Promise<void> {
  const [anna, ben] = [await sit(demo, 'U0ANNA', NARROW), await sit(demo, 'U0BEN', NARROW)]
  demo.slack.invite('C0GPU')
  await anna.getByText('Hello. I prove').waitFor(WITHIN)
  await take('hello', inChannel(anna), 1)
  await type(anna, '/sglang restart qwen --reason "new weights"')
  await anna.getByRole('button', { name: 'Restart qwen' }).waitFor(WITHIN)
  await take('plan', inChannel(anna), 1)
  await anna.getByRole('button', { name: 'Restart qwen' }).click()
  await anna.getByText('systemd on gpu-box-1 took it').first().waitFor(WITHIN)
  await take('confirmed', inChannel(anna), 1)
  await type(anna, '/sglang lock qwen "driver update until five"')
  await ben.getByText('locked qwen').waitFor(WITHIN)
  await type(ben, '/sglang restart qwen')
  await ben.getByText('qwen was locked by').waitFor(WITHIN)
  await take('locked', inChannel(ben), 2)
  await type(anna, '/sglang restart thinker')
  await ben.getByRole('button', { name: 'Approve: Restart thinker' }).waitFor(WITHIN)
  await take('second-person', inChannel(ben), 1)
  await refusedToGuest(demo)
  await Promise.all([anna.close(), ben.close()])
}

async function refusedToGuest(demo: Demo): Promise<void> {
  const guest = await sit(demo, 'U0GUEST', NARROW)
  await type(guest, '/sglang restart qwen')
  await guest.getByText('guests of this workspace may not').waitFor(WITHIN)
  await take('refused', inChannel(guest), 1)
  await guest.close()
}

async function severalAtOnce(demo: Demo): Promise<void> {
  const page = await sit(demo, 'U0ANNA', WIDE)
  await smoke(page, '"Say hello" on all', '1 of 5 healthy')
  await take('smoke-all', inThread(page), 2)
  await page.close()
}

/** A workspace that takes neither boxes nor tables, then one that takes no blocks at all. */
async function plainer(demo: Demo): Promise<void> {
  const page = await sit(demo, 'U0ANNA', WIDE)
  demo.slack.refuses('container')
  await smoke(page, '"Say hello"', 'Healthy')
  await take('without-boxes', inThread(page), 1)
  demo.slack.refuses('blocks')
  await type(page, '/smoke "Say hello" --target qwen-059')
  await inThread(page).getByText('Slack refused the buttons here').waitFor(WITHIN)
  await take('words-alone', inThread(page), 1)
  await page.close()
}

async function sit({ url }: Demo, as: string, size: typeof WIDE): Promise<Page> {
  const page = await browser.newPage({ ...size, colorScheme: 'light', locale: 'en-GB', timezoneId: 'UTC' })
  await page.goto(`${url}/?as=${as}`)
  await page.getByText('Pilotflame is connected').waitFor(WITHIN)
  return page
}

function inChannel(page: Page): Locator {
  return page.locator('#channel article')
}

function inThread(page: Page): Locator {
  return page.locator('#thread article')
}

async function type(page: Page, line: string): Promise<void> {
  await page.getByTestId('composer').fill(line)
  await page.getByTestId('send').click()
}

/** Waits until its thread is whole: the buttons come last. */
async function smoke(page: Page, words: string, verdict: string): Promise<void> {
  await type(page, `/smoke ${words}`)
  await inChannel(page).last().getByText(verdict).first().waitFor(WITHIN)
  await inThread(page).first().getByText(verdict).first().waitFor(WITHIN)
  await inThread(page)
    .getByRole('button', { name: /^Retry/ })
    .first()
    .waitFor(WITHIN)
}

/** The last messages, and nothing around them. */
async function take(name: string, messages: Locator, count: number): Promise<void> {
  const page = messages.page()
  await page.mouse.move(0, 0)
  await messages.last().scrollIntoViewIfNeeded()
  const first = await messages.nth(-count).boundingBox()
  const last = await messages.last().boundingBox()
  if (first === null || last === null) throw new Error(`${name}.png: there are fewer than ${count} messages`)
  const { x, y, width } = first
  const file = new URL(`${name}.png`, FOLDER)
  const clip = { x, y, width, height: last.y + last.height - y }
  await page.screenshot({ path: file.pathname, animations: 'disabled', clip })
  const { size } = await stat(file)
  console.log(`docs/pictures/${name}.png  ${Math.round(size / 1024)} KiB`)
  if (size > MOST_BYTES) throw new Error(`${name}.png is larger than ${MOST_BYTES / 1024} KiB: show less in it`)
}
