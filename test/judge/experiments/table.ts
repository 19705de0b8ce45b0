import { describe, expect, it } from 'vitest'
import type { Code } from '../../../src/domain/code.ts'
import type { Completion } from '../../../src/domain/completion.ts'
import type { Experiment, Puzzle, TrialRun } from '../../../src/domain/experiment.ts'
import type { Failure } from '../../../src/domain/failure.ts'
import type { Evidence } from '../../../src/domain/finding.ts'
import type { Smoke, SmokeRequest } from '../../../src/domain/smoke.ts'
import { diagnose } from '../../../src/judge/diagnose.ts'
import { rules } from '../../../src/judge/rules/index.ts'
import { completionOf, engineOf, failureOf, requestOf, smokeOf, tokens, withSmoke } from '../samples.ts'

interface Table {
  /** puzzles that it applies to, with how many requests it makes */
  readonly given: Readonly<Record<string, readonly [Puzzle, number]>>
  readonly withheld: Readonly<Record<string, Puzzle>>
  readonly concludes: Readonly<Record<string, Case>>
}

interface Case {
  readonly puzzle: Puzzle
  readonly runs: readonly Came[]
  readonly said: RegExp
  readonly confirms?: readonly Code[]
  readonly rulesOut?: readonly Code[]
  readonly keeps?: readonly Code[]
}

/** What one request brought: a smoke as it differs from a sound one, or what a server told without its model. */
export interface Came extends Pick<TrialRun, 'templated' | 'parsed' | 'counted' | 'spelled'> {
  readonly smoke: Partial<Smoke>
}

/** An experiment as plain values: when it applies, when not, and what each outcome shows. */
export function experimentTable(experiment: Experiment, { given, withheld, concludes }: Table): void {
  describe(experiment.name, () => {
    it.each(Object.entries(given))('applies: %s', (_, [puzzle, requests]) => {
      const trial = experiment.trial(puzzle)
      expect(trial?.requests).toHaveLength(requests)
      expect(trial?.parallel).toBeLessThanOrEqual(8)
      expect(trial?.requests.every(({ request }) => Number.isFinite(request.budget))).toBe(true)
    })
    it.each(Object.entries(withheld))('is withheld: %s', (_, puzzle) => {
      expect(experiment.trial(puzzle)).toBeNull()
    })
    it.each(Object.entries(concludes))(
      'concludes: %s',
      (_, { puzzle, runs, said, confirms = [], rulesOut = [], keeps = [] }) => {
        const seen = experiment.conclude(puzzle, runsFor(experiment, puzzle, runs))
        expect(seen.said).toMatch(said)
        expect(seen.confirms.toSorted()).toEqual(confirms.toSorted())
        for (const code of rulesOut) expect(seen.rulesOut).toContain(code)
        for (const code of keeps) expect(seen.rulesOut).not.toContain(code)
        expect(seen.rulesOut.length > 0).toBe(rulesOut.length > 0)
        for (const code of [...seen.confirms, ...seen.rulesOut]) expect(experiment.separates).toContain(code)
        expect(seen.confirms.filter((code) => seen.rulesOut.includes(code))).toEqual([])
      },
    )
  })
}

/** The runs of a trial, as the rules judge them. */
export function runsFor(experiment: Experiment, puzzle: Puzzle, runs: readonly Came[]): readonly TrialRun[] {
  const asked = experiment.trial(puzzle)?.requests ?? []
  return runs.flatMap(({ smoke: change, ...told }, at) => {
    const request = asked[at]
    if (request === undefined) throw new Error(`the trial has no request ${at + 1}`)
    const smoke = smokeOf({ request: request.request, ...change })
    const diagnosis = diagnose({ target: puzzle.evidence.target, smoke }, rules)
    return { asked: request, smoke, diagnosis, ...told }
  })
}

/** What is to be explained: one answer of the field story's server. */
export function puzzleOf(
  completion: Partial<Completion>,
  request: Partial<SmokeRequest> = {},
  more: Partial<Puzzle> = {},
): Puzzle {
  return puzzle(withSmoke({ request: requestOf(request), completion: completionOf(completion) }), more)
}

export function failedPuzzle(failure: Failure, more: Partial<Puzzle> = {}): Puzzle {
  return puzzle(withSmoke({ completion: null, failure }), more)
}

function puzzle(seen: Evidence, more: Partial<Puzzle>): Puzzle {
  const evidence = { ...seen, engine: engineOf() }
  const alone = diagnose(seen, rules)
  return { evidence, diagnosis: diagnose(evidence, rules), alone, sampling: null, other: null, ...more }
}

/** As many times. */
export function times<T>(many: number, one: T): readonly T[] {
  return Array.from({ length: many }, () => one)
}

const WORDS =
  'first the sum of two numbers is even because each part then leaves no rest when halved so we look at cases'.split(
    ' ',
  )

/** Thoughts that neither end nor repeat themselves. */
export function words(many: number): string {
  let state = 7
  const next = (): string => {
    state = (state * 1103515245 + 12345) % 2 ** 31
    return WORDS[Math.floor(state / 65536) % WORDS.length] ?? ''
  }
  return Array.from({ length: many }, next).join(' ')
}

export const SILENT = { content: null, reasoning: null, tokens: tokens(2) } as const
export const LOOPING = { content: '2 + 2 = 2.'.repeat(60), tokens: tokens(200), finish: 'length' } as const
export const THOUGHT = {
  content: null,
  reasoning: 'The user asks for a greeting, so I should',
  tokens: tokens(12),
} as const
export const SPENT = {
  content: null,
  reasoning: `The user asks ${words(150)}`,
  tokens: tokens(200),
  finish: 'length',
} as const

export const sound: Came = { smoke: {} }
export const silent: Came = { smoke: { completion: completionOf(SILENT) } }
export const looping: Came = { smoke: { completion: completionOf(LOOPING) } }
export const thought: Came = { smoke: { completion: completionOf(THOUGHT) } }
export const stalled: Came = { smoke: { completion: null, failure: failureOf('stalled') } }

export function saying(content: string, change: Partial<Completion> = {}): Came {
  return { smoke: { completion: completionOf({ content, ...change }) } }
}
