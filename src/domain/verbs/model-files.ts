import type { GateReply } from '../gate.ts'
import { sectionOf } from '../gate.ts'
import { readJson } from '../json.ts'
import { failed, ok } from '../outcome.ts'
import type { Verb } from '../verb.ts'
import { garbled, linesOf, READ_DEADLINE_MS, wholeNumber } from './reading.ts'
import type { UnitArgs } from './unit.ts'

/** The files of the model that a unit serves: their sizes, and what its settings and its card say. */
export const modelFiles: Verb<UnitArgs, ModelFiles> = {
  name: 'model-files',
  access: 'read',
  deadlineMs: READ_DEADLINE_MS,
  words: (args) => [args.unit],
  parse(reply) {
    const [line = ''] = linesOf(sectionOf(reply, 'place'))
    const [, from, path = ''] = /^(units|argv) (\/.*)$/.exec(line.trim()) ?? []
    if (from !== 'units' && from !== 'argv') return failed(garbled('section place', 'it does not name a folder'))
    const list = sectionOf(reply, 'list')
    return ok({
      from,
      path,
      files: linesOf(list).flatMap((entry) => readFile(entry) ?? []),
      config: settings(reply, 'config.json'),
      generationConfig: settings(reply, 'generation_config.json'),
      weightsBytes: totalSize(sectionOf(reply, 'index')?.text ?? ''),
      card: linesOf(sectionOf(reply, 'card')),
    })
  },
}

export interface ModelFiles {
  /** who named the place: the host's list of units, or the arguments of the running process */
  readonly from: 'units' | 'argv'
  readonly path: string
  readonly files: readonly ModelFile[]
  readonly config: Settings
  readonly generationConfig: Settings
  /** what the index of the weights says they have; null where it does not */
  readonly weightsBytes: number | null
  /** lines of the model card about versions and sampling */
  readonly card: readonly string[]
}

export interface ModelFile {
  readonly name: string
  readonly bytes: number
}

/** A JSON file of the model. */
export type Settings =
  | { readonly state: 'read'; readonly value: unknown }
  | { readonly state: 'absent' }
  /** there, but cut, unreadable or no JSON */
  | { readonly state: 'broken'; readonly said: string }

function readFile(line: string): ModelFile | null {
  const at = line.indexOf(' ')
  const bytes = wholeNumber(line.slice(0, at))
  return bytes === null || at === line.length - 1 ? null : { name: line.slice(at + 1), bytes }
}

function settings(reply: GateReply, name: string): Settings {
  const section = sectionOf(reply, name)
  if (section === null) return { state: 'absent' }
  if (section.truncated) return { state: 'broken', said: 'it is larger than 256 KiB' }
  if (section.rc !== 0) return { state: 'broken', said: section.text.trim().slice(0, 200) }
  const read = readJson(section.text)
  return read.ok ? { state: 'read', value: read.value } : { state: 'broken', said: 'it is no JSON' }
}

function totalSize(index: string): number | null {
  return wholeNumber(/"total_size"\s{0,9}:\s{0,9}(\d{1,16})(?:\.0)?[\s,}]/.exec(index)?.[1])
}
