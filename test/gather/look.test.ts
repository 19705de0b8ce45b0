import { expect, test } from 'vitest'
import type { Failure } from '../../src/domain/failure.ts'
import type { Host } from '../../src/domain/host.ts'
import { failed, ok } from '../../src/domain/outcome.ts'
import type { Target } from '../../src/domain/target.ts'
import type { Look } from '../../src/gather/look.ts'
import { lookAround } from '../../src/gather/look.ts'
import { answersWell, scripted, target } from '../commands/house.ts'
import type { Says } from './fake-host.ts'
import { entry, fakeHost, GOOD, STARTED_MS, UNIT } from './fake-host.ts'

const ON_HOST: Target = { ...target('qwen'), host: 'box', unit: 'main' }
const down: Failure = {
  kind: 'refused',
  thing: 'host box (10.0.0.5:22)',
  observed: 'connection refused',
  next: 'start it',
}
const fail = async () => failed<never>(down)
const api = { url: 'http://x', json: fail, text: fail, events: fail }

/** Timers that a test lets run out. */
function timers() {
  const waiting = new Map<() => void, number>()
  return {
    after(ms: number, run: () => void) {
      waiting.set(run, ms)
      return () => void waiting.delete(run)
    },
    /** Lets all run out that are due within so many ms. */
    pass(ms: number) {
      for (const [run, due] of [...waiting]) if (due <= ms) run()
    },
    left: () => waiting.size,
  }
}

function look(host: Host | null, other: Partial<Look> = {}) {
  return lookAround({
    target: ON_HOST,
    host,
    signal: new AbortController().signal,
    after: () => () => {},
    answers: true,
    reach: async () => ok({ engine: scripted(answersWell), api, info: {} }),
    redact: (text) => text.replaceAll('hunter2', '[redacted]'),
    onProgress() {},
    ...other,
  })
}

const onHost = (other: Readonly<Record<string, Says>> = {}, asked: string[] = []) =>
  fakeHost({ ...GOOD, ...other }, asked)

test('all is gathered at once, each by one call, and counted', async () => {
  const [asked, progress]: [string[], string[]] = [[], []]
  const { facts, looked } = await look(onHost({}, asked), {
    onProgress: (done, all) => progress.push(`${done}/${all}`),
  })
  expect(asked).toHaveLength(10)
  expect(asked).toContain('log main lines 2000 invocation 0123456789abcdef0123456789abcdef')
  expect(progress).toEqual(Array.from({ length: 10 }, (_, done) => `${done}/9`))
  expect(looked.missing).toEqual([])
  expect(looked.seen).toEqual([
    'unit (active, running)',
    'log (2 lines of this run)',
    'process (pid 4711)',
    'versions (1 package)',
    'model files (1 file)',
    'GPUs (1)',
    'GPU processes (1)',
    'kernel log (1 line since this run began)',
    'PCI cards (1)',
    'load (1 running, 0 waiting)',
  ])
  expect(facts).toMatchObject({
    unit: { mainPid: 4711 },
    log: { lines: 2, cut: null },
    kernel: ['NVRM: Xid 13'],
    installed: { packages: [{ name: 'sglang', version: '0.5.9' }] },
    load: { running: 1 },
  })
})

test('a secret among the arguments and in the log is hidden, and so is what other people asked', async () => {
  const lines = [
    entry('key hunter2'),
    entry("Received request cmpl-1: prompt: 'my salary', params: SamplingParams(n=1)"),
  ]
  const { facts } = await look(onHost({ log: { log: lines.join('\n') } }))
  expect(facts.argv).toEqual(['python', '-m', 'sglang.launch_server', '--tp-size', '2', '--api-key', '[redacted]'])
  expect(facts.log?.end).toEqual(['key [redacted]', 'Received request cmpl-1: [request hidden]'])
})

const PARTS = [
  ['unit', ['unit', 'log', 'process']],
  ['log', ['log']],
  ['process', ['process']],
  ['versions', ['versions']],
  ['model-files', ['model files']],
  ['gpu', ['GPUs']],
  ['gpu-processes', ['GPU processes']],
  ['dmesg-gpu', ['kernel log']],
  ['pci', ['PCI cards']],
] as const

test.each(PARTS)('%s failing takes nothing else with it', async (verb, what) => {
  const broken: Failure = { kind: 'exit', thing: 'a tool', observed: 'it ended with 1 and said nothing', next: 'look' }
  const { looked } = await look(onHost({ [verb]: broken }))
  expect(looked.missing).toEqual([{ what, why: 'it ended with 1 and said nothing' }])
  expect(looked.seen).toHaveLength(10 - what.length)
})

test.each(PARTS)('%s that never answers is given up by its own limit', async (verb, what) => {
  const { after, pass, left } = timers()
  const wait = look(onHost({ [verb]: 'never' }), { after })
  await settle()
  // no timer but those that are due by then
  pass(4_000)
  await settle()
  pass(9_500)
  const { looked } = await wait
  expect(looked.missing.flatMap((one) => one.what)).toEqual(what)
  expect(looked.missing[0]?.why).toMatch(/^no answer within \d\.\d s$/)
  expect(left()).toBe(0)
})

