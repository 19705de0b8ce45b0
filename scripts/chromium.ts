import type { Browser } from 'playwright-core'
import { chromium } from 'playwright-core'

/** Debian's Chromium. Playwright's own is never downloaded. */
export const CHROMIUM = '/usr/bin/chromium'

const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** One browser is enough for a run: it takes most of a gigabyte. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: QUIET })
}
