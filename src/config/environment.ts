import { resolve } from 'node:path'
import { z } from 'zod'
import type { SlackSettings } from '../domain/config.ts'
import type { Problem } from './problem.ts'
import { environmentProblem } from './problem.ts'
import { readSmallFile } from './read-file.ts'

/** Variables as the process has them. An empty one counts as not set. */
export type Env = Readonly<Record<string, string | undefined>>

/** It becomes an HTTP header, which takes nothing else. */
const ApiKey = z.string().regex(/^[\x21-\x7e]{1,4096}$/)

/** Every variable of our own. Secrets may come from a file as well: NAME_FILE holds its path. */
export const Variables = z.object({
  PILOTFLAME_CONFIG: z.string().describe('the path of pilotflame.yml'),
  SLACK_BOT_TOKEN: z
    .string()
    .regex(/^xoxb-[A-Za-z0-9-]+$/)
    .describe('the bot token, which begins with xoxb-'),
  SLACK_APP_TOKEN: z
    .string()
    .regex(/^xapp-[A-Za-z0-9-]+$/)
    .describe('the app-level token, which begins with xapp-'),
  PILOTFLAME_PORT: z
    .string()
    .regex(/^\d{1,5}$/)
    .refine((port) => Number(port) <= 65_535)
    .describe('the port of the console, from 0 (any free one) to 65535 (7331 where it is not set)'),
  COMMAND_PREFIX: z
    .string()
    .regex(/^[a-z][a-z0-9_-]{0,15}$/)
    .describe('what stands before each slash word, such as acme-: small letters, digits, - and _'),
  PILOTFLAME_API_KEY: ApiKey.describe('the key of the server that --url names'),
})

/** The variables of ours that hold secrets. */
export const SECRET_VARIABLES = ['SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN', 'PILOTFLAME_API_KEY'] as const

export interface SecretRead {
  /** null where it is not set, or has a problem */
  readonly value: string | null
  readonly problems: readonly Problem[]
}

/** Reads a secret from NAME or from the file that NAME_FILE names. */
export function readSecret(name: string, env: Env, cwd: string): SecretRead {
  const [direct, file] = [env[name] || null, env[`${name}_FILE`] || null]
  if (file === null) return { value: direct, problems: [] }
  if (direct !== null) return wrong(name, `both ${name} and ${name}_FILE`, 'keep one of them')
  const read = readSmallFile(resolve(cwd, file), LARGEST_SECRET)
  switch (read.kind) {
    case 'missing':
      return wrong(`${name}_FILE`, `"${file}", where there is no file`, 'correct the path')
    case 'unreadable':
      return wrong(
        `${name}_FILE`,
        `"${file}", ${read.found}`,
        'name a file that holds only the secret and that this user may read',
      )
    case 'text': {
      const value = read.text.replace(/^\uFEFF/, '').trim()
      return value === ''
        ? wrong(`${name}_FILE`, `"${file}", which is empty`, 'write the secret into it')
        : { value, problems: [] }
    }
  }
}

/** The same for the key of a server. */
export function readApiKey(name: string, env: Env, cwd: string): SecretRead {
  const read = readSecret(name, env, cwd)
  if (read.value === null || ApiKey.safeParse(read.value).success) return read
  return wrong(name, 'spaces or special characters (not shown here)', 'set one word of plain letters, digits and signs')
}

export interface EnvironmentRead {
  /** whether anybody tried to set a Slack token, rightly or not */
  readonly tried: boolean
  /** null where no tokens are set */
  readonly slack: SlackSettings | null
  /** COMMAND_PREFIX; '' where it is not set */
  readonly prefix: string
  readonly problems: readonly Problem[]
}

/** What the environment sets beside the file: both Slack tokens or none, the words and the console's port. */
export function readEnvironment(env: Env, cwd: string): EnvironmentRead {
  const bot = readToken('SLACK_BOT_TOKEN', env, cwd)
  const app = readToken('SLACK_APP_TOKEN', env, cwd)
  const tried = [bot, app].some(({ value, problems }) => value !== null || problems.length > 0)
  const problems = [
    ...bot.problems,
    ...app.problems,
    ...checkPlain('PILOTFLAME_PORT', env),
    ...checkPlain('COMMAND_PREFIX', env),
  ]
  const prefix = env['COMMAND_PREFIX'] ?? ''
  if (problems.length > 0) return { tried, slack: null, prefix, problems }
  if (bot.value !== null && app.value !== null) {
    const slack = { botToken: bot.value, appToken: app.value, apiUrl: null }
    return { tried, slack, prefix, problems }
  }
  if (!tried) return { tried, slack: null, prefix, problems }
  return {
    tried,
    slack: null,
    prefix,
    problems: [bot.value === null ? alone('SLACK_BOT_TOKEN') : alone('SLACK_APP_TOKEN')],
  }
}

function checkPlain(name: 'PILOTFLAME_PORT' | 'COMMAND_PREFIX', env: Env): readonly Problem[] {
  const [value, schema] = [env[name] || null, Variables.shape[name]]
  if (value === null || schema.safeParse(value).success) return []
  return [environmentProblem(name, `"${value.slice(0, 20)}"`, `set ${schema.description}`)]
}

const LARGEST_SECRET = 64 * 1024

function readToken(name: 'SLACK_BOT_TOKEN' | 'SLACK_APP_TOKEN', env: Env, cwd: string): SecretRead {
  const read = readSecret(name, env, cwd)
  const schema = Variables.shape[name]
  if (read.value === null || schema.safeParse(read.value).success) return read
  const kind = /^(?:xox[a-z]|xapp|xoxe)(?=[-.])/.exec(read.value)?.[0]
  const found = kind === undefined ? 'something else (not shown here)' : `a token that begins with ${kind}-`
  return wrong(name, found, `set ${schema.description}`)
}

function alone(missing: 'SLACK_BOT_TOKEN' | 'SLACK_APP_TOKEN'): Problem {
  const other = missing === 'SLACK_BOT_TOKEN' ? 'SLACK_APP_TOKEN' : 'SLACK_BOT_TOKEN'
  return environmentProblem(
    missing,
    `nothing, while ${other} is set`,
    `set ${Variables.shape[missing].description}, or unset ${other}`,
  )
}

function wrong(key: string, found: string, next: string): SecretRead {
  return { value: null, problems: [environmentProblem(key, found, next)] }
}
