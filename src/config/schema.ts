import { z } from 'zod'
import { CHANNEL_ID } from '../domain/ask.ts'
import { SLASH_WORDS } from '../domain/slash.ts'
import { ENGINE_KINDS, GATE_DELIVERIES } from '../domain/target.ts'
import type { BaseUrl } from '../domain/url.ts'
import { readBaseUrl, readProxyUrl } from '../domain/url.ts'
import { KnownFault } from './knowledge.ts'

// Descriptions finish the sentence "write …": they are the next step of a problem, and the hints of an editor.

/** Names of hosts and targets: they reach command lines, so nothing else may stand in them (trust.md T9). */
export const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/
/** A channel, private channel or direct message of Slack. */
export const CHANNEL = CHANNEL_ID

/** A host name or IP address. */
export const ADDRESS =
  /^(?:[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,252})|(?=[^:]*:[^:]*:)[0-9A-Fa-f:.]{2,45}(?:%[A-Za-z0-9]+)?)$/
/** An account. */
export const USER = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$/
/** A name in ~/.ssh/config: no pattern, and never an option (trust.md T12). */
export const ALIAS = /^[A-Za-z0-9_][A-Za-z0-9_.:-]{0,252}$/
const VARIABLE = /^[A-Z][A-Z0-9_]{0,63}$/
const DURATION = /^\d{1,6}(?:ms|s|m|h|d)$/
const HOST_KEY = /^(?:ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(?:256|384|521)) AAAA[A-Za-z0-9+/]+={0,2}(?: .*)?$/
const PERSON = /^(?:[TE][A-Z0-9]{2,20}:[UW][A-Z0-9]{2,20})$/

function text(pattern: RegExp, what: string) {
  return z.string().regex(pattern).describe(what)
}

function path(what: string) {
  return text(/^(?!-----)[^\n\0]{1,4096}$/, what)
}

function oneOrMore(one: z.ZodString, what: string) {
  return z.union([one, z.array(one).min(1).max(50)]).describe(what)
}

function record<Value extends z.ZodType>(names: RegExp, value: Value, what: string) {
  return z.record(z.string(), value).meta({ description: what, propertyNames: { pattern: names.source } })
}

function duration(what: string) {
  return z.union([z.string().regex(DURATION), z.literal(0)]).describe(what)
}

const Host = z
  .strictObject({
    address: text(ADDRESS, 'a host name or IP address, without user and port').optional(),
    port: z.int().min(1).max(65535).describe('a port from 1 to 65535 (22 where it is left out)').optional(),
    user: text(USER, 'the name of the account to log in as').optional(),
    ssh_config: text(ALIAS, 'the name of the host in ~/.ssh/config').optional(),
    key: path('the path of a private key file; the key itself does not belong here').optional(),
    key_env: text(VARIABLE, 'the NAME of an environment variable that holds the private key').optional(),
    agent: z.literal(true).describe('true, to use the SSH agent').optional(),
    key_passphrase_env: text(VARIABLE, 'the NAME of an environment variable that holds the passphrase').optional(),
    known_hosts: oneOrMore(path('a path'), 'the path of a known_hosts file, or a list of them').optional(),
    host_key: oneOrMore(
      text(HOST_KEY, 'a public key'),
      'the host’s public key such as ssh-ed25519 AAAA… (its /etc/ssh/ssh_host_ed25519_key.pub), or a list of them',
    ).optional(),
    jump: text(NAME, 'the name of another host to go through').optional(),
    gate: z
      .enum(GATE_DELIVERIES)
      .describe('installed or quick, the way the gate comes to the host; leave it out to find out')
      .optional(),
  })
  .describe('a map with address, user and one of key, key_env and agent, or with ssh_config')
  .meta({ anyOf: [{ required: ['address', 'user'] }, { required: ['ssh_config'] }] })

const Target = z
  .strictObject({
    engine: z
      .enum(ENGINE_KINDS)
      .describe(`one of ${ENGINE_KINDS.join(', ')}; leave it out to find out by asking`)
      .optional(),
    url: z
      .string()
      .superRefine(checkWith(readBaseUrl))
      .describe('a URL such as http://127.0.0.1:30000, as seen from the host'),
    host: text(NAME, 'the name of a host under hosts').optional(),
    model: text(/^[^\n\0]{1,256}$/, 'the model name to ask for; leave it out to take the server’s first').optional(),
    api_key_env: text(VARIABLE, 'the NAME of an environment variable that holds the key').optional(),
    max_tokens: z
      .int()
      .min(1)
      .max(1_000_000)
      .describe('a whole number from 1 to 1000000 (4096 where it is left out)')
      .optional(),
    patience: text(DURATION, 'a time such as 60s: nothing of the model for this long is a hang').optional(),
    unit: text(
      NAME,
      'the name that the gate on the host has for the server’s unit: letters, digits, _ . and -',
    ).optional(),
    protected: z.boolean().describe('true where a second person must approve changes of it').optional(),
    ca: path('the path of a PEM file with the certificate of your own authority').optional(),
    proxy: z
      .string()
      .superRefine(checkWith(readProxyUrl))
      .describe('the URL of a proxy such as http://proxy.example:3128')
      .optional(),
  })
  .describe('a map with url')

