import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Loaded } from '../../src/config.ts'
import { loadConfig } from '../../src/config.ts'

type Env = Readonly<Record<string, string>>

/** The smallest file that is fine. */
export const SMALL = 'targets:\n  qwen:\n    url: http://127.0.0.1:30000\n'

/** A folder with these files, gone after the test. */
export function folder(files: Readonly<Record<string, string>>): string {
  const path = mkdtempSync(join(tmpdir(), 'pilotflame-config-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true })
    writeFileSync(join(path, name), text)
  }
  return path
}

/** Loads a pilotflame.yml with this text and this environment. */
export function load(text: string, env: Env = {}): Loaded {
  return loadConfig({ file: null, env: { HOME: '/home/dana', ...env }, cwd: folder({ 'pilotflame.yml': text }) })
}
