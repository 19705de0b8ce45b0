/**
 * What the gate has to say to a line, written from the protocol and not from the script: `null` where its form is refused,
 * else the words and whether they suit the verb.
 */
export function judge(line: string): Judgement | null {
  const bare = line.startsWith(PREFIX) ? line.slice(PREFIX.length) : line
  if (!/^[A-Za-z0-9_. -]*$/.test(bare) || bare.length > 400) return null
  const words = bare.split(' ').filter((word) => word !== '')
  if (words.length > 16 || words.some((word) => word.startsWith('-') || word.length > 200)) return null
  const [verb = '', op = '', ...rest] = words
  if (!/^[0-9a-f]{32}$/.test(op)) return null
  return { verb, op, words: rest, rc: statusOf(verb, rest.join(' ')) }
}

export interface Judgement {
  readonly verb: string
  readonly op: string
  readonly words: readonly string[]
  /** 0 fits, 64 other words, 127 no such verb */
  readonly rc: 0 | 64 | 127
}

const PREFIX = '/bin/sh -s -- '

function statusOf(verb: string, words: string): Judgement['rc'] {
  if (!Object.hasOwn(FORMS, verb)) return 127
  const form = FORMS[verb] ?? ''
  const match = new RegExp(`^${form.replace(/%(\w+)%/g, (_, name) => PARTS[name] ?? 'missing')}$`).exec(words)
  if (match === null) return 64
  const { port, lines, seconds, pid, victim } = match.groups ?? {}
  const within = [
    inRange(port, 1, 65_535),
    inRange(lines, 1, 5000),
    inRange(seconds, 1, 600),
    inRange(pid, 1, 4_194_304),
    inRange(victim, 2, 4_194_304),
  ]
  return within.every(Boolean) ? 0 : 64
}

function inRange(text: string | undefined, least: number, most: number): boolean {
  return text === undefined || (Number(text) >= least && Number(text) <= most)
}

const NUMBER = '(?:0|[1-9][0-9]*)'
const HEX = '[0-9a-f]{1,16}'
const ID = '[0-9a-f]{32}'
const CURSOR = `(?: after ${ID}\\.${HEX}\\.${ID}\\.${HEX}\\.${HEX}\\.${HEX})?`

const PARTS: Readonly<Record<string, string>> = {
  alias: '[A-Za-z0-9_-][A-Za-z0-9_.-]{0,63}',
  fence: `(?:0|[1-9][0-9]{0,14})\\.(?:starting|loop|stopped|stopping|active-${ID})`,
  id: ID,
  after: CURSOR,
  // base64url has no length of 1 modulo 4
  grep: '(?: grep (?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-]{2,4}))?',
}

/** The words after the operation id. */
const FORMS: Readonly<Record<string, string>> = {
  ping: '',
  gpu: '',
  'gpu-processes': '',
  cards: '',
  'dmesg-gpu': '',
  pci: '',
  'host-health': '',
  units: '',
  unit: '%alias%',
  tree: '%alias%',
  'model-files': '%alias%',
  versions: '%alias%',
  disk: '(?:%alias%)?',
  listeners: `(?:(?<port>${NUMBER}))?`,
  process: `(?<pid>${NUMBER})`,
  opstat: '%id%',
  log: `%alias% lines (?<lines>${NUMBER})(?: since (?:0|[1-9][0-9]{0,10}))?(?: invocation %id%)?%after%(?: offset (?:0|[1-9][0-9]{0,14}))?%grep%`,
  follow: `%alias% seconds (?<seconds>${NUMBER})%after%(?: invocation %id%)?`,
  start: '%alias% %fence%',
  stop: '%alias% %fence%',
  restart: '%alias% %fence%',
  'reset-failed': '%alias% %fence%',
  variant: '%alias% %fence% %alias%',
  kill: `%alias% %fence% (?<victim>${NUMBER}) (?:0|[1-9][0-9]{0,17}) %alias% (?:TERM|KILL)`,
}
