import type { Code } from './code.ts'
import type { Parsed, PromptCount } from './engine.ts'
import type { Diagnosis, Evidence, Finding } from './finding.ts'
import type { SamplingSettings, Smoke, SmokeRequest } from './smoke.ts'

/**
 * What it costs: free asks nothing of the model · prompt: a few prompts · loading: many prompts at once or a long one,
 * so it needs an operator and is refused while requests wait.
 */
export type Cost = 'free' | 'prompt' | 'loading'

/** One more thing to try, which separates causes that one answer cannot. A new one is one file in judge/experiments. */
export interface Experiment {
  /** kebab-case: `double-budget` */
  readonly name: string
  /** on a button: `Twice the budget` */
  readonly title: string
  readonly cost: Cost
  /** a clause for people, of the attempts that it can tell something about: `where the budget was spent` */
  readonly when: string
  /** what it can confirm or rule out, and nothing else */
  readonly separates: readonly Code[]
  /** What to run for this puzzle; null where it would tell nothing. */
  trial(puzzle: Puzzle): Trial | null
  /** What came out. `runs` stand in the order of the trial; one that failed is there with its failure, one that was not run is not. */
  conclude(puzzle: Puzzle, runs: readonly TrialRun[]): Conclusion
  /** Whether what came of a trial that ended early decides, whatever else might have come. Absent: it never does. */
  decidesEarly?(runs: readonly TrialRun[]): boolean
}

/** What is to be explained, and with what. */
export interface Puzzle {
  readonly evidence: Evidence
  readonly diagnosis: Diagnosis
  /** the answer judged by itself, without what is known of its server: as the runs of a trial are judged */
  readonly alone: Diagnosis
  /** the sampling that the model's card advises; null where nobody knows it */
  readonly sampling: SamplingSettings | null
  /** another target of the same engine that may be used; null where there is none */
  readonly other: string | null
}

export interface Trial {
  /** 1 to 20 */
  readonly requests: readonly TrialRequest[]
  /** how many at once, 1 to 8 */
  readonly parallel: number
}

export type TrialRequest = ModelRequest | FreeRequest

/** chat: as a smoke, with the template and the parsers · raw: the text as it is, past template and parsers */
export interface ModelRequest extends Asking {
  readonly how: 'chat' | 'raw'
}

/**
 * What a server does without its model. parse: takes a text apart with one of its reasoning parsers · count: the tokens of
 * the prompt · spell: the text of a token
 */
export type FreeRequest = Asking &
  (
    | { readonly how: 'parse'; readonly text: string; readonly parser: string }
    | { readonly how: 'count' }
    | { readonly how: 'spell'; readonly token: number }
  )

interface Asking {
  readonly request: SmokeRequest
  /** the target that is asked instead of the one in question */
  readonly on?: string
  /** a right answer matches it, once its digits are 0 to 9 */
  readonly expected?: RegExp
}

export interface TrialRun {
  readonly asked: TrialRequest
  readonly smoke: Smoke
  /** as the rules judge it alone */
  readonly diagnosis: Diagnosis
  /** raw: whether the server's own template made the prompt, or the bare prompt was sent */
  readonly templated?: boolean
  /** parse: the two channels that the parser made of the text */
  readonly parsed?: Parsed
  /** count: tokens of the prompt */
  readonly counted?: PromptCount
  /** spell: the text of the token */
  readonly spelled?: string
}

/** What an experiment showed. */
export interface Conclusion {
  /** one sentence with its counts: `4 of 5 repeats fail` */
  readonly said: string
  readonly confirms: readonly Code[]
  readonly rulesOut: readonly Code[]
  /** what it confirms, for a cause that no finding named before */
  readonly finding?: Finding
}
