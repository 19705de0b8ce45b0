/** One thing to do, read out of a remedy without knowing the fault. */
export type Step =
  | { readonly do: 'ask'; readonly with: Readonly<Record<string, string>>; readonly without: readonly string[] }
  | { readonly do: 'set'; readonly flags: readonly Setting[] }
  | { readonly do: 'install'; readonly name: string; readonly version: string }
  | { readonly do: 'end'; readonly pid: number }
  /** the command names the process */
  | { readonly do: 'list-and-end'; readonly list: readonly [string, ...string[]] }

/** A flag of the server with its dashes; null: a switch, which has no value. */
export interface Setting {
  readonly flag: string
  readonly value: string | null
}

export type Reading = { readonly ok: true; readonly step: Step } | { readonly ok: false; readonly why: string }

/**
 * Reads the one step that a remedy orders. What stands in brackets is said for other engines or explains; so does what
 * follows the first sentence. A remedy that names several ways, no value or a placeholder is not read: nobody could carry
 * it out as it is written.
 */
export function readRemedy(remedy: string): Reading {
  const text = withoutBrackets(remedy)
  const looked = lookAndEnd(text)
  if (looked !== null) return { ok: true, step: looked }
  const [order = ''] = text.split(/[.;] (?=[A-Z])|: (?=[a-z])(?!ss |nvidia-smi |retry |kill )/)
  const listed = listAndEnd(text)
  if (listed !== null) return { ok: true, step: listed }
  if (/\bor (?!newer|more)/i.test(order)) return { ok: false, why: `several ways: ${order}` }
  const step = FORMS.reduce<Step | null>((found, form) => found ?? form(order), null)
  if (step === null) return { ok: false, why: `nothing that a script could do: ${order}` }
  const placeholder = valuesIn(step).find((value) => NO_VALUE.test(value))
  return placeholder === undefined ? { ok: true, step } : { ok: false, why: `${placeholder} is no value: ${order}` }
}

/** What stands for a value that the reader has to find, and words that go on with the sentence. */
const NO_VALUE = /^(?:[A-Z][A-Z_]+|and|or|of|by|for|to|that|the|in|with)$/

function withoutBrackets(text: string): string {
  const less = text.replace(/\s?\([^()]*\)/g, '')
  return less === text ? text : withoutBrackets(less)
}

/** `ss -ltnp 'sport = :30000' … kill PID`: the process that the command names. */
function listAndEnd(text: string): Step | null {
  const [, quoted, plain] = /(ss -ltnp '[^']+')|(nvidia-smi --query-compute-apps=\S+ --format=csv)/.exec(text) ?? []
  const command = quoted ?? plain
  if (command === undefined || !/\bkill PID\b/.test(text)) return null
  const [program = '', ...words] = Array.from(
    command.matchAll(/'([^']*)'|(\S+)/g),
    ([, one, other]) => one ?? other ?? '',
  )
  return { do: 'list-and-end', list: [program, ...words] }
}

/** `ps -o pid,ppid,… -p 4242 … kill 4242`: the one that was looked at. */
function lookAndEnd(text: string): Step | null {
  const [, pid] = /\bps -o \S+ -p (\d+)\b.*\bkill \1\b/.exec(text) ?? []
  return pid === undefined ? null : { do: 'end', pid: Number(pid) }
}

const FORMS: readonly ((order: string) => Step | null)[] = [kill, retry, withoutFlag, askFor, install, settings]

function kill(order: string): Step | null {
  const [, pid] = /\bkill (\d+)\b/.exec(order) ?? []
  return pid === undefined ? null : { do: 'end', pid: Number(pid) }
}

function retry(order: string): Step | null {
  const [, words] = /\bretry((?: [a-z_]+=[\w.]+)+)/.exec(order) ?? []
  if (words === undefined) return null
  const pairs = Array.from(words.matchAll(/([a-z_]+)=(\S+)/g), ([, name = '', value = '']) => [name, value] as const)
  return { do: 'ask', with: Object.fromEntries(pairs), without: [] }
}

function withoutFlag(order: string): Step | null {
  const [, flag] = /^Ask again\b.* without --([a-z-]+)/.exec(order) ?? []
  return flag === undefined ? null : { do: 'ask', with: {}, without: [flag] }
}

function askFor(order: string): Step | null {
  const [, name] = /^Ask for the model (\S*\w)/.exec(order) ?? []
  return name === undefined ? null : { do: 'ask', with: { model: name }, without: [] }
}

/** `pip install -U "sglang>=0.5.11"` · `Upgrade SGLang 0.5.9 to 0.5.11 or newer`; the least that it names is taken. */
function install(order: string): Step | null {
  const [, packaged, wanted] = /pip install (?:-U )?["']?(\w+)>=([\w.]+\w)/.exec(order) ?? []
  if (packaged !== undefined && wanted !== undefined) return { do: 'install', name: packaged, version: wanted }
  const [, title, version] = /^Upgrade (\w+)(?: [\w.]+)? to ([\w.]+\w) or newer/.exec(order) ?? []
  return title === undefined || version === undefined ? null : { do: 'install', name: title.toLowerCase(), version }
}

/** `--mem-fraction-static 0.65` · `-c 4096` · `--enable-strict-thinking`, whatever the words around them are. */
function settings(order: string): Step | null {
  const flags = Array.from(
    order.matchAll(/(?<![\w-])(--?[a-z][\w-]*)(?: ((?!-)[\w./-]*\w))?(?=[\s,.:;]|$)/g),
    ([, flag = '', value]) => ({
      flag,
      value: value ?? null,
    }),
  )
  return flags.length === 0 ? null : { do: 'set', flags }
}

function valuesIn(step: Step): readonly string[] {
  if (step.do === 'set') return step.flags.flatMap(({ value }) => value ?? [])
  return step.do === 'ask' ? Object.values(step.with) : []
}
