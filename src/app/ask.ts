import { userInfo } from 'node:os'
import { openLog } from '../adapters/log.ts'
import { openApp } from '../app.ts'
import { adHocConfig, loadConfig, nothingSet } from '../config.ts'
import type { Config } from '../domain/config.ts'
import { sentence } from '../domain/failure.ts'
import { redactor } from '../domain/redact.ts'
import { terminalSurface } from '../surfaces/terminal/index.ts'
import { systemClock } from './clock.ts'
import { slackFor } from './slack.ts'
import { adHocWords } from './words.ts'

const IN_MEMORY = ':memory:'
const NO_AUDIT =
  'No audit is kept here: no pilotflame.yml names a store on disk. Next: run this in the folder from which the bot is started.'

/** Another process holds the store (sysexits, EX_TEMPFAIL). */
const TRY_AGAIN = 75

/** One command line of the terminal: `smoke "Say hello" --target qwen`, `doctor`, `help` … Gives the exit status. */
export async function askOnce(given: readonly string[]): Promise<number> {
  const settled = settle(given)
  if (!settled.ok) return refuse(settled, given.includes('--json'))
  const { words, config } = settled
  const redact = redactor(config.secrets)
  const log = openLog({ level: 'error', redact })
  // the audit is read where the bot wrote it, which can be done while the bot does not run; nothing else is kept
  const storePath = words[0] === 'audit' ? config.storePath : IN_MEMORY
  if (words[0] === 'audit' && storePath === IN_MEMORY)
    return refuse({ ok: false, status: 1, problem: NO_AUDIT }, given.includes('--json'))
  const app = await openApp({ ...config, storePath }, log)
  if (!app.ok) {
    process.stderr.write(`${sentence(app.failure)}\n`)
    return app.failure.kind === 'busy' ? TRY_AGAIN : 1
  }
  const { dispatcher } = app.value
  if (config.slack !== null) app.value.addChecks(slackFor(app.value, config, config.slack, log).checks)
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

type Settled =
  | { readonly ok: true; readonly words: readonly string[]; readonly config: Config }
  | { readonly ok: false; readonly status: 1 | 2; readonly problem: string }

/** `--url` makes a configuration of its own; otherwise the file and the environment speak, where there are any. */
function settle(given: readonly string[]): Settled {
  const { env } = process
  const cwd = process.cwd()
  const { words, url, model, engine } = adHocWords(given)
  if (url !== null) {
    const made = adHocConfig({ url, model, engine, env, cwd })
    return made.ok ? { ok: true, words, config: made.value } : { ok: false, status: 2, problem: sentence(made.failure) }
  }
  const loaded = loadConfig({ file: null, env, cwd })
  switch (loaded.kind) {
    case 'config':
      return { ok: true, words: given, config: loaded.config }
    case 'problems':
      return { ok: false, status: 1, problem: loaded.text }
    case 'none':
      return { ok: true, words: given, config: nothingSet }
  }
}

/** Said where a program reads it: with --json as the one document, else to people. */
function refuse({ status, problem }: Extract<Settled, { ok: false }>, json: boolean): number {
  if (json) process.stdout.write(`${JSON.stringify({ status: 'misconfigured', title: problem })}\n`)
  else process.stderr.write(`${problem}\n`)
  return status
}
