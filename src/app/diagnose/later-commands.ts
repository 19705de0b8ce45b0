import type { Command, Flag } from '../../domain/command.ts'
import { refusal } from '../../domain/report.ts'
import { looksLikeFlag, nameOf } from '../../parse/flags.ts'
import type { Line } from '../../parse/line.ts'

/**
 * What a line may be whose command only other versions or other set-ups have, so that it can be read here too. A verb
 * that the house has is its own; a word that nobody knows is a command only where Slack delivered it as one.
 */
export function laterCommands(
  { head, words }: Pick<Line, 'head' | 'words'>,
  house: readonly Command[],
  slash: boolean,
): readonly Command[] {
  if (head === null) return []
  const flags = flagsIn(words)
  const own = house.filter((one) => one.word === head)
  const verbs = VERBS[head]?.filter((verb) => own.every((one) => one.verb !== verb))
  if (verbs !== undefined) return verbs.map((verb) => wordy(head, verb, flags))
  if (own.length > 0) return []
  const isVerb = Object.values(VERBS).some((family) => family.includes(head))
  return slash || isVerb ? [wordy(head, null, flags)] : []
}

const VERBS: Readonly<Record<string, readonly string[]>> = {
  gpu: ['status', 'top', 'who', 'doctor', 'history', 'lock', 'unlock'],
  sglang: [
    ...['status', 'version', 'config', 'logs', 'load', 'preflight', 'diff', 'use', 'lock', 'unlock'],
    ...['restart', 'start', 'stop', 'rollback'],
  ],
}

/** A command that reads names and flags. Nobody runs it. */
function wordy(word: string, verb: string | null, flags: readonly Flag[]): Command {
  const name = verb === null ? word : `${word} ${verb}`
  return {
    word,
    verb,
    summary: name,
    usage: `${name} [NAME …]`,
    examples: [],
    access: 'read',
    needsTarget: false,
    targetFirst: false,
    takes: 'words',
    flags,
    where: 'anywhere',
    needsMention: false,
    readsRecords: false,
    bind: () => ({
      ok: true,
      target: null,
      needsTarget: false,
      work: { kind: 'answer', run: async () => refusal(`${name} is not run here.`) },
    }),
  }
}

/** Whatever is written as a flag; one before a figure takes it as its value. */
function flagsIn(words: Line['words']): readonly Flag[] {
  return words.slice(0, MOST).flatMap((word, at) => {
    if (!looksLikeFlag(word)) return []
    const next = words[at + 1]?.text ?? ''
    const valued = word.text.includes('=') || /^\d+[smhd]?$/.test(next) || TEXTS.includes(nameOf(word))
    const kind = NAMES.includes(nameOf(word)) ? 'name' : 'text'
    return { name: nameOf(word), kind: valued ? kind : 'switch', value: 'VALUE', help: '' }
  })
}

/** A line with more words than this is not read. */
const MOST = 200

const NAMES: readonly string[] = ['target', 'host']
const TEXTS: readonly string[] = [...NAMES, 'for', 'grep', 'since', 'follow', 'reason', 'drain', 'sort']
