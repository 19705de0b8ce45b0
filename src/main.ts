#!/usr/bin/env node
import { existsSync } from 'node:fs'
import { tellAccessCode } from './app/access-code.ts'
import { askOnce } from './app/ask.ts'
import { systemClock } from './app/clock.ts'
import { configure } from './app/configure.ts'
import { diagnose } from './app/diagnose.ts'
import { printManifest } from './app/manifest.ts'
import { slackCheck } from './app/slack-check.ts'
import { start } from './app/start.ts'
import { version } from './app/version.ts'

const USAGE = `pilotflame: proves that a model works, not that its server runs

  pilotflame                      serve: Slack where tokens are set, else the console on this machine
  pilotflame smoke "Say hello"    one smoke; --target NAME, or --url http://127.0.0.1:30000 [--model NAME]
  pilotflame doctor               check configuration, tokens, host keys, tunnels, engines
  pilotflame diagnose < FILE      what recorded failures mean: one JSON document a line, {"id", "kind", "input"}
  pilotflame access code          a code by which somebody in Slack becomes the first admin
  pilotflame slack check          what this Slack takes: posts each kind of message; --channel C0123456789
  pilotflame config check         check pilotflame.yml and the environment; config schema: for editors
  pilotflame manifest             the Slack app for these settings: words, scopes, events
  pilotflame help [COMMAND]       all commands, or one with its flags
  pilotflame --version

  --json prints one JSON document. Exit status: 0 healthy or done, 1 not fine, 2 wrong use, 3 could not tell,
  75 try again.
`

// `pilotflame … | head` closes the pipe before we are done; that is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

if (existsSync('.env')) process.loadEnvFile('.env')
process.exitCode = await main(process.argv.slice(2))

async function main(words: readonly string[]): Promise<number> {
  switch (words[0]) {
    case undefined:
    case 'start':
      return start()
    case 'config':
      return configure(words.slice(1))
    case 'diagnose':
      return diagnose(words.slice(1), process.stdin, process.stdout, process.stderr)
    case 'manifest':
      return printManifest(words.slice(1))
    case 'access':
      // all the rest about access is asked for in a chat
      return words[1] === 'code' ? tellAccessCode(here()) : askOnce(words)
    case 'slack':
      return slackCheck(words.slice(1), process.stdout, process.stderr)
    case '--version':
    case 'version':
      process.stdout.write(`${version}\n`)
      return 0
    case '--help':
    case '-h':
      process.stdout.write(USAGE)
      return 0
    default:
      return askOnce(words)
  }
}

function here(): Parameters<typeof tellAccessCode>[0] {
  const { env, stdout: out, stderr: err } = process
  return { env, cwd: process.cwd(), now: systemClock.now(), out, err }
}
