import { globSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Directive, Line } from 'ssh-config'
import { glob, SSHConfig } from 'ssh-config'
import { readSmallFile } from './read-file.ts'

/** What `~/.ssh/config` says, by name. It is read and never obeyed: no line of it starts a program. */
export interface SshConfig {
  /** whether a Host or Match line means this name; a bare `*` means nobody */
  knows(name: string): boolean
  /** every name that stands there in full */
  readonly names: readonly string[]
  /** The values of a directive (in small letters) for a name, in their order; none where it is not set. */
  settings(name: string, user: string | undefined): (directive: string) => readonly string[]
}

/** `found` follows the word "found". */
export type SshConfigRead =
  | { readonly ok: true; readonly config: SshConfig }
  | { readonly ok: false; readonly found: string }

/** Reads `~/.ssh/config` with the files that its Include lines name. */
export function readSshConfig(home: string): SshConfigRead {
  const reading: Reading = { home, left: MOST_FILES, problem: null }
  const lines = linesOf(join(home, '.ssh', 'config'), reading)
  if (reading.problem !== null) return { ok: false, found: reading.problem }
  return lines === null ? { ok: false, found: 'no ~/.ssh/config' } : { ok: true, config: configOf(lines) }
}

function configOf(lines: readonly Line[]): SshConfig {
  const config = sectionOf(lines)
  const patterns = lines.flatMap((line) => patternsOf(line).filter((pattern) => pattern !== '*'))
  return {
    knows: (name) =>
      lines.some((line) =>
        glob(
          patternsOf(line).filter((one) => one !== '*'),
          name,
        ),
      ),
    names: [...new Set(patterns.filter((pattern) => !/[*?!]/.test(pattern)))],
    settings(name, user) {
      const asked = user === undefined ? { Host: name } : { Host: name, User: user }
      const computed = config.compute(asked, { ignoreCase: true, matchExec: false })
      return (directive) => [...new Set([computed[directive] ?? []].flat())]
    },
  }
}

/** The patterns of a section's names; none for sections that go by something else. */
function patternsOf(line: Line): readonly string[] {
  if (!('config' in line)) return []
  if (!('criteria' in line)) return valuesOf(line)
  const { host, originalhost = host } = line.criteria
  return typeof originalhost === 'string' ? originalhost.split(',') : []
}

interface Reading {
  readonly home: string
  /** files that may still be read; Include lines may go in circles */
  left: number
  problem: string | null
}

const MOST_FILES = 100
const LARGEST_FILE = 256 * 1024

/** Null where there is no such file. */
function linesOf(path: string, reading: Reading): readonly Line[] | null {
  const shown = path.startsWith(`${reading.home}/`) ? `~${path.slice(reading.home.length)}` : path
  const read = readSmallFile(path, LARGEST_FILE)
  if (read.kind === 'missing') return null
  reading.left -= 1
  if (reading.left < 0) reading.problem = `more than ${MOST_FILES} files that ~/.ssh/config includes`
  else if (read.kind === 'unreadable') reading.problem = `${shown}, ${read.found}`
  // it says which machine a name means and which keys to trust; ssh itself refuses it so
  else if (read.shared) reading.problem = `${shown}, which others may write (chmod 600 it)`
  else {
    const parsed = parse(read.text)
    if (parsed !== null) return harmless(parsed, reading, true)
    reading.problem = `${shown}, which cannot be read as ssh_config`
  }
  return []
}

/** The library throws on quotes that do not end and on names without value. */
function parse(text: string): readonly Line[] | null {
  try {
    return [...SSHConfig.parse(text)]
  } catch {
    return null
  }
}

/** The only criteria of Match that need no program, and that the library knows. Others never match. */
const CRITERIA: ReadonlySet<string> = new Set(['all', 'final', 'host', 'originalhost', 'user', 'localuser'])
/** The library would run nslookup for these. */
const CANONICAL: ReadonlySet<string> = new Set(['canonicalizehostname', 'canonicaldomains'])
/** It compares two directives with their letters as they are. */
const SPELT: Readonly<Record<string, string>> = { hostname: 'HostName', user: 'User' }

/** The lines without those for which the library would start a program, and with those of the files that they include. */
function harmless(lines: readonly Line[], reading: Reading, top: boolean): Line[] {
  return lines.flatMap((line) => {
    if (!('param' in line)) return []
    const param = line.param.toLowerCase()
    if (CANONICAL.has(param)) return []
    if (top && param === 'include') return valuesOf(line).flatMap((pattern) => included(pattern, reading))
    if (!('config' in line)) return [{ ...line, param: SPELT[param] ?? param }]
    const config = sectionOf(harmless([...line.config], reading, false))
    if (!('criteria' in line)) return [{ ...line, config }]
    const criteria = Object.fromEntries(
      Object.entries(line.criteria).map(([name, value]) => [name.toLowerCase(), value]),
    )
    return Object.keys(criteria).every((name) => CRITERIA.has(name)) ? [{ ...line, config, criteria }] : []
  })
}

function included(pattern: string, reading: Reading): readonly Line[] {
  const path = resolve(reading.home, '.ssh', pattern.replace(/^~(?=\/)/, reading.home))
  const files = globSync(path).toSorted()
  return files.flatMap((file) => (reading.problem === null ? (linesOf(file, reading) ?? []) : []))
}

function sectionOf(lines: readonly Line[]): SSHConfig {
  const section = new SSHConfig()
  for (const line of lines) section.push(line)
  return section
}

function valuesOf({ value }: Directive): readonly string[] {
  return typeof value === 'string' ? [value] : value.map(({ val }) => val)
}
