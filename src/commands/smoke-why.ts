import { z } from 'zod'
import { isFault } from '../domain/code.ts'
import type { TargetTools } from '../domain/command.ts'
import { defineTargetCommand } from '../domain/command.ts'
import { excerpt } from '../domain/excerpt.ts'
import type { Puzzle } from '../domain/experiment.ts'
import type { Report } from '../domain/report.ts'
import { refusal } from '../domain/report.ts'
import type { Choice } from '../judge/experiments/choose.ts'
import { choose } from '../judge/experiments/choose.ts'
import { experiments } from '../judge/experiments/index.ts'
import { liveReport } from './why/live.ts'
import { refusedLoad } from './why/loading.ts'
import { MOST_TOKENS, purseOf } from './why/purse.ts'
import { puzzleOf } from './why/puzzle.ts'
import { whyReport } from './why/report.ts'
import type { Inquiry } from './why/run.ts'
import { inquire, rowOf } from './why/run.ts'

/** `/smoke why`: tries what separates the causes that one answer leaves open. */
export const smokeWhy = defineTargetCommand({
  word: 'smoke',
  verb: 'why',
  summary: 'Find out why this thread’s last smoke failed, by experiments that rule causes out',
  usage: 'smoke why [--only EXPERIMENT [--queue-unseen]] [--attempt N] [--tokens N] [--target NAME]',
  examples: ['smoke why', 'smoke why --only same-prompt', 'smoke why --attempt 2'],
  access: 'read',
  needsMention: true,
  where: 'chat',
  // so that every prompt which begins with the word stays one
  takes: 'nothing',
  flags: [
    {
      name: 'only',
      kind: 'name',
      value: 'EXPERIMENT',
      help: `one alone: ${experiments.map(({ name }) => name).join(', ')}`,
    },
    {
      name: 'queue-unseen',
      kind: 'switch',
      value: '',
      help: 'with --only: load the server although how many wait is not known',
    },
    { name: 'attempt', kind: 'number', value: 'N', help: 'the attempt of that number; default: the last one' },
    { name: 'tokens', kind: 'number', value: 'N', help: 'the most tokens, read and written; default: 20000' },
    { name: 'target', kind: 'name', value: 'NAME', help: 'the last attempt on this target' },
  ],
  args: z.object({
    only: z.string().optional(),
    queueUnseen: z.string().optional(),
    attempt: z.coerce.number().int().min(1).max(1_000_000).optional(),
    tokens: z.coerce.number().int().min(1).max(1_000_000).optional(),
  }),
  async run({ only, attempt: number, tokens = MOST_TOKENS, queueUnseen: unseen }, tools) {
    if (unseen !== undefined && only === undefined) return refusal(ALONE, 'usage')
    const meant = await puzzleOf(tools, number ?? null)
    if ('no' in meant) return meant.no
    const { attempt, puzzle } = meant
    const applying = choose(puzzle, experiments)
    const chosen =
      only === undefined
        ? unasked(puzzle, applying)
        : await named({ name: only, unseen: unseen !== undefined }, puzzle, tools)
    if ('no' in chosen) return chosen.no
    const inquiry = inquiryOf(chosen.choices, { tools, puzzle, tokens })
    await live(inquiry)
    tools.release()
    const loading = applying.filter(({ experiment }) => experiment.cost === 'loading' && experiment.name !== only)
    return whyReport({ inquiry, attempt, loading })
  },
})

const ALONE =
  '--queue-unseen goes with --only, since nothing else loads the server. Next: smoke why --only eight-at-once --queue-unseen.'

type Chosen = { readonly choices: readonly Choice[] } | { readonly no: Report }

/** Where nobody names one: all that apply and load nothing. */
function unasked({ diagnosis }: Puzzle, applying: readonly Choice[]): Chosen {
  if (!isFault(diagnosis.code)) {
    return {
      no: refusal(
        'That smoke was healthy: there is nothing to explain. Next: smoke why --only same-prompt states how often it fails.',
      ),
    }
  }
  const choices = applying.filter(({ experiment }) => experiment.cost !== 'loading')
  if (choices.length > 0) return { choices }
  return {
    no: refusal(
      `No experiment separates the causes of ${diagnosis.code}. Next: do what its diagnosis says, then smoke again.`,
    ),
  }
}

interface Named {
  readonly name: string
  /** whether the server may be loaded although how many wait is not known */
  readonly unseen: boolean
}

async function named({ name, unseen }: Named, puzzle: Puzzle, tools: TargetTools): Promise<Chosen> {
  const experiment = experiments.find((one) => one.name === name.toLowerCase())
  if (experiment === undefined) {
    const all = experiments.map((one) => one.name).join(', ')
    return { no: refusal(`There is no experiment “${excerpt(name, 60)}”. Next: name one of ${all}.`, 'usage') }
  }
  const trial = experiment.trial(puzzle)
  if (trial === null) {
    return {
      no: refusal(`${experiment.title} tells nothing about that attempt: it is for attempts ${experiment.when}.`),
    }
  }
  const no = experiment.cost === 'loading' ? await refusedLoad(experiment, unseen, tools) : null
  return no === null ? { choices: [{ experiment, trial }] } : { no }
}

interface About {
  readonly tools: TargetTools
  readonly puzzle: Puzzle
  readonly tokens: number
}

function inquiryOf(choices: readonly Choice[], { tools, puzzle, tokens }: About): Inquiry {
  const about = { tools, puzzle, rows: choices.map(rowOf), purse: purseOf(tokens), startedMs: tools.clock.monotonic() }
  const inquiry: Inquiry = { ...about, show: () => tools.progress(liveReport(inquiry)) }
  return inquiry
}

/** How often the live message is brought up to date where nothing ends, in ms. */
const HEARTBEAT_MS = 1000

async function live(inquiry: Inquiry): Promise<void> {
  inquiry.show()
  const quiet = inquiry.tools.every(HEARTBEAT_MS, inquiry.show)
  await inquire(inquiry).finally(quiet)
}
