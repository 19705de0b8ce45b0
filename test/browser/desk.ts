import type { Page } from 'playwright-core'
import { openLog } from '../../src/adapters/log.ts'
import type { Demo } from '../../src/demo.ts'
import { startDemo } from '../../src/demo.ts'
import { test as browserTest } from './chromium.ts'

/** A page that is held up by another test's work is no fault. */
export const PATIENT = { timeout: 30_000 }

type Opens = (as: string) => Promise<Page>

/** The whole house on the page: the bot, the demo's boxes, Anna at the keyboard. */
export const test = browserTest.extend<{ desk: Desk }>({
  async desk({ open }, use) {
    const log = openLog({ level: 'silent', redact: (text) => text })
    const started = await startDemo({ port: 0, log, config: null, tokensPerSecond: 400 })
    if (!started.ok) throw new Error(started.failure.observed)
    const demo = started.value
    const pages: Page[] = []
    const sit: Opens = async (as) => {
      const page = await open(`${demo.url}/?as=${as}`)
      pages.push(page)
      await page.getByText('Pilotflame is connected').waitFor(PATIENT)
      return page
    }
    await use(deskOn(await sit('U0ANNA'), demo, sit))
    await Promise.all(pages.map((page) => page.close()))
    await demo.close()
  },
})

export type Desk = ReturnType<typeof deskOn>

function deskOn(page: Page, demo: Demo, sit: Opens) {
  const thread = page.getByTestId('thread')
  return {
    page,
    thread,
    slack: demo.slack,
    runs: page.locator('#channel article'),
    parent: page.locator('#channel article').last(),
    section: (title: string) => thread.locator('details', { has: page.locator('summary', { hasText: title }) }),
    /** Somebody else, at a page of their own. */
    async beside(user: string) {
      const other = await sit(user)
      return {
        page: other,
        parent: other.locator('#channel article').last(),
        type: (line: string) => type(other, line),
      }
    },
    type: (line: string) => type(page, line),
    watchFor: (words: string) => watchFor(page, words),
    /** `restart qwen`: what reached the box so far */
    done: () => (demo.gate?.acts() ?? []).map(({ verb, unit }) => `${verb} ${unit}`),
  }
}

async function type(page: Page, line: string): Promise<void> {
  await page.getByTestId('composer').pressSequentially(line)
  await page.getByTestId('composer').press('Enter')
}

/** From now on the page notes whether these words stood in the channel, however shortly. Gives the way to ask. */
async function watchFor(page: Page, words: string): Promise<() => Promise<boolean>> {
  await page.evaluate((wanted) => {
    const channel = document.querySelector('#channel') ?? document.body
    const look = () => channel.textContent?.includes(wanted) && document.body.setAttribute('data-saw', wanted)
    new MutationObserver(look).observe(channel, { subtree: true, childList: true, characterData: true })
  }, words)
  return async () => (await page.locator('body').getAttribute('data-saw')) === words
}
