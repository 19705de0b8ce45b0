import { userInfo } from 'node:os'
import { openLog } from '../adapters/log.ts'
import { openApp } from '../app.ts'
import { adHocConfig, loadConfig, nothingSet } from '../config.ts'
import type { Config } from '../domain/config.ts'
import { sentence } from '../domain/failure.ts'
import { redactor } from '../domain/redact.ts'
import { terminalSurface } from '../surfaces/terminal/index.ts'
import { systemClock } from './clock.ts'
import { adHocWords } from './words.ts'

/** One command line of the terminal: `smoke "Say hello" --target qwen`, `doctor`, `help` … Gives the exit status. */
export async function askOnce(given: readonly string[]): Promise<number> {
  const { words, config, problem } = settle(given)
  if (config === null) {
    process.stderr.write(`${problem}\n`)
    return 2
  }
  const redact = redactor(config.secrets)
  const app = await openApp({ ...config, storePath: ':memory:' }, openLog({ level: 'error', redact }))
  if (!app.ok) {
    process.stderr.write(`${sentence(app.failure)}\n`)
    return 1
  }
  const { dispatcher } = app.value
  const login = userInfo().username
  const interrupted = new AbortController()
  process.once('SIGINT', () => {
    dispatcher.stopAll({ team: 'local', id: login, name: login, kind: 'local' })
    interrupted.abort()
  })
  const status = await terminalSurface({
    words,
    login,
    out: process.stdout,
    err: process.stderr,
    plain: Boolean(process.env['NO_COLOR']),
    remembers: false,
    clock: systemClock,
    interrupted: interrupted.signal,
    redact,
    handle: dispatcher.handle,
  }).run()
  await app.value.close()
  return status
}

interface Settled {
  readonly words: readonly string[]
  readonly config: Config | null
  readonly problem: string
}

/** `--url` makes a configuration of its own; otherwise the file and the environment speak; help needs neither. */
function settle(given: readonly string[]): Settled {
  const { env } = process
  const cwd = process.cwd()
  const { words, url, model, engine } = adHocWords(given)
  if (url !== null) {
    const made = adHocConfig({ url, model, engine, env, cwd })
    return made.ok
      ? { words, config: made.value, problem: '' }
      : { words, config: null, problem: sentence(made.failure) }
  }
  const loaded = loadConfig({ file: null, env, cwd })
  switch (loaded.kind) {
    case 'config':
      return { words: given, config: loaded.config, problem: '' }
    case 'problems':
      return { words: given, config: null, problem: loaded.text }
    case 'none':
      return { words: given, config: bare(words) ? nothingSet : null, problem: NOTHING_SET }
  }
}

/** Commands that say something useful without any target. */
function bare(words: readonly string[]): boolean {
  return ['help', 'whoami', 'doctor'].includes(words[0] ?? '') || words.includes('--help')
}

const NOTHING_SET =
  'There is no configuration here: no pilotflame.yml and no tokens. Next: name a server with --url http://127.0.0.1:30000, or start from the example: cp pilotflame.example.yml pilotflame.yml. To see Pilotflame at work without either: npm start.'
