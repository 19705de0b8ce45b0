import { z } from 'zod'
import type { Tools } from '../domain/command.ts'
import { defineCommand } from '../domain/command.ts'
import { excerpt } from '../domain/excerpt.ts'
import { sentence } from '../domain/failure.ts'
import { nearest } from '../domain/nearest.ts'
import type { Report } from '../domain/report.ts'
import { refusal, report } from '../domain/report.ts'
import type { Usual } from '../domain/usual.ts'
import { usualKey } from '../domain/usual.ts'

/** `/sglang use qwen`: the target that is meant in this channel where nobody names one. */
export const use = defineCommand({
  word: 'sglang',
  verb: 'use',
  summary: 'Set the target that is meant in this channel where nobody names one; without a name, show it',
  usage: 'sglang use [NAME] [--clear]',
  examples: ['sglang use qwen', 'sglang use', 'sglang use --clear'],
  access: 'operate',
  where: 'chat',
  needsMention: true,
  takes: 'words',
  flags: [{ name: 'clear', kind: 'switch', value: '', help: 'forget what was said here; pilotflame.yml counts again' }],
  args: z
    .object({ words: z.array(z.string()).max(1, 'at most one target is wanted'), clear: z.string().optional() })
    .refine(({ words, clear }) => words.length === 0 || clear === undefined, 'a name and --clear do not go together'),
  async run({ words: [name], clear }, tools) {
    if (clear !== undefined) return forget(tools)
    if (name === undefined) return show(tools)
    const known = tools.targets.map((one) => one.name)
    return known.includes(name) ? set(name, tools) : refusal(notHere(name, known), 'usage')
  },
})

/** Targets that a sentence names. */
const NAMED = 20

function notHere(name: string, known: readonly string[]): string {
  const what = `There is no target “${excerpt(name, 64)}” here`
  if (known.length === 0) return `${what}, and no other one. Next: add one to pilotflame.yml under targets.`
  const meant = nearest(name, known, 2)
  const rest = known.length > NAMED ? ` and ${known.length - NAMED} more` : ''
  return meant === null
    ? `${what}. Next: name one of ${known.slice(0, NAMED).join(', ')}${rest}.`
    : `${what}. Next: did you mean ${meant}?`
}

async function set(name: string, { ask, records, typed }: Tools): Promise<Report> {
  const kept = await records.note(usualKey(ask.place.channel), name)
  if (!kept.ok) return refusal(`${sentence(kept.failure)} Nothing was changed.`, 'failed')
  const summary = `Whoever names no other target means it, in the channel and in new threads. Undo: ${typed('sglang use --clear')}`
  return changed(
    `${name} is meant in this channel from now on`,
    summary,
    { target: name, from: 'use' },
    ask.person.name,
  )
}

async function forget({ ask, records, usual }: Tools): Promise<Report> {
  const kept = await records.note(usualKey(ask.place.channel), null)
  if (!kept.ok) return refusal(`${sentence(kept.failure)} Nothing was changed.`, 'failed')
  const left = await usual()
  if (!left.ok) return refusal(sentence(left.failure), 'failed')
  return changed('What was said in this channel is forgotten', inWords(left.value), left.value, ask.person.name)
}

function changed(title: string, summary: string, json: Usual | null, by: string): Report {
  return report({ tone: 'neutral', status: 'done', title, summary, lead: `asked by ${by}`, json, seenBy: 'channel' })
}

async function show({ usual, typed }: Tools): Promise<Report> {
  const found = await usual()
  if (!found.ok) return refusal(sentence(found.failure), 'failed')
  const summary = `Another one: ${typed('sglang use NAME')}`
  return report({ tone: 'neutral', status: 'done', title: inWords(found.value), summary, json: found.value })
}

/** Which target is meant where nobody names one, and why. */
export function inWords(usual: Usual | null): string {
  if (usual === null) return 'No target is meant here: whoever asks names one, or presses one'
  switch (usual.from) {
    case 'use':
      return `${usual.target} is meant here, as somebody said in this channel`
    case 'configuration':
      return `${usual.target} is meant here, as pilotflame.yml says`
    case 'only':
      return `${usual.target} is meant here, as the only target`
  }
}
