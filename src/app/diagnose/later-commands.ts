import type { Command, Flag } from '../../domain/command.ts'
import { refusal } from '../../domain/report.ts'
import { looksLikeFlag, nameOf } from '../../parse/flags.ts'
import type { Line } from '../../parse/line.ts'

/**
 * What a line may be whose command only other versions or other set-ups have, so that it can be read here too. A word
 * that the house has is its own; one that nobody knows is a command only where Slack delivered it as one.
 */
export function laterCommands(
  { head, words }: Pick<Line, 'head' | 'words'>,
  house: readonly string[],
  slash: boolean,
): readonly Command[] {
  if (head === null || house.includes(head)) return []
  const flags = flagsIn(words)
  const verbs = VERBS[head]
  if (verbs !== undefined) return verbs.map((verb) => wordy(head, verb, flags))
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
    takes: 'words',
    flags,
    where: 'anywhere',
    needsMention: false,
    bind: () => ({ ok: true, target: null, run: async () => refusal(`${name} is not run here.`) }),
  }
}

/** Whatever is written as a flag; one before a figure takes it as its value. */
function flagsIn(words: Line['words']): readonly Flag[] {
  return words.slice(0, MOST).flatMap((word, at) => {
    if (!looksLikeFlag(word)) return []
    const next = words[at + 1]?.text ?? ''
    const valued = word.text.includes('=') || /^\d+[smhd]?$/.test(next) || TEXTS.includes(nameOf(word))
    return { name: nameOf(word), kind: valued ? 'text' : 'switch', value: 'VALUE', help: '' }
  })
}

/** A line with more words than this is not read. */
const MOST = 200

const TEXTS: readonly string[] = ['target', 'host', 'for', 'grep', 'since', 'follow', 'reason', 'drain', 'sort']
