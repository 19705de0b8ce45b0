import { existsSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, test as base, expect } from 'vitest'
import { CHROMIUM, launchChromium } from '../../scripts/chromium.ts'

interface Fixtures {
  /** Opens a page. The test fails where a script breaks or the page's own policy stops something. */
  readonly open: (url: string) => Promise<Page>
}

let browser: Promise<Browser> | undefined

/** A test in Chromium. Without one it is skipped with the reason, or fails where PILOTFLAME_FARSIDE=require. */
export const test = base.extend<Fixtures>({
  async open({ skip }, use) {
    const why = missing()
    if (why !== null) skip(`browser: ${why}. Still running: the Slack stand-in's own tests, the rendered blocks`)
    browser ??= launchChromium()
    const context = await (await browser).newContext({ viewport: WIDE })
    const faults: string[] = []
    context.on('weberror', (fault) => faults.push(fault.error().message))
    context.on('console', (said) => said.type() === 'error' && faults.push(said.text()))
    await use(async (url) => {
      const page = await context.newPage()
      await page.goto(url)
      return page
    })
    await context.close()
    expect(faults).toEqual([])
  },
})

afterAll(async () => (await browser)?.close())

const WIDE = { width: 1280, height: 800 }
export const NARROW = { width: 420, height: 800 }

function missing(): string | null {
  const mode = process.env['PILOTFLAME_FARSIDE'] ?? 'auto'
  if (mode === 'off') return 'PILOTFLAME_FARSIDE=off'
  return mode === 'require' || existsSync(CHROMIUM) ? null : `${CHROMIUM} is missing`
}
