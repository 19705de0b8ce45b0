import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Code } from '../../src/domain/code.ts'
import type { Gpu, GpuProcess } from '../../src/domain/gpu.ts'
import type { CardsTold, HostCards, Telemetry, ToolSaid } from '../../src/domain/telemetry.ts'
import { isPlaceholder } from '../../src/domain/verbs/gpu-row.ts'
import { diagnose } from '../../src/judge/diagnose.ts'
import { rules } from '../../src/judge/rules/index.ts'
import { random, seedOf } from '../random.ts'

/** What is known of a GPU tool beside its reader: recordings below test/fixtures/telemetry, and what stands in them. */
export interface KnownTool {
  readonly telemetry: Telemetry
  /** a recording with at least one process, in which nothing is wrong; the tests below damage it */
  readonly good: string
  /** by recording: the cards and the processes, null where the tool tells none */
  readonly recordings: Readonly<Record<string, Recorded>>
  /** by recording of a tool that failed: what is the matter, and what it said of it */
  readonly failures: Readonly<Record<string, readonly [code: Code, said: RegExp]>>
  /** what it prints where there are no processes */
  readonly noProcesses: string
}

interface Recorded {
  readonly cards: readonly Partial<Gpu>[]
  readonly processes: readonly Partial<GpuProcess>[] | null
  /** null where nothing is wrong with them */
  readonly code?: Code
}

/** What every reader of a GPU tool does. */
export function telemetryContract(known: KnownTool): void {
  recordingsAreRead(known)
  hangsAreStates(known)
  besideReadings(known)
  processesAreRead(known)
  oddAnswers(known)
}