const Channel = z
  .strictObject({
    target: text(NAME, 'the name of the target that is meant where nobody names one').optional(),
    targets: z
      .array(text(NAME, 'the name of a target'))
      .max(200)
      .describe('a list of targets that may be used there')
      .optional(),
  })
  .describe('a map with target and targets, or nothing')

/** A word that Slack takes after the slash, 2 to 32 characters with it. */
export const ALIAS_WORD = /^[a-z][a-z0-9_-]{0,30}$/

const People = z
  .array(text(PERSON, 'a TEAM:USER id such as T0123ABCD:U0123ABCD (@pilotflame whoami shows it)'))
  .max(1000)

const Groups = z
  .array(text(/^S[A-Z0-9]{2,20}$/, 'the id of a user group such as S0123ABCD'))
  .max(20)
  .describe('a list of user group ids such as S0123ABCD')

/** What may stand in pilotflame.yml. Nothing is converted here, so it is the editors' JSON Schema as well. */
export const ConfigFile = z.strictObject({
  hosts: record(NAME, Host, 'a map of hosts by name').nullish(),
  targets: record(NAME, Target, 'a map of targets by name').nullish(),
  slack: z
    .strictObject({
      channels: record(CHANNEL, Channel.nullable(), 'a map of channels by id').nullish(),
      mentions_only: z
        .boolean()
        .describe('true, to read only messages that mention the bot; false where it is left out')
        .optional(),
      read_files: z
        .boolean()
        .describe('true, to read files that people upload for explain; false where it is left out')
        .optional(),
      aliases: record(
        ALIAS_WORD,
        text(ALIAS_WORD, `one of ${SLASH_WORDS.join(', ')}`),
        'a map of more slash words, such as llm: sglang',
      ).nullish(),
    })
    .describe('a map with channels, mentions_only, read_files and aliases')
    .nullish(),
  roles: z
    .strictObject({
      admins: People.describe('a list of TEAM:USER ids').nullish(),
      operators: People.describe('a list of TEAM:USER ids').nullish(),
      admin_groups: Groups.nullish(),
      operator_groups: Groups.nullish(),
    })
    .describe('a map with admins, operators, admin_groups and operator_groups')
    .nullish(),
  keep: z
    .strictObject({
      prompts: duration('a time such as 7d, for which prompts and answers are kept; 0 is never').optional(),
      attempts: duration('a time such as 90d, for which verdicts are kept').optional(),
    })
    .describe('a map with prompts and attempts')
    .nullish(),
  knowledge: z
    .array(KnownFault)
    .max(200)
    .describe('a list of at most 200 known faults, each a map with engine, versions, code, cause, fix, source and date')
    .nullish(),
  store: path('the path of the database file, or ":memory:" in quotes').optional(),
})

export type ConfigFile = z.infer<typeof ConfigFile>

/** The JSON Schema of pilotflame.yml, for editors. */
export function configSchema(): object {
  return { title: 'pilotflame.yml', ...z.toJSONSchema(ConfigFile, { io: 'input' }) }
}

/** The description of a place in the file, and the keys that it may have. */
export function schemaAt(path: readonly PropertyKey[]): {
  readonly what: string | null
  readonly keys: readonly string[]
} {
  let at: unknown = ConfigFile
  for (const key of path) at = childOf(bare(at), key) ?? at
  const schema = bare(at)
  return {
    what: schema instanceof z.ZodType ? (schema.description ?? null) : null,
    keys: schema instanceof z.ZodObject ? Object.keys(schema.shape) : [],
  }
}

function childOf(schema: unknown, key: PropertyKey): unknown {
  if (schema instanceof z.ZodObject) return Object.entries(schema.shape).find(([name]) => name === key)?.[1]
  if (schema instanceof z.ZodRecord) return schema.valueType
  if (schema instanceof z.ZodArray) return schema.element
  return undefined
}

function bare(schema: unknown): unknown {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable ? bare(schema.unwrap()) : schema
}

function checkWith(judge: (text: string) => BaseUrl) {
  return (text: string, context: z.RefinementCtx): void => {
    const read = judge(text)
    if (!read.ok) context.addIssue({ code: 'custom', message: read.next, params: { found: read.found } })
  }
}
