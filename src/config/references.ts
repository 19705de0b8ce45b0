import { z } from 'zod'
import { nearest } from '../domain/nearest.ts'
import { hostChoices, targetChoices } from './choices.ts'
import type { Problem } from './problem.ts'
import { CHANNEL, NAME } from './schema.ts'
import type { Blame } from './shape.ts'

// Only what points at something else, and read leniently: a wrong port must not hide that a host does not exist.
const word = z.string().optional().catch(undefined)
const LooseHost = z
  .object({
    jump: word,
    address: z.unknown(),
    user: z.unknown(),
    ssh_config: z.unknown(),
    key: z.unknown(),
    key_env: z.unknown(),
    agent: z.unknown(),
    known_hosts: z.unknown(),
    host_key: z.unknown(),
  })
  .partial()
  .catch({})
const LooseTarget = z
  .object({ host: word, url: z.unknown(), ca: z.unknown(), proxy: z.unknown(), unit: z.unknown() })
  .partial()
  .catch({})
const LooseChannel = z
  .object({ target: word, targets: z.array(z.string()).catch([]).optional() })
  .partial()
  .catch({})
/** `{}` where nothing is there, null where something else is: then the shape is told, and nothing is checked against it. */
function section<Entry extends z.ZodType>(entry: Entry) {
  const map = z.preprocess((value) => value ?? {}, z.record(z.string(), entry))
  return z.union([map, z.unknown().transform(() => null)])
}
const Channels = z
  .object({ channels: section(LooseChannel) })
  .nullish()
  .catch(null)
const Loose = z
  .object({ hosts: section(LooseHost), targets: section(LooseTarget), slack: Channels })
  .catch({ hosts: null, targets: null, slack: null })

/** Names that lead nowhere, rings of jumps, choices made twice or not at all. */
export function checkReferences(value: unknown, blame: Blame): readonly Problem[] {
  const { hosts, targets, slack } = Loose.parse(value)
  const channels = slack?.channels ?? {}
  return [
    ...badNames(['hosts'], hosts ?? {}, NAME, A_NAME, blame),
    ...badNames(['targets'], targets ?? {}, NAME, A_NAME, blame),
    ...badNames(['slack', 'channels'], channels, CHANNEL, A_CHANNEL, blame),
    ...(targets !== null && Object.keys(targets).length === 0 ? [blame(['targets'], 'no target', ADD_TARGET)] : []),
    ...(hosts === null ? [] : checkHosts(hosts, targets ?? {}, blame)),
    ...(targets === null
      ? []
      : Object.entries(channels).flatMap(([id, one]) => checkChannel(id, one, Object.keys(targets), blame))),
  ]
}

type Hosts = Readonly<Record<string, z.infer<typeof LooseHost>>>
type Targets = Readonly<Record<string, z.infer<typeof LooseTarget>>>

function checkHosts(hosts: Hosts, targets: Targets, blame: Blame): readonly Problem[] {
  const names = Object.keys(hosts)
  return [
    ...Object.entries(hosts).flatMap(([name, host]) => [
      ...hostChoices(name, host, blame),
      ...checkName(['hosts', name, 'jump'], host.jump, names, blame),
      ...checkRing(name, hosts, blame),
    ]),
    ...Object.entries(targets).flatMap(([name, target]) => [
      ...checkName(['targets', name, 'host'], target.host, names, blame),
      ...targetChoices(name, target, blame),
    ]),
  ]
}

const ADD_TARGET = 'add one: a name, and below it url: http://127.0.0.1:30000'
const A_NAME = 'use letters, digits, _ . and -, beginning with a letter or digit, at most 64'
const A_CHANNEL = 'use the channel’s id such as C0123ABCD (@pilotflame whoami shows it)'

function badNames(
  path: readonly string[],
  section: object,
  pattern: RegExp,
  next: string,
  blame: Blame,
): readonly Problem[] {
  const bad = Object.keys(section).filter((name) => !pattern.test(name))
  return bad.map((name) => blame([...path, name], `the name "${name.slice(0, 80)}"`, next))
}

function checkName(
  path: readonly string[],
  name: string | undefined,
  known: readonly string[],
  blame: Blame,
): readonly Problem[] {
  if (name === undefined || known.includes(name)) return []
  const what = path.at(-1) === 'host' || path.at(-1) === 'jump' ? 'host' : 'target'
  const next =
    known.length === 0
      ? `add it under ${what}s`
      : `name one of ${known.slice(0, 20).join(', ')}, or add it under ${what}s`
  return [blame(path, `the unknown ${what} "${name.slice(0, 80)}"`, next, nearest(name, known, 3))]
}

/** A ring is told once, at the first of its names. */
function checkRing(name: string, hosts: Hosts, blame: Blame): readonly Problem[] {
  const ring = ringFrom(name, (from) => (Object.hasOwn(hosts, from) ? hosts[from]?.jump : undefined))
  if (ring === null) return []
  return [blame(['hosts', name, 'jump'], `the ring ${ring.join(' → ')}`, 'let one of them be reached directly')]
}

/** The way of jumps from a name back to itself. Null where there is none, or where another of its names comes first. */
export function ringFrom(name: string, jumpOf: (name: string) => string | undefined): readonly string[] | null {
  const way = [name]
  for (let at = jumpOf(name); at !== undefined && at !== name; at = jumpOf(at)) {
    if (way.includes(at)) return null
    way.push(at)
  }
  const closed = jumpOf(way.at(-1) ?? name) === name
  return closed && way.toSorted()[0] === name ? [...way, name] : null
}

function checkChannel(
  id: string,
  { target, targets }: z.infer<typeof LooseChannel>,
  known: readonly string[],
  blame: Blame,
): readonly Problem[] {
  const path = ['slack', 'channels', id]
  const outside = target !== undefined && targets !== undefined && targets.length > 0 && !targets.includes(target)
  const found = `"${target}", which is not among the channel’s targets`
  return [
    ...checkName([...path, 'target'], target, known, blame),
    ...(targets ?? []).flatMap((name) => checkName([...path, 'targets'], name, known, blame)),
    ...(outside ? [blame([...path, 'target'], found, 'add it to targets, or name one of them')] : []),
  ]
}
