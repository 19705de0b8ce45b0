import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Loaded } from '../../src/config.ts'
import { loadConfig } from '../../src/config.ts'

type Env = Readonly<Record<string, string>>

/** The smallest file that is fine. */
export const SMALL = 'targets:\n  qwen:\n    url: http://127.0.0.1:30000\n'

/** A certificate that signs itself. */
export const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBnjCCAUWgAwIBAgIUUuir/bHL+qBq6+IRv2h/zEmUZe4wCgYIKoZIzj0EAwIw
JDEiMCAGA1UEAwwZcGlsb3RmbGFtZSB0ZXN0IGF1dGhvcml0eTAgFw0yNjExMzAy
MjQ4MzFaGA8yMTI2MTEwNjIyNDgzMVowJDEiMCAGA1UEAwwZcGlsb3RmbGFtZSB0
ZXN0IGF1dGhvcml0eTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABLQsNlQmxi6O
khoUtUPwm7hATvDK7ryIMlI3+1IW5WfsZY0wy0/Kt2Qynbu35Rjc/y5tMep5WnJT
dId45Ddtp4+jUzBRMB0GA1UdDgQWBBQpeHG97XF7sC0kmqzdzozXyg6fOjAfBgNV
HSMEGDAWgBQpeHG97XF7sC0kmqzdzozXyg6fOjAPBgNVHRMBAf8EBTADAQH/MAoG
CCqGSM49BAMCA0cAMEQCICea6Yx3vp97lOri0XrKzVByHeKVe+7poT6yLyCMvC7T
AiBvyhmMlKa2bBbTQEGgmrqtRKdRUN+1Lp6sQ78IqAyqsQ==
-----END CERTIFICATE-----
`

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
