import type { Tools } from '../../domain/command.ts'
import { ALL } from '../../domain/command.ts'
import { excerpt } from '../../domain/excerpt.ts'
import { nearest } from '../../domain/nearest.ts'
import { listed } from './cells.ts'

/** Names of the hosts that are meant, or what was named that is not there. */
export type Chosen =
  | { readonly ok: true; readonly hosts: readonly string[] }
  | { readonly ok: false; readonly problem: string }

type Here = Pick<Tools, 'hosts' | 'targets'>

/** Hosts by their own names or by a target on them; all that may be used here where nobody names one. */
export function chosenHosts(words: readonly string[], here: Here): Chosen {
  const { hosts, targets } = here
  if (hosts.length === 0) return { ok: false, problem: NONE }
  if (words.length === 0 || words.some((word) => word.toLowerCase() === ALL)) return { ok: true, hosts }
  const found: string[] = []
  for (const word of words) {
    const target = targets.find(({ name }) => name === word)
    const host = hosts.includes(word) ? word : (target?.host ?? null)
    if (host === null) return { ok: false, problem: target === undefined ? unknown(word, here) : withoutHost(word) }
    found.push(host)
  }
  return { ok: true, hosts: [...new Set(found)] }
}

function unknown(word: string, { hosts, targets }: Here): string {
  const names = [...new Set([...hosts, ...targets.map(({ name }) => name)])]
  const meant = nearest(word, names, 2)
  const next = meant === null ? `write all, or some of these: ${listed(names, NAMED)}` : `did you mean ${meant}?`
  return `There is no host and no target “${excerpt(word, LONGEST)}” that may be used here. Next: ${next}`
}

const NONE =
  'There is no host that may be used here. Next: whoever runs Pilotflame names one in pilotflame.yml under hosts, and a target on it.'
/** Names that one sentence holds. */
const NAMED = 20
const LONGEST = 64

function withoutHost(name: string): string {
  return `${name} is reached without a host, so its GPUs cannot be looked at. Next: whoever runs Pilotflame adds host to targets.${name} in pilotflame.yml.`
}
