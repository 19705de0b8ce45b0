import { describe, expect, it } from 'vitest'
import type { Evidence } from '../../src/domain/finding.ts'
import { diagnose } from '../../src/judge/diagnose.ts'
import { rules } from '../../src/judge/rules/index.ts'
import { logged } from './logged.ts'
import { APPS, QUERY, ran, rows, unitOf, WELL } from './ran.ts'
import { evidenceOf, failureOf, tokens, withSmoke } from './samples.ts'

const SOUND = evidenceOf({})
const CUT = evidenceOf({ finish: 'length', tokens: tokens(200) })

const xid = (pid: number, number = 31) => [
  `[Fri May  1 10:41:00 2026] NVRM: Xid (PCI:0000:41:00): ${number}, pid=${pid}, name=python3, Ch 00000008`,
]
const KILLED = ['Out of memory: Killed process 4242 (python3) total-vm:1kB, anon-rss:1kB']
const card = (slot: string) => ({ slot, vendor: '0x10de', device: '0x2204', class: '0x030000', driver: 'nvidia' })
const HELD = '4242, python3, 43010\n'

/** What a host may tell beside an answer, none of it of the server. */
const STRANGERS: Readonly<Record<string, readonly [string, Partial<Evidence>]>> = {
  'an Xid of another program': ['engine.kernel-crash', { kernel: xid(9999) }],
  'an Xid that says little': ['log.need-more', { kernel: xid(9999, 45) }],
  'a card off the bus': ['gpu.off-bus', { kernel: xid(1, 79) }],
  'another process, killed for memory': ['host.oom', { kernel: KILLED }],
  'a card of the bus that the tool does not list': [
    'gpu.count-mismatch',
    {
      ...ran(QUERY, rows(WELL)),
      pci: [card('0000:01:00.0'), card('0000:41:00.0')],
    },
  ],
  'a tool that does not reach its driver': [
    'driver.lib-mismatch',
    ran('nvidia-smi', 'Failed to initialize NVML: Driver/library version mismatch\n'),
  ],
  'a tool that does not answer': ['telemetry.timeout', ran('nvidia-smi', '', { rc: 124, timedOut: true })],
  'memory that ran out weeks ago': [
    'mem.static-too-large',
    logged([
      '[2026-05-01 10:00:00] The server is fired up and ready to roll!',
      'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 896.00 MiB.',
    ]),
  ],
}

describe.each(Object.entries(STRANGERS))('%s', (_, [code, facts]) => {
  const told = (smoke: Evidence) => diagnose({ ...facts, ...smoke }, rules)

  it('is the fault where no answer came', () => {
    expect(told(withSmoke({ completion: null, failure: failureOf('refused') })).findings).toContainEqual(
      expect.objectContaining({ code, confidence: expect.stringMatching(/certain|likely/) }),
    )
  })

  it('makes no sound answer a fault, and is told behind it', () => {
    const { verdict, findings } = told(SOUND)
    expect(verdict).toBe('healthy')
    expect(findings).toContainEqual(
      expect.objectContaining({ code, confidence: 'possible', against: ['the server answered all the same'] }),
    )
  })

  it('leaves an answer that its budget ended what it is', () => {
    expect(told(CUT)).toMatchObject({ verdict: 'request-limit', code: 'budget.too-small' })
  })
})

describe('an event of a process that serves', () => {
  const box = (kernel: readonly string[], unit = unitOf('active', { mainPid: 4242 })): Partial<Evidence> => ({
    ...ran(APPS, HELD),
    unit,
    kernel,
  })
  const told = (smoke: Evidence, facts: Partial<Evidence>) =>
    diagnose({ ...facts, ...smoke }, rules).findings.find(({ code }) => code === 'engine.kernel-crash')?.confidence

  it('keeps its weight beside an answer', () => {
    expect(told(SOUND, box(xid(4242)))).toBe('likely')
    expect(told(SOUND, box(xid(4243)))).toBe('possible')
    expect(told(SOUND, box(xid(4242), unitOf('inactive', { mainPid: 4242 })))).toBe('possible')
  })

  it('does not outrank a spent budget all the same', () => {
    expect(told(CUT, box(xid(4242)))).toBe('possible')
  })
})

it('a card that serves is told by its address, not by the hour of the line', () => {
  const cards = (slot: string): Partial<Evidence> => {
    const { gpus } = ran(QUERY, rows(WELL))
    return {
      ...(gpus === undefined
        ? {}
        : { gpus: { ...gpus, cards: gpus.cards.map((one) => ({ ...one, uuid: 'GPU-1', slot })) } }),
      gpuProcesses: [{ gpuUuid: 'GPU-1', pid: 4242, name: 'python3', memoryMiB: 43_010, facts: null }],
      unit: unitOf('active', { mainPid: 4242 }),
      kernel: ['[Fri May  1 10:41:00 2026] NVRM: Xid (PCI:0000:82:00): 48, pid=1, DBE'],
    }
  }
  const told = (slot: string) =>
    diagnose({ ...cards(slot), ...SOUND }, rules).findings.find(({ code }) => code === 'gpu.needs-reset')?.confidence
  expect([told('00000000:82:00.0'), told('00000000:41:00.0')]).toEqual(['certain', 'possible'])
})

it('an answer that the engine gave up leaves its box a suspect', () => {
  const { findings } = diagnose({ kernel: KILLED, ...evidenceOf({ finish: 'abort' }) }, rules)
  expect(findings.find(({ code }) => code === 'host.oom')?.confidence).toBe('certain')
})

it('an answer that the engine gave up acquits the driver and its tools, whoever tells of them', () => {
  const failed = ran('nvidia-smi', 'Failed to initialize NVML: Driver/library version mismatch\n')
  const { findings } = diagnose({ ...failed, ...evidenceOf({ finish: 'abort' }) }, rules)
  expect(findings[0].code).toBe('engine.aborted')
  expect(findings).toContainEqual(
    expect.objectContaining({
      code: 'driver.lib-mismatch',
      confidence: 'possible',
      against: ['the server answered all the same'],
    }),
  )
})
