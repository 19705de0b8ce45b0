import { resolve } from 'node:path'
import { openLog } from '../adapters/log.ts'
import { openApp } from '../app.ts'
import { loadConfig, nothingSet } from '../config.ts'
import type { Config, SlackSettings } from '../domain/config.ts'
import type { Failure } from '../domain/failure.ts'
import { sentence } from '../domain/failure.ts'
import type { Log } from '../domain/ports.ts'
import { redactor } from '../domain/redact.ts'
import { slashIn } from '../domain/slash.ts'
import type { Behind } from './running-console.ts'
import { looksLikeConsole, newSecret, noteConsole, proofOf, runningConsole } from './running-console.ts'
import { attachSlack } from './slack.ts'

const CONSOLE_PORT = 7331
/** "try again": another process holds the store or the port (sysexits, EX_TEMPFAIL) */
const TRY_AGAIN = 75

/** Serves until a signal: Slack where there are tokens, else the console. Gives the exit status. */
export async function start(): Promise<number> {
  const loaded = loadConfig({ file: null, env: process.env, cwd: process.cwd() })
  switch (loaded.kind) {
    case 'problems':
      process.stderr.write(`${loaded.text}\n`)
      return 1
    case 'none':
      return serveConsole(null, null)
    case 'config': {
      const { config } = loaded
      return config.slack === null ? serveConsole(config, resolve(loaded.file)) : serveSlack(config, config.slack)
    }
  }
}

async function serveSlack(config: Config, settings: SlackSettings): Promise<number> {
  const redact = redactor(config.secrets)
  dieOfBugs(redact)
  const log = openLog({ level: 'info', redact })
  const app = await openApp(config, log)
  if (!app.ok) return refuse(app.failure)
  const attached = await attachSlack(app.value, config, settings, log)
  if (!attached.ok) {
    await app.value.close()
    return refuse(attached.failure)
  }
  log.info('ready', { ...attached.value.identity })
  const lost = await Promise.race([untilSignal(), attached.value.lost])
  log.info('stopping')
  endBy(STOP_MS, log)
  await attached.value.stop()
  await app.value.close()
  return lost === undefined ? 0 : refuse(lost)
}

/** Another one beside a console that runs is started only on a port that somebody names. */
async function serveConsole(config: Config | null, behind: Behind): Promise<number> {
  const named = process.env['PILOTFLAME_PORT'] || null
  const port = Number(named ?? CONSOLE_PORT)
  const other = await runningConsole(behind)
  if (other !== null && (named === null || other === addressOf(port))) return runsAlready(other)
  const { startDemo } = await import('../demo.ts')
  const redact = redactor(config?.secrets ?? [])
  dieOfBugs(redact)
  const log = openLog({ level: 'warn', redact })
  const secret = newSecret()
  const demo = await startDemo({ port, log, config, prove: (asked) => proofOf(secret, asked) })
  if (!demo.ok) return refuse(await withConsoleNamed(demo.failure, addressOf(port)))
  const { url, broken } = demo.value
  const forget = other === null ? noteConsole(behind, { url, secret }) : () => {}
  const boxes = config === null ? 'demo boxes that replay a real deployment' : 'your own targets'
  const lines = [
    `Pilotflame console: ${url}   (${boxes}; no Slack tokens are set)`,
    `Type there: ${slashIn(config?.slash ?? nothingSet.slash).typed('smoke "Say hello"')}`,
    ...(broken === null
      ? []
      : [`Or here, in another terminal: npm run -s pilotflame -- smoke "Say hello" --url ${broken}`]),
    ...(other === null ? [] : [`This is a second console: another one runs already at ${other}`]),
    'Stop with Ctrl-C.',
  ]
  process.stdout.write(`\n${lines.join('\n')}\n\n`)
  await untilSignal()
  forget()
  await demo.value.close()
  return 0
}

function addressOf(port: number): string {
  return `http://127.0.0.1:${port}`
}

function runsAlready(url: string): number {
  process.stdout.write(`A Pilotflame console runs already: ${url}\nNothing was started. ${SECOND}\n`)
  return 0
}

const SECOND = 'Next: open that page, or start a second console on another port: PILOTFLAME_PORT=7332 npm start'

/** What holds the port may be a console with something else behind it, or of somebody else. */
async function withConsoleNamed(failure: Failure, url: string): Promise<Failure> {
  if (failure.kind !== 'busy' || !(await looksLikeConsole(url))) return failure
  return { ...failure, observed: 'another Pilotflame console runs there, with something else behind it' }
}

/** A bug that nobody caught: said without secrets, then the supervisor starts us anew (sysexits, EX_SOFTWARE). */
function dieOfBugs(redact: (text: string) => string): void {
  function die(error: unknown): void {
    const said = error instanceof Error ? (error.stack ?? error.message) : String(error)
    process.stderr.write(`Pilotflame failed inside: ${redact(said)}\n`)
    process.exit(70)
  }
  process.on('unhandledRejection', die)
  process.on('uncaughtException', die)
}

function refuse(failure: Failure): number {
  process.stderr.write(`${sentence(failure)}\n`)
  return failure.kind === 'busy' ? TRY_AGAIN : 1
}

/** From the signal to the end, in ms: below the 20 s and more that supervisors wait before they kill. */
const STOP_MS = 15_000

/** Whatever still waits then is left as by a kill: the next start tells of it. */
function endBy(ms: number, log: Log): void {
  setTimeout(() => {
    log.warn('stopped before all had ended', { ms })
    process.exit()
  }, ms).unref()
}

/** The first SIGINT or SIGTERM; a second one ends the process at once. */
function untilSignal(): Promise<undefined> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        process.once(signal, () => process.exit(130))
        resolve(undefined)
      })
    }
  })
}
