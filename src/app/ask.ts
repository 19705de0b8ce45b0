import { existsSync } from 'node:fs'
import { userInfo } from 'node:os'
import { openLog } from '../adapters/log.ts'
import { openApp } from '../app.ts'
import { commands } from '../commands/index.ts'
import { adHocConfig, loadConfig, nothingSet } from '../config.ts'
import type { Config } from '../domain/config.ts'
import { excerpt } from '../domain/excerpt.ts'
import { sentence } from '../domain/failure.ts'
import { redactor } from '../domain/redact.ts'
import { slashIn } from '../domain/slash.ts'
import { parse } from '../parse.ts'
import { OWN_FLAGS, PLACE, terminalSurface } from '../surfaces/terminal/index.ts'
import { systemClock } from './clock.ts'
import { refuser } from './refuse.ts'
import { runningConsole } from './running-console.ts'
import { slackFor } from './slack.ts'
import { storeChecks } from './store-check.ts'
import { programWordMeant } from './usage.ts'
import { adHocWords, besideUrl } from './words.ts'

const IN_MEMORY = ':memory:'
const FROM_ITS_FOLDER = 'Next: run this in the folder from which the bot is started.'
const NO_STORE =
  'Nothing is kept here: a bot keeps its records where store in its pilotflame.yml says, or in pilotflame.db beside that file.'

/** Another process holds the store (sysexits, EX_TEMPFAIL). */
const TRY_AGAIN = 75
const WHILE_IT_RUNS = ' While the bot runs, ask it in Slack, or on the page of its console.'

/** One command line of the terminal: `smoke "Say hello" --target qwen`, `doctor`, `help` … Gives the exit status. */
export async function askOnce(given: readonly string[]): Promise<number> {
  const refuse = refuser({ out: process.stdout, err: process.stderr, json: given.includes('--json') })
  const [first = ''] = given
  const meant = programWordMeant(first, commands)
  if (meant !== null) return refuse(2, notACommand(first, meant))
  const settled = settle(given)
  if (!settled.ok) return refuse(settled.status, settled.problem)
  const { words, config } = settled
  const redact = redactor(config.secrets)
  const log = openLog({ level: 'error', redact })
  // records are read where the bot wrote them, which can be done while the bot does not run; nothing else is kept
  const records = readsRecords(words, config)
  const missing = records ? await noRecords(config, words) : null
  if (missing !== null) return refuse(1, missing)
  const app = await openApp({ ...config, storePath: records ? config.storePath : IN_MEMORY }, log)
  if (!app.ok) {
    const held = app.failure.kind === 'busy'
    return refuse(held ? TRY_AGAIN : 1, `${sentence(app.failure)}${held ? WHILE_IT_RUNS : ''}`, 'failed')
  }
  const { dispatcher } = app.value
  if (!records) app.value.addChecks(storeChecks(config.storePath, null))
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

function notACommand(word: string, meant: string): string {
  return `There is no command “${excerpt(word, 60)}”. Next: did you mean pilotflame ${meant}? Or type pilotflame --help.`
}

type Settled =
  | { readonly ok: true; readonly words: readonly string[]; readonly config: Config }
  | { readonly ok: false; readonly status: 1 | 2; readonly problem: string }

/** `--url` makes a configuration of its own; otherwise the file and the environment speak, where there are any. */
function settle(given: readonly string[]): Settled {
  const { env } = process
  const cwd = process.cwd()
  const { words, url, model, engine } = adHocWords(given)
  const other = besideUrl(words)
  if (url !== null && other !== null) return { ok: false, status: 2, problem: twoServers(other) }
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

function twoServers(flag: string): string {
  return `--url and ${flag} both say which server is asked, and one of them is wanted. Next: leave out --url to ask what pilotflame.yml names, or ${flag} to ask the server at that address.`
}

/** Whether the line asks for what a bot has kept. Of what cannot be read as a line, dispatch says so. */
function readsRecords(given: readonly string[], { slash }: Config): boolean {
  const words = given.filter((word) => !OWN_FLAGS.includes(word))
  const person = { team: 'local', id: 'local', name: 'local', kind: 'local' } as const
  const ask = {
    id: '',
    how: 'terminal',
    said: { form: 'words', words },
    person,
    place: PLACE,
    attempt: null,
    at: 0,
  } as const
  const parsed = parse(ask, commands, slashIn(slash).words)
  return parsed.kind === 'call' && parsed.command.readsRecords
}

/** Why there is nothing to read: an empty store would answer as if all were well. */
async function noRecords({ storePath, slash }: Config, words: readonly string[]): Promise<string | null> {
  if (storePath !== IN_MEMORY)
    return existsSync(storePath) ? null : `Nothing is kept yet: there is no ${storePath}. ${FROM_ITS_FOLDER}`
  const demo = await runningConsole(null)
  if (demo === null) return `${NO_STORE} ${FROM_ITS_FOLDER}`
  const line = slashIn(slash).typed(words.filter((word) => !OWN_FLAGS.includes(word)).join(' '))
  return `${NO_STORE} The demo console that runs at ${demo} keeps its records in its own memory. Next: type ${line} there.`
}
