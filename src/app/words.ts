/** Flags that name a server on the command line, so that no configuration is needed. */
const AD_HOC = ['url', 'model', 'engine'] as const

interface AdHocWords {
  /** the command line without these flags */
  readonly words: readonly string[]
  readonly url: string | null
  readonly model: string | null
  readonly engine: string | null
}

/** Flags that name servers of the configuration. */
const CONFIGURED = ['target', 'on'] as const

/** The first word that names a server in another way than `--url` does; null where none does. */
export function besideUrl(words: readonly string[]): string | null {
  const isOther = (word: string) => CONFIGURED.some((one) => word === `--${one}` || word.startsWith(`--${one}=`))
  return words.find(isOther)?.replace(/=[\s\S]*$/, '') ?? null
}

/** Takes `--url URL [--model NAME] [--engine KIND]` out of a command line; both `--url X` and `--url=X` are read. */
export function adHocWords(given: readonly string[]): AdHocWords {
  const found = new Map<string, string>()
  const words: string[] = []
  for (let at = 0; at < given.length; at += 1) {
    const word = given[at] ?? ''
    const name = AD_HOC.find((one) => word === `--${one}` || word.startsWith(`--${one}=`))
    if (name === undefined) words.push(word)
    else if (word.includes('=')) found.set(name, word.slice(word.indexOf('=') + 1))
    else {
      at += 1
      found.set(name, given[at] ?? '')
    }
  }
  const value = (name: string): string | null => found.get(name) ?? null
  return { words, url: value('url'), model: value('model'), engine: value('engine') }
}