test('after ten seconds whatever has not come is named, though its own limit were longer', async () => {
  const { after } = timers()
  const whole: (() => void)[] = []
  const wait = look(onHost({ pci: 'never' }), {
    after(ms, run) {
      if (ms !== 10_000) return after(ms, run)
      whole.push(run)
      return () => {}
    },
  })
  await settle()
  for (const run of whole) run()
  const { looked } = await wait
  expect(whole).toHaveLength(1)
  expect(looked.missing).toEqual([{ what: ['PCI cards'], why: 'nothing came within 10 s' }])
})

test('a stop in the middle keeps what had come', async () => {
  const person = new AbortController()
  const wait = look(onHost({ gpu: 'never', log: 'never' }), { signal: person.signal })
  await settle()
  person.abort()
  const { looked } = await wait
  expect(looked.missing).toEqual([{ what: ['log', 'GPUs'], why: 'stopped' }])
  expect(looked.seen).toContain('versions (1 package)')
})

test('what was stopped before asks nobody', async () => {
  const asked: string[] = []
  await look(onHost({}, asked), { signal: AbortSignal.abort() })
  expect(asked).toEqual([])
})

test('a host that is down is said once', async () => {
  const dead = Object.fromEntries(Object.keys(GOOD).map((verb) => [verb, down]))
  const { facts, looked } = await look(fakeHost(dead), { answers: false })
  expect(facts).toEqual({})
  expect(looked.missing).toHaveLength(1)
  expect(looked.missing[0]).toMatchObject({ why: 'host box (10.0.0.5:22): connection refused' })
  expect(looked.missing[0]?.what).toHaveLength(9)
})

test('without a unit the machine alone is looked at, and the gap is named; without a host only the server', async () => {
  const machine = await look(onHost(), { target: { ...ON_HOST, unit: null } })
  expect(machine.looked.seen.map((one) => one.split(' (')[0])).toEqual([
    'GPUs',
    'GPU processes',
    'kernel log',
    'PCI cards',
    'load',
  ])
  expect(machine.looked.missing).toEqual([
    { what: ['unit, log, process'], why: 'pilotflame.yml names no unit for this target' },
  ])
  const none = await look(null, { target: target('qwen') })
  expect(none.looked).toEqual({ seen: ['load (1 running, 0 waiting)'], missing: [] })
})

test('what nvidia-smi says against its driver is evidence', async () => {
  const said = "it ended with 9: NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver."
  const { facts } = await look(onHost({ gpu: { kind: 'exit', thing: 'nvidia-smi', observed: said, next: 'look' } }))
  expect(facts.gpus).toMatchObject({ cards: [], rc: 9, notes: [expect.stringMatching(/^NVIDIA-SMI has failed/)] })
})

const IS_FILE: Failure = {
  kind: 'gate-refused',
  thing: 'host box',
  observed: 'the gate wants other words for this verb: main has a log file, not the journal: only offset and grep',
  next: 'update',
}
const zoned = (ms: number): string => new Date(ms).toISOString()

test.each([
  [
    'by moments with a zone',
    [`${zoned(STARTED_MS - 60_000)} old`, `${zoned(STARTED_MS + 3000)} new`, 'more'],
    ['new', 'more'],
  ],
  [
    'by the process that it names',
    ['old', 'INFO:     Started server process [4711]', 'more'],
    ['process [4711]', 'more'],
  ],
  [
    'by the last line of a process whose number came before',
    ['Started server process [4711]', 'CUDA out of memory', 'Started server process [4711]', 'more'],
    ['process [4711]', 'more'],
  ],
  [
    'below the last moment of an older run',
    [
      'Started server process [4711]',
      `${zoned(STARTED_MS - 1000)} CUDA out of memory`,
      `${zoned(STARTED_MS + 3000)} new`,
    ],
    ['new'],
  ],
])('a log file counts from where this run begins: %s', async (_, lines, expected) => {
  const file = { file: `8:1 99 0`, log: `${lines.join('\n')}\n` }
  const { facts } = await look(onHost({ 'log invocation': IS_FILE, log: file }))
  expect(facts.log?.end).toEqual(expected.map((end) => expect.stringMatching(new RegExp(`${RegExp.escape(end)}$`))))
})

test.each([
  ['moments without a zone', ['2026-05-01 10:11:00 CUDA out of memory']],
  [
    'an older run whose process had the same number',
    ['Started server process [4711]', `${zoned(STARTED_MS - 1000)} CUDA out of memory`, 'killed'],
  ],
  ['a process that an older line names, pid=4711', ['(APIServer pid=4711) CUDA out of memory']],
  ['older runs only', [`${zoned(STARTED_MS - 1000)} CUDA out of memory`, 'Started server process [4710]']],
])('a log file of which nothing surely belongs to this run is not known: %s', async (_, lines) => {
  const file = { file: `8:1 99 0`, log: `${lines.join('\n')}\n` }
  const { facts, looked } = await look(onHost({ 'log invocation': IS_FILE, log: file }))
  expect(facts.log).toBeUndefined()
  expect(looked.missing).toEqual([{ what: ['log'], why: expect.stringMatching(/older runs too/) }])
})

test('a run that systemd does not name has no log that could be told from an older one', async () => {
  const unnamed = UNIT.replace(/InvocationID=.*\n/, '')
  const { looked } = await look(onHost({ unit: { unit: unnamed, variants: 'none' } }))
  expect(looked.missing).toEqual([{ what: ['log'], why: 'systemd does not name the run' }])
})

/** Everything that can answer has answered. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve()
}
