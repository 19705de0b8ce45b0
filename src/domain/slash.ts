import type { SlashSettings } from './config.ts'

/** The slash words of every workspace, before prefix and aliases: families of commands, and the bot's own for all of them. */
export const SLASH_WORDS = ['smoke', 'sglang', 'gpu', 'pilotflame'] as const
export type SlashWord = (typeof SLASH_WORDS)[number]

/** What may be typed after a slash in this workspace. */
export interface Slash {
  /** what each word means, without slashes: `acme-smoke` → `smoke`, `llm` → `sglang` */
  readonly words: ReadonlyMap<string, SlashWord>
  /** A command line of the house as people type it: `smoke "Hi"` → `/acme-smoke "Hi"`, `help` → `/acme-pilotflame help` */
  typed(line: string): string
}

/** Slack takes 2 to 32 characters with the slash, and 50 slash commands of one app (slack.md, manifest). */
export const SLASH_LIMITS = { word: 31, words: 50 } as const

/** The words of a workspace: all of ours behind the prefix, and the aliases as they stand. */
export function slashIn({ prefix, aliases }: SlashSettings): Slash {
  const own = SLASH_WORDS.map((word) => [`${prefix}${word}`, word] as const)
  const more = Object.entries(aliases).flatMap(([alias, meant]) => {
    const word = wordNamed(meant)
    return word === undefined ? [] : [[alias, word] as const]
  })
  return {
    words: new Map([...own, ...more]),
    typed(line) {
      const [first] = line.split(' ')
      const known = first !== undefined && wordNamed(first) !== undefined
      return known ? `/${prefix}${line}` : `/${prefix}${OWN} ${line}`
    },
  }
}

const OWN: SlashWord = 'pilotflame'

/** Our word of that name, where it is one. */
export function wordNamed(text: string): SlashWord | undefined {
  return SLASH_WORDS.find((word) => word === text)
}
