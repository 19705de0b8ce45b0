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
import { helpFor, usage, usageOf } from './app/usage.ts'
import { version } from './app/version.ts'

// `pilotflame … | head` closes the pipe before we are done; that is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

if (existsSync('.env')) process.loadEnvFile('.env')
process.exitCode = await main(process.argv.slice(2))

async function main(words: readonly string[]): Promise<number> {
  const help = helpFor(words)
  if (help !== null) return print(help)
  const [word, ...rest] = words
  switch (word) {
    case undefined:
      return start()
    case 'start':
      return rest.length === 0 ? start() : refuse(`start: "${rest.join(' ')}" is not known. Usage: pilotflame`)
    case 'config':
      return configure(rest)
    case 'diagnose':
      return diagnose(rest, process.stdin, process.stdout, process.stderr)
    case 'manifest':
      return printManifest(rest)
    case 'access':
      // all the rest about access is asked for in a chat
      return rest[0] === 'code' ? tellAccessCode(rest.slice(1), here()) : askOnce(words)
    case 'slack':
      return slackCheck(rest, process.stdout, process.stderr)
    case '--version':
    case 'version':
      return rest.length === 0 ? print(`${version}\n`) : refuse(`${word}: takes no more words. ${usageOf('--version')}`)
    case '--help':
    case '-h':
      return print(usage())
    default:
      return askOnce(words)
  }
}

function print(text: string): number {
  process.stdout.write(text)
  return 0
}

function refuse(words: string): number {
  process.stderr.write(`${words}\n`)
  return 2
}

function here(): Parameters<typeof tellAccessCode>[1] {
  const { env, stdout: out, stderr: err } = process
  return { env, cwd: process.cwd(), now: systemClock.now(), out, err }
}
