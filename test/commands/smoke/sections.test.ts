import { describe, expect, test } from 'vitest'
import { smokeJson } from '../../../src/commands/smoke/json.ts'
import { diagnosisSection, lookedSection, smokeSections } from '../../../src/commands/smoke/sections.ts'
import type { Finding } from '../../../src/domain/finding.ts'
import { diagnose } from '../../../src/judge/diagnose.ts'
import { rules } from '../../../src/judge/rules/index.ts'
import { engineOf, evidenceOf, tokens } from '../../judge/samples.ts'

/** The smoke of the field story: ended at once, by an engine that is known for it and older than the model asks for. */
const field = {
  ...evidenceOf({ content: null, pieces: 0, tokens: tokens(2) }),
  engine: engineOf({ loaded: '/srv/models/Qwen3.6-27B' }),
}

const PORT: Finding = {
  code: 'proc.port-taken',
  verdict: 'misconfigured',
  cause: 'Another process owns port 30000.',
  because: ['[Errno 98] address already in use'],
  remedy: ['See who owns it, then start again.', 'Or serve on another port: --port 30001.'],
  confidence: 'certain',
}

function finding(change: Partial<Finding>): Finding {
  return { ...PORT, code: 'engine.hang', cause: 'no answer within 5 s.', confidence: 'likely', ...change }
}

describe('one cause is one box', () => {
  const diagnosis = diagnose(field, rules)
  const boxes = smokeSections(field, diagnosis, 1).filter(({ kind }) => kind === 'diagnosis')
  const body = boxes.map((one) => one.body).join('\n')

  test('of three findings that ask for the same upgrade the leading one is told whole, the others in a line', () => {
    const codes = diagnosis.findings.map(({ code }) => code)
    expect(codes).toEqual(['model.immediate-eos', 'model.tp-comm-suspect', 'version.too-old'])
    expect(boxes.map(({ title }) => title)).toEqual([
      'Diagnosis: model.immediate-eos, certain (docs/problems/model.immediate-eos.md)',
    ])
    expect(body.match(/Upgrade SGLang/g)).toHaveLength(1)
    expect(body).toContain(
      '\nAlso points there: model.tp-comm-suspect (The GPUs may not add up their parts); version.too-old (The software is older than the model)',
    )
    expect(body).not.toContain('Also found')
    console.info(`${codes.length} findings, ${boxes.length} box, ${body.split('\n').length} lines`)
  })

  test('--json keeps each of them whole', () => {
    expect(smokeJson(field, diagnosis, null)).toMatchObject({
      findings: diagnosis.findings.map(({ code, because, remedy }) => ({ code, because, remedy })),
    })
  })
})

describe('what asks for something else', () => {
  test.each<[string, readonly string[], string]>([
    ['has a line with its first step', ['Look whether it hangs', 'Or wait'], ' Next: Look whether it hangs'],
    ['has a line without one where it has none', [], ''],
    ['keeps a command as it is typed', ['nvidia-smi -L lists them'], ' Next: nvidia-smi -L lists them'],
    ['keeps a tool of Python', ['py-spy dump --pid PID shows it'], ' Next: py-spy dump --pid PID shows it'],
    ['keeps a command of the shell', ['ls -l /srv/models'], ' Next: ls -l /srv/models'],
    ['keeps a client', ['curl -v URL'], ' Next: curl -v URL'],
    // the same beginning is not the same deed
    [
      'is told from a step that only begins alike',
      ['See who owns it; if nobody does, wait.'],
      ' Next: See who owns it; if nobody does, wait.',
    ],
  ])('%s', (_what, remedy, next) => {
    const { body, title } = diagnosisSection({ findings: [PORT, finding({ remedy })] })
    expect(title).toMatch(/^Diagnosis: proc\.port-taken, certain/)
    expect(body.split('\n').at(-1)).toBe(`Also found: engine.hang, likely. No answer within 5 s.${next}`)
    expect(body).not.toContain('Also points there')
  })

  test.each([
    ['the first step of the leading one', 'See who owns it, and leave the rest.'],
    ['another step of it', 'Or serve on another port: --port 30001, then run a smoke.'],
    ['the same in other letters', 'see who owns it'],
  ])('does not, where its first step is %s', (_what, step) => {
    const { body } = diagnosisSection({ findings: [PORT, finding({ remedy: [step] })] })
    expect(body.split('\n').at(-1)).toBe('Also points there: engine.hang (The engine is silent)')
  })

  test('is told for the first five; the others are named', () => {
    const codes = [
      'engine.hang',
      'host.oom',
      'gpu.thermal',
      'lib.abi',
      'container.shm',
      'driver.too-old',
      'build.arch',
    ] as const
    const others = codes.map((code) => finding({ code, remedy: [`Do what ${code} asks for.`] }))
    const lines = diagnosisSection({ findings: [PORT, ...others] }).body.split('\n')
    expect(lines.filter((line) => line.startsWith('Also found: '))).toHaveLength(5)
    expect(lines.at(-1)).toBe(
      'And: driver.too-old (The GPU driver is too old); build.arch (The build has no code for this GPU)',
    )
  })
})

test('a good answer is folded, and open where a remark on its server stands with it', () => {
  const good = finding({ code: 'ok.answered', verdict: 'healthy', remedy: [] })
  const old = finding({ code: 'version.too-old', confidence: 'possible' })
  expect(diagnosisSection({ findings: [good] }).folded).toBe(true)
  expect(diagnosisSection({ findings: [good, finding({ code: 'ok.spec', remedy: [] })] }).folded).toBe(true)
  expect(diagnosisSection({ findings: [good, old] }).folded).toBe(false)
})

test.each([
  [1, [], 'Looked at for this diagnosis: 1 thing'],
  [8, ['process'], 'Looked at for this diagnosis: 8 things, 1 not known'],
  [0, ['unit', 'log'], 'Looked at for this diagnosis: 0 things, 2 not known'],
])('%i things that were seen, without %j: %s', (many, what, title) => {
  const seen = Array.from({ length: many }, (_, at) => `thing ${at}`)
  const missing = what.length === 0 ? [] : [{ what, why: 'none runs' }]
  expect(lookedSection({ seen, missing })[0]?.title).toBe(title)
})