function recordingsAreRead({ telemetry, recordings, failures }: KnownTool): void {
  const { read } = telemetry

  describe.each(Object.entries(recordings))('%s', (name, wanted) => {
    const answer = toldIn(telemetry, name)
    const seen = read(answer)

    test('its cards and processes', () => {
      expect(seen.gpus).toMatchObject({ tool: telemetry.kind, rc: 0, timedOut: false, place: 'host' })
      expect(seen.gpus.cards).toMatchObject(wanted.cards)
      expect(seen.gpus.cards).toHaveLength(wanted.cards.length)
      if (wanted.processes === null) expect(seen.processes).toBeNull()
      else expect(seen.processes).toMatchObject(wanted.processes)
      expect(seen.processes?.length).toBe(wanted.processes?.length)
    })

    test('no placeholder is taken for a value, and no line of readings for a note', () => {
      const values = [...seen.gpus.cards, ...(seen.processes ?? [])].flatMap(({ ...fields }) => Object.values(fields))
      expect(values.filter((value) => typeof value === 'string' && isPlaceholder(value))).toEqual([])
      expect(seen.gpus.notes.filter((note) => /^\s*[[\]{}"]|^\d+, /.test(note))).toEqual([])
    })

    test(`the rules find ${wanted.code ?? 'nothing wrong'}`, () => {
      const codes = codesOf(seen)
      if (wanted.code === undefined) expect(codes.filter((code) => !FINE.test(code))).toEqual([])
      else expect(codes).toContain(wanted.code)
    })
  })

  test.each(Object.entries(failures))('%s: the rules find the cause', (name, [code, words]) => {
    const seen = read(toldIn(telemetry, name))
    expect(seen.gpus.cards).toEqual([])
    expect(seen.gpus.notes).toEqual(expect.arrayContaining([expect.stringMatching(words)]))
    expect(seen.processes).toBeNull()
    expect(codesOf(seen)[0]).toBe(code)
  })
}

function hangsAreStates(known: KnownTool): void {
  const { telemetry } = known
  const { read } = telemetry
  const { told, cards } = goodOf(known)

  test('a tool that hangs, and one that hangs since an earlier call, are a state of their own', () => {
    const hangs = read({ ...told, cards: { text: '', rc: 124 }, apps: null, processes: [] })
    const held = read({ ...told, cards: null, apps: null, processes: [] })
    for (const seen of [hangs, held]) {
      expect(seen).toMatchObject({ gpus: { cards: [], rc: null, timedOut: true }, processes: null, units: told.units })
      expect(codesOf(seen)).toEqual(['telemetry.timeout'])
    }
    expect(held.gpus.notes).toEqual([expect.stringContaining(`${telemetry.kind} still runs there`)])
  })

  test('what it printed before it hung is read', () => {
    const seen = read({ ...told, cards: { ...cards, rc: 124 }, apps: null })
    expect(seen.gpus.cards).toEqual(read(told).gpus.cards)
    expect(seen.gpus.timedOut).toBe(true)
  })
}

function besideReadings(known: KnownTool): void {
  const { read } = known.telemetry
  const { told, cards, apps } = goodOf(known)

  test('chatter of shells and libraries around the readings changes none of them', () => {
    const noisy = ({ text, rc }: ToolSaid): ToolSaid => ({ text: `${CHATTER}\n${text}\n${CHATTER}`, rc })
    const seen = read({ ...told, cards: noisy(cards), apps: noisy(apps) })
    const { chatter, ...gpus } = seen.gpus
    expect({ ...seen, gpus }).toEqual(read(told))
    expect(chatter).toEqual([CHATTER, CHATTER, CHATTER, CHATTER])
  })

  test('a complaint beside the readings is kept, once', () => {
    const line = 'WARNING: the records of card 0 are damaged'
    const seen = read({ ...told, cards: { ...cards, text: `${line}\n${cards.text}\n${line}` } })
    expect(seen.gpus.cards).toEqual(read(told).gpus.cards)
    expect(seen.gpus.notes.filter((note) => note === line)).toEqual([line])
  })
}

function processesAreRead(known: KnownTool): void {
  const { read } = known.telemetry
  const { told } = goodOf(known)

  test('processes that were not asked for, that failed or did not come are not known; none is an answer', () => {
    expect(read({ ...told, apps: null }).processes).toBeNull()
    expect(read({ ...told, apps: { text: 'Segmentation fault', rc: 139 } }).processes).toBeNull()
    const late = read({ ...told, apps: { text: '', rc: 124 } })
    expect([late.processes, late.gpus.timedOut]).toEqual([null, false])
    expect(late.gpus.notes).toEqual(expect.arrayContaining([expect.stringContaining('did not list the processes')]))
    expect(read({ ...told, apps: { text: known.noProcesses, rc: 0 } }).processes).toEqual([])
  })

  test('a process has what /proc shows of it', () => {
    const [first] = read(told).processes ?? []
    if (first === undefined) throw new Error(`${known.good} has no process`)
    const facts = { pid: first.pid, ppid: 1, start: 77, owner: 'llm', state: 'S', rssKiB: 9 }
    const shown = { ...facts, cgroup: '/system.slice/sglang.service', comm: 'python', argv: ['python'] }
    const seen = read({ ...told, processes: [shown, { ...shown, pid: 1 }] })
    expect(seen.processes?.map((one) => one.facts)).toEqual(
      read(told).processes?.map(({ pid }) => (pid === first.pid ? shown : null)),
    )
  })
}

function oddAnswers(known: KnownTool): void {
  const { read } = known.telemetry
  const { told, cards, apps } = goodOf(known)

  test('an answer that was cut anywhere is read as far as it goes, and says so', () => {
    const whole = read(told).gpus.cards
    for (let part = 0; part < 50; part += 1) {
      const text = cards.text.slice(0, Math.floor((cards.text.length * part) / 50))
      const { gpus } = read({ ...told, cards: { text: text.slice(0, text.lastIndexOf('\n') + 1), rc: 141 } })
      expect(gpus.cards.length, `${part}`).toBeLessThanOrEqual(whole.length)
      expect(gpus.notes.at(-1), `${part}`).toContain('printed more than is read')
      expect(gpus.notes.length, `${part}`).toBeLessThanOrEqual(3)
    }
  })

  test('1,000 mutations never throw, and never make a number that is none', () => {
    const seed = seedOf('TELEMETRY_SEED', 7)
    for (let at = seed; at < seed + 1000; at += 1) {
      const seen = read({
        ...told,
        cards: { ...cards, text: mutated(cards.text, at) },
        apps: { ...apps, text: mutated(apps.text, at + 1) },
      })
      const numbers = [...seen.gpus.cards, ...(seen.processes ?? [])].flatMap(({ ...fields }) => Object.values(fields))
      expect(
        numbers.filter((one) => typeof one === 'number' && !Number.isFinite(one)),
        `seed ${at}`,
      ).toEqual([])
    }
  })

  test('notes, cards and processes are bounded', () => {
    const endless = { text: `${cards.text}\n${LINES}`, rc: 0 }
    const { gpus } = read({ ...told, cards: endless, apps: endless })
    expect([gpus.notes.length, gpus.cards.length <= 256]).toEqual([50, true])
  })
}

/** The good recording and its two answers, to be damaged. */
function goodOf({ telemetry, good }: KnownTool) {
  const told = toldIn(telemetry, good)
  return { told, cards: said(told.cards), apps: said(told.apps) }
}

/** Asked for nothing in particular, the rules tell that all is well, or that they want more. */
const FINE = /^ok\.|^log\.need-more$/

const CHATTER = '/etc/profile.d/cuda.sh: line 3: warning: setlocale: LC_ALL: cannot change locale (de_DE.UTF-8)'

const LINES = Array.from({ length: 4000 }, (_, at) => `odd line ${at}\n`).join('')

function codesOf({ gpus, processes }: HostCards): readonly Code[] {
  const gpuProcesses = processes === null ? {} : { gpuProcesses: processes }
  const evidence = { target: { name: 'host', url: '', host: null }, gpus, ...gpuProcesses }
  return diagnose(evidence, rules).findings.map(({ code }) => code)
}

/** A recording as the verb `cards` brings it. */
function toldIn({ kind }: Telemetry, name: string): CardsTold {
  const file = new URL(`../fixtures/telemetry/${kind}-${name}.json`, import.meta.url)
  const { cards, apps }: Recording = JSON.parse(readFileSync(file, 'utf8'))
  const units = { qwen: 'sglang.service' }
  return {
    tool: kind,
    cards: cards && { text: cards.lines.join('\n'), rc: cards.rc },
    apps: apps && { text: apps.lines.join('\n'), rc: apps.rc },
    ...{ processes: [], units, at: 1_767_225_600_000, place: 'host' },
  }
}

interface Recording {
  readonly cards: Lines | null
  readonly apps: Lines | null
}

interface Lines {
  readonly rc: number
  readonly lines: readonly string[]
}

function said(one: ToolSaid | null): ToolSaid {
  if (one === null) throw new Error('the good recording lacks an answer')
  return one
}

const PIECES = [...'[]{}",:|\n 0-.', 'N/A', '[GPU is lost]', '"gpu": 0', '1e999', 'null', 'GPU[0]', 'PID4']

function mutated(text: string, seed: number): string {
  const { below, pick } = random(seed)
  return Array.from({ length: 1 + below(6) }).reduce((damaged: string) => {
    const at = below(damaged.length + 1)
    return damaged.slice(0, at) + (pick(PIECES) ?? '') + damaged.slice(at + below(3))
  }, text)
}
